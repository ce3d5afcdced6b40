import type {Secret} from '../../security/secret.ts'
import {createSlackClient} from '../api/calls.ts'
import {whoami} from '../api/identity.ts'
import type {Installs, Serving} from './installs.ts'

/**
 * The one workspace whose bot token the environment holds. Of a revoked token the first call tells; another one comes with
 * the next start.
 *
 * @throws {SlackStartError} when Slack refuses the token.
 */
export async function openSingleInstall(
  {token, ...serving}: Serving & {token: Secret},
  signal: AbortSignal,
): Promise<Installs> {
  const {open, close, onRefused, log} = serving
  const tokenOf = async () => token
  const identity = await whoami(createSlackClient(tokenOf, serving), log, signal)
  return {
    recover: () => open(identity, tokenOf),
    welcome: async () => undefined,
    end: async ({kind, team}) => {
      if (kind !== 'uninstalled' || team !== identity.team) return
      log.warn({team}, 'The app was uninstalled; its work is ended and its keys are deleted')
      await close(team)
      onRefused(team, 'app_uninstalled')
    },
    probe: async () => undefined,
    explain: () => undefined,
    explainRefusal: (_team, code) =>
      `refuses the bot token (${code}); install the app again and replace SLACK_BOT_TOKEN`,
    [Symbol.asyncDispose]: async () => undefined,
  }
}
