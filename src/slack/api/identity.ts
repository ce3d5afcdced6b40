import {WebClient} from '@slack/web-api'
import {backoffMs, pause} from '../../async/pause.ts'
import {TryLater} from '../../inbox/try-later.ts'
import type {Log} from '../../relay/ports.ts'
import {SlackStartError, callSlack} from './slack-client.ts'
import {SlackError} from '../../once/slack-error.ts'

/** Who we are in the workspace. */
export interface Whoami {
  team: string
  botUserId: string
  botId: string
  /** That the workspace belongs to, where it belongs to one. */
  organization: string | undefined
}

const RETRY = {baseMs: 1000, maxMs: 15_000}

/** What to do about a token that Slack refuses for another reason than itself; `undefined`: install the app again. */
export function remedyOf(code: string): string | undefined {
  return code === 'accesslimited'
    ? 'add the address of this machine to the app’s allowed IP address ranges, under OAuth & Permissions'
    : undefined
}

/** Why nothing can be done with `SLACK_BOT_TOKEN`, and what to do. */
export function refusedToken(code: string): string {
  const remedy =
    remedyOf(code) ??
    'install the app to your workspace again and copy the token under OAuth & Permissions'
  return `Slack refuses SLACK_BOT_TOKEN (${code}): ${remedy}.`
}

/**
 * Asks Slack whose token this is, for as long as Slack does not answer.
 *
 * @throws {SlackStartError} when Slack refuses the token.
 */
export async function whoami(client: WebClient, log: Log, signal: AbortSignal): Promise<Whoami> {
  for (let attempt = 0; ; attempt += 1) {
    signal.throwIfAborted()
    try {
      const {
        team_id: team,
        user_id: botUserId,
        bot_id: botId,
        enterprise_id: organization,
      } = await callSlack(() => client.auth.test())
      if (team === undefined || botUserId === undefined) {
        throw new SlackStartError('Slack does not say whose token SLACK_BOT_TOKEN is.')
      }
      return {team, botUserId, botId: botId ?? '', organization: organization || undefined}
    } catch (error) {
      if (!(error instanceof SlackError)) throw error
      if (error.kind !== 'retry' && error.kind !== 'wait') {
        throw new SlackStartError(refusedToken(error.code), {cause: error})
      }
      log.warn({err: error}, 'Slack does not answer; trying again')
      await pause(Math.max(error.retryAfterMs, backoffMs(attempt, RETRY)), signal)
    }
  }
}

/**
 * In Slack's words why a token does not count; `undefined`: it does.
 *
 * @throws {TryLater} when Slack does not say.
 */
export async function refusalOf(client: WebClient): Promise<string | undefined> {
  try {
    await callSlack(() => client.auth.test())
    return undefined
  } catch (error) {
    if (!(error instanceof SlackError)) throw error
    if (error.kind === 'dead') return error.code
    throw new TryLater(error, error.retryAfterMs)
  }
}
