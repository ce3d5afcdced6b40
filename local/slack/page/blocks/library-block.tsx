import {lazy, Suspense, useSyncExternalStore} from 'react'
import type {Block} from 'slack-blocks-to-jsx'
import type {SlackBlock} from '../../blocks/block.ts'
import {useSession} from '../live/session.ts'

/** The library is half a megabyte for the rarest blocks: it is loaded when the first one shows. */
const Library = lazy(async () => {
  const {Message} = await import('slack-blocks-to-jsx')
  return {default: Message}
})

const drawn: readonly string[] = ['data_visualization', 'file'] satisfies Block['type'][]

/** A block that holds nothing to press, drawn by slack-blocks-to-jsx in the page's own type. */
export function LibraryBlock({block}: {block: SlackBlock}) {
  const {workspace} = useSession()
  const theme = useTheme()
  if (!isDrawn(block)) return <p className="muted">This page cannot draw a “{block.type}” block.</p>
  const users = workspace.members.map(({id, realName}) => ({id, name: realName}))
  const channels = workspace.channels.map(({id, name}) => ({id, name}))
  return (
    <Suspense fallback={null}>
      <Library
        blocks={[block]}
        data={{users, channels}}
        logo=""
        name=""
        theme={theme}
        withoutWrapper
      />
    </Suspense>
  )
}

/** The library takes Block Kit as Slack's servers have checked it, which this is. */
function isDrawn(block: SlackBlock): block is SlackBlock & Block {
  return drawn.includes(block.type)
}

function useTheme(): 'light' | 'dark' {
  return useSyncExternalStore(subscribe, () => (darkScheme().matches ? 'dark' : 'light'))
}

function subscribe(listener: () => void): () => void {
  const scheme = darkScheme()
  scheme.addEventListener('change', listener)
  return () => scheme.removeEventListener('change', listener)
}

function darkScheme(): MediaQueryList {
  return matchMedia('(prefers-color-scheme: dark)')
}
