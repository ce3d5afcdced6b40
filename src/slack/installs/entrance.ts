import {TryLater} from '../../inbox/try-later.ts'
import type {Secret} from '../../security/secret.ts'
import type {Notice} from '../../store/notices/notices.ts'
import type {InstallStore} from '../../store/tables/installs.ts'
import type {UsedStateStore} from '../../store/tables/used-states.ts'
import {createInstallPages} from './install-pages.ts'
import {type Installs, type Serving, openInstalls} from './installs.ts'
import {createSlackClient} from '../api/slack-client.ts'
import {refusalOf, remedyOf, whoami} from '../api/identity.ts'

interface EntranceOptions {
  serving: Serving
  store: InstallStore
  usedStates: UsedStateStore
  /** To all other instances. */
  tell: (notice: Notice) => void
  botToken: Secret | undefined
  credentials: Parameters<typeof createInstallPages>[0]['credentials'] | undefined
  publicUrl: string | undefined
}

/** Slack may say of an uninstall before the token is over; so long after it, the token is another one's. */
const UNTIL_OVER_MS = 60_000
const LOOK_AGAIN_MS = 10_000

/** By the one bot token, or by the installs in our table and the pages that make them. */
export async function openEntrance(
  {serving, store, usedStates, tell, botToken, credentials, publicUrl}: EntranceOptions,
  signal: AbortSignal,
): Promise<{installs: Installs; pages?: ReturnType<typeof createInstallPages>}> {
  if (botToken !== undefined) {
    return {installs: await openSingleInstall({...serving, store, token: botToken}, signal)}
  }
  if (credentials === undefined) throw new Error('Neither a bot token nor OAuth is configured')
  const installs = await openInstalls({...serving, credentials, store, tell})
  const {keep} = installs
  return {
    installs,
    pages: createInstallPages({...serving, credentials, publicUrl, usedStates, keep}),
  }
}

/**
 * The one workspace whose bot token the environment holds. Of a revoked token the first call tells; another one comes with
 * the next start.
 *
 * @throws {SlackStartError} when Slack refuses the token.
 */
async function openSingleInstall(
  {token, store, ...serving}: Serving & {token: Secret; store: Pick<InstallStore, 'letGo'>},
  signal: AbortSignal,
): Promise<Installs> {
  const {open, forget, release, onRefused, log} = serving
  const tokenOf = async () => token
  const client = createSlackClient(tokenOf, serving)
  const identity = await whoami(client, log, signal)
  return {
    recover: () => open(identity, tokenOf),
    welcome: async () => undefined,
    end: async ({kind, team, atMs}) => {
      if (kind !== 'uninstalled' || team !== identity.team) return
      // It may come late, and the token is of an install that was made since.
      const code = await refusalOf(client)
      if (code === undefined && Date.now() - atMs > UNTIL_OVER_MS) return
      if (code === undefined) throw new TryLater(undefined, LOOK_AGAIN_MS, 'order')
      log.warn({team}, 'The app was uninstalled; its work is ended and its keys are deleted')
      await forget(team)
      await store.letGo(team)
      await release(team)
      onRefused(team, code)
    },
    refresh: async () => undefined,
    has: (name) => name === identity.team,
    isKnown: async (team) => team === identity.team,
    probe: async () => undefined,
    explain: () => undefined,
    explainRefusal: (_team, code) =>
      `refuses the bot token (${code}); ${remedyOf(code) ?? 'install the app again and replace SLACK_BOT_TOKEN'}`,
    [Symbol.asyncDispose]: async () => undefined,
  }
}
