import {openEntrance} from '../slack/installs/entrance.ts'
import type {Core} from './core.ts'
import type {Services} from './services.ts'
import {createShared} from './shared.ts'
import {createWorkspace} from './workspace.ts'

/**
 * The third stage: the workspaces that the bot is installed in, each with all that its people can do. They come and go
 * while it runs.
 *
 * @throws {SlackStartError}
 */
export async function serveWorkspaces(
  core: Core,
  services: Services,
  signal: AbortSignal,
  opened: AsyncDisposableStack,
) {
  const {config, log, store, slackAccess, obstacles, workspaces, vitals} = core
  const {fleet, announce} = services
  const {slack, http} = config
  const shared = createShared(core, services)
  let hasBegun = false
  const recover = (): void => {
    fleet.recover()
    announce()
    for (const workspace of workspaces.all()) {
      const {team} = workspace.identity
      workspace
        .recover()
        .catch((error: unknown) =>
          log.error({err: error, team}, 'What had changed could not be shown'),
        )
    }
  }
  const {installs, pages} = await openEntrance(
    {
      serving: {
        ...slackAccess,
        log,
        open: async (identity, tokenOf) => {
          await fleet.leave(identity.team)
          await workspaces.add(createWorkspace({identity, tokenOf}, shared))
          if (hasBegun) recover()
        },
        close: async (team) => {
          await workspaces.remove(team)
          await fleet.leave(team)
          await store.connections.forgetKeys(team)
          await store.departures.leave(team)
          obstacles.retry({team})
        },
        onRefused: (team, code) => obstacles.meet({scope: {team}, code}),
        onRenewed: (team) => obstacles.retry({team}),
      },
      store: store.installs,
      botToken: slack.botToken,
      credentials: slack.installs,
      publicUrl: http.publicUrl,
    },
    signal,
  )
  opened.use(installs)
  await installs.recover()
  vitals.haveInstalls(installs)
  return {
    installs,
    pages,
    /** From now on something may be written to Slack. */
    begin: (): void => {
      hasBegun = true
      recover()
    },
  }
}
