import type {WebClient} from '@slack/web-api'
import {SlackError} from '../../once/slack-error.ts'
import {callPaced} from '../../slack/api/paced.ts'
import type {Act} from '../../slack/gate/act.ts'
import type {ActTools} from '../../slack/gate/tools.ts'
import {texts} from '../../slack/texts.ts'
import type {Greeter} from './greeter.ts'
import {welcomeTexts} from './texts.ts'

interface WelcomeActsOptions extends ActTools<
  'access' | 'log' | 'nowMs' | 'pacer' | 'settingsOf' | 'team'
> {
  client: WebClient
  greeter: Greeter
}

const METHOD = 'assistant.threads.setSuggestedPrompts'
const WITHIN_MS = 5000
/** The app is no agent here, or lacks the scope: it is asked again when somebody may have mended it. */
const OFF_FOR_MS = 3_600_000
const OFF: readonly string[] = ['mistake', 'refused', 'dead']

/**
 * Whoever opens their direct messages is welcomed, once, and offered what to begin with, each time. Prompts can stand in the
 * manifest too, the same for all; these are set by us, for those alone who can begin something, so that none leads to a
 * refusal, in words that stand with all others and need no change of the app.
 */
export function createWelcomeActs(options: WelcomeActsOptions): Act[] {
  const {act, checks, access, client, greeter, log, nowMs, pacer, settingsOf, team} = options
  let offUntilMs = 0

  const offer = async (channel: string): Promise<void> => {
    const {title, tasks} = welcomeTexts.prompts
    const waiting = {title: texts.commands.list.waitsOnMe, message: texts.commands.list.waitsOnMe}
    // Slack shows none where a Slack thread is named.
    const shown = {channel_id: channel, title, prompts: [...tasks, waiting]}
    const signal = AbortSignal.timeout(WITHIN_MS)
    const turn = {pacer, team, method: METHOD, rank: 'spare', signal} as const
    try {
      await callPaced(turn, () => client.apiCall(METHOD, shown))
    } catch (error) {
      if (!(error instanceof SlackError)) throw error
      if (!OFF.includes(error.kind)) return
      log.info({code: error.code}, 'Slack takes no suggested prompts from this app')
      offUntilMs = nowMs() + OFF_FOR_MS
    }
  }

  return [
    act('messages opened', '', checks.member, async ({user, channel}, _subject, {signal}) => {
      if (channel === '') return undefined
      await greeter.greet(user, channel, signal)
      const {isConnected} = await settingsOf(team, channel)
      const canBegin = isConnected && nowMs() >= offUntilMs && (await access.mayKnow(user, channel))
      if (canBegin) await offer(channel)
      return undefined
    }),
  ]
}
