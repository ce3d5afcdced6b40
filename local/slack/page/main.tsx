import {createRoot} from 'react-dom/client'
import {App} from './app.tsx'
import {InstancesStrip} from './instances/instances-strip.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element with the id "root" to draw the page into.')
createRoot(root).render(
  <>
    {root.dataset['instances'] !== undefined && <InstancesStrip />}
    <App />
  </>,
)
