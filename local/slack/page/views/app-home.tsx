import type {WorkspaceView} from '../../page-feed/contract.ts'
import {Avatar} from '../kit/avatar.tsx'
import {BlockList} from '../blocks/blocks.tsx'
import {DrawGuard} from '../kit/draw-guard.tsx'
import {memberOf} from '../live/membership.ts'
import {useSession} from '../live/session.ts'
import {SurfaceContext} from '../forms/surface.ts'
import {useViewForm} from './use-view-form.ts'
import type {ShownView} from '../../views/views.ts'
import {blocksOf} from './view-shape.ts'

type AppView = WorkspaceView['apps'][number]

/** What an app shows on its Home tab, for this person alone. */
export function AppHome({app, homes}: {app: AppView; homes: readonly ShownView[]}) {
  const home = homes.find(({view}) => view.app_id === app.id)
  return (
    <section className="pane-body app-home" role="tabpanel" aria-label={`Home of ${app.name}`}>
      <div className="app-home-content">
        {home ? <HomeView key={home.id} shown={home} /> : <EmptyHome app={app} />}
      </div>
    </section>
  )
}

function HomeView({shown}: {shown: ShownView}) {
  const {surface} = useViewForm(shown)
  return (
    <DrawGuard of={shown}>
      <div className="message-text view-blocks">
        <SurfaceContext value={surface}>
          <BlockList blocks={blocksOf(shown)} />
        </SurfaceContext>
      </div>
    </DrawGuard>
  )
}

function EmptyHome({app}: {app: AppView}) {
  const {workspace} = useSession()
  return (
    <div className="app-home-empty">
      <Avatar member={memberOf(workspace, app.userId)} size="large" />
      <h2>This is a work in progress</h2>
      <p className="muted">
        {app.name} has not put anything here yet. You can write to it under Messages.
      </p>
    </div>
  )
}
