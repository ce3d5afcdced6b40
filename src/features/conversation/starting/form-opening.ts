import type {ModalView} from '@slack/types'
import type {WebClient} from '@slack/web-api'
import {isDirect} from '../../../agents/who-may-know.ts'
import {pause} from '../../../async/pause.ts'
import {TryLater} from '../../../inbox/try-later.ts'
import {SlackError} from '../../../once/slack-error.ts'
import {PlatformError} from '../../../platform/errors.ts'
import {callSlack} from '../../../slack/api/slack-client.ts'
import type {LinkStore} from '../../../store/tables/work/links.ts'
import type {Start} from '../../../store/tables/work/starts.ts'
import {texts} from '../../../slack/texts.ts'
import type {ActResult} from '../../../slack/gate/act.ts'
import {soon} from '../../../slack/gate/soon.ts'
import {startRequestSchema} from '../../../slack/gate/start-request.ts'
import type {Tools} from '../../../slack/gate/tools.ts'
import {startTexts} from '../start-texts.ts'
import {drawStartForm, drawStartNote} from '../views/start-form.ts'
import {workAt} from '../work-at.ts'

/** Who wants the form, and where. */
interface Asker {
  team: string
  user: string
  /** `undefined`: in App Home, from where work begins in their direct messages. */
  channel?: string
  triggerId: string
  /** Where they can be told something; Slack shows nobody what is whispered below a message that has no replies. */
  threadTs?: string | undefined
  /** Of the whisper that offered the form: once that was sent, it goes. */
  whisperUrl?: string | undefined
}

/** A form that is opened whole has the cursor in its first field; later a trigger may have died. */
const WHOLE_WITHIN_MS = 1500

/**
 * Opens the form whole, or, where that takes too long for a trigger, which lives for 3 s, fills it in once it is open: or
 * says why nothing can begin there, before anything is entered. What it is about stands in our table, and only its id in the form. `slackThread`: of the message
 * that it is about; `prepare` has nothing where that is gone.
 */
export type OpenStartForm = (
  asker: Asker,
  about: {
    slackThread?: string | undefined
    prepare: (channel: string) => Promise<Start | undefined>
  },
  signal: AbortSignal,
) => Promise<ActResult | undefined>

interface FormOpeningOptions extends Pick<
  Tools,
  'access' | 'catalogue' | 'forms' | 'presence' | 'settingsOf' | 'whereAgentIs'
> {
  deps: {links: Pick<LinkStore, 'byPlace' | 'inRoom'>}
  client: WebClient
}

export function createFormOpening(options: FormOpeningOptions): OpenStartForm {
  const {deps, access, catalogue, client, forms, presence, settingsOf} = options
  const words = startTexts.form

  const projectsOf = async ({team, user}: Asker, channel: string, signal: AbortSignal) =>
    catalogue.reachable((await settingsOf(team, channel)).values, user, signal)

  /** Why nothing can begin there, whatever is entered; `undefined` where it can, or nobody knows. */
  const barOf = async (asker: Asker, channel: string): Promise<string | undefined> => {
    const [at, {isConnected}, mayUse, room] = await Promise.all([
      soon(presence(channel), 'unknown' as const),
      settingsOf(asker.team, channel),
      // Elsewhere it was judged by the place before anything was opened.
      asker.channel !== undefined || access.mayKnow(asker.user, channel),
      deps.links.inRoom({team: asker.team, channel}),
    ])
    if (at === 'outside') return isDirect(channel) ? words.between : words.outside(`<#${channel}>`)
    if (!mayUse) return words.notForYou
    if (!isConnected) return words.unconnected
    return room === undefined ? undefined : startTexts.inRoom
  }

  const directOf = async (user: string): Promise<string | undefined> => {
    try {
      return (await callSlack(() => client.conversations.open({users: user}))).channel?.id
    } catch (error) {
      if (error instanceof SlackError) return undefined
      throw error
    }
  }

  return async (asker, {slackThread, prepare}, signal) => {
    const {team, user, triggerId, threadTs, whisperUrl} = asker
    const metadata = {
      ...(asker.channel !== undefined && {channel: asker.channel}),
      ...(threadTs !== undefined && {slackThread: threadTs}),
    }
    const note = (words: string) =>
      drawStartNote({metadata, isSend: slackThread !== undefined}, words)
    const fillIn = async (): Promise<ModalView> => {
      const channel = asker.channel ?? (await directOf(user))
      if (channel === undefined) return note(words.notShown)
      const [start, link, bar, projects, settings] = await Promise.all([
        prepare(channel),
        slackThread === undefined ? undefined : workAt(deps.links, {team, channel, slackThread}),
        barOf(asker, channel),
        soon(projectsOf(asker, channel, signal), undefined),
        settingsOf(team, channel),
      ])
      if (bar !== undefined && link === undefined) return note(bar)
      if (link?.taskId !== undefined) {
        return note(texts.tasks.readOnly(await options.whereAgentIs(link)))
      }
      if (start === undefined) return note(words.gone)
      const {task, picked, earlier} = startRequestSchema.parse(start.request)
      const place = {
        channel,
        slackThread: link === undefined || link.place.isRoom === true ? threadTs : slackThread,
      }
      return drawStartForm({
        metadata: {...place, start: start.id, whisperUrl},
        kind: link === undefined ? 'start' : 'send',
        title: link?.title,
        hasThread: earlier === undefined ? 'no' : 'yes',
        isAtHome: asker.channel === undefined,
        picked,
        task,
        planFirst: settings.values.planFirst,
        projects,
      })
    }
    const filled = fillIn()
    filled.catch(() => undefined) // whoever waits for it hears of it
    const first = await Promise.race([filled, pause(WHOLE_WITHIN_MS, signal)])
    const viewId = await forms.open(triggerId, first ?? note(words.loading))
    if (viewId === undefined) return {answer: {text: texts.tooLateToOpen}, again: true}
    if (first !== undefined) return undefined
    // The trigger is spent: whatever fails from here on is said in the form itself.
    const [told] = await Promise.allSettled([filled])
    signal.throwIfAborted()
    const isShown = told.status === 'fulfilled' && (await forms.update(viewId, told.value))
    if (!isShown) await forms.update(viewId, note(words.notShown))
    if (told.status === 'rejected' && !isPassing(told.reason)) throw told.reason
    return undefined
  }
}

/** Slack, or the platform, did not say. */
function isPassing(error: unknown): boolean {
  return [TryLater, SlackError, PlatformError].some((one) => error instanceof one)
}
