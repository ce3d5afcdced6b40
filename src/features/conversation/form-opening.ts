import type {LinkStore} from '../../store/tables/work/links.ts'
import type {Start} from '../../store/tables/work/starts.ts'
import {texts} from '../../slack/texts.ts'
import type {ActResult} from '../../slack/gate/act.ts'
import {soon} from '../../slack/gate/soon.ts'
import {startRequestSchema} from '../../slack/gate/start-request.ts'
import type {Tools} from '../../slack/gate/tools.ts'
import {drawStartForm, drawStartNote} from './views/start-form.ts'

/** Who wants the form, and where. */
interface Asker {
  team: string
  user: string
  channel: string
  triggerId: string
  /** Where they can be told something; Slack shows nobody what is whispered below a message that has no replies. */
  threadTs: string | undefined
}

/**
 * Opens the form at once, since a trigger lives for 3 s, and fills it in. What it is about stands in our table, and
 * only its id in the form. `slackThread`: of the message that it is about; `prepare` has nothing where that is gone.
 */
export type OpenStartForm = (
  asker: Asker,
  about: {slackThread?: string | undefined; prepare: () => Promise<Start | undefined>},
  signal: AbortSignal,
) => Promise<ActResult | undefined>

interface FormOpeningOptions extends Pick<Tools, 'catalogue' | 'forms' | 'settingsOf'> {
  deps: {links: Pick<LinkStore, 'byPlace'>}
}

export function createFormOpening(options: FormOpeningOptions): OpenStartForm {
  const {deps, catalogue, forms, settingsOf} = options

  const projectsOf = async (team: string, channel: string, signal: AbortSignal) =>
    catalogue.projects((await settingsOf(team, channel)).values, signal)

  return async ({team, channel, triggerId, threadTs}, {slackThread, prepare}, signal) => {
    const metadata = {channel, ...(threadTs !== undefined && {slackThread: threadTs})}
    const note = {metadata, isSend: slackThread !== undefined}
    const viewId = await forms.open(triggerId, drawStartNote(note, 'loading'))
    if (viewId === undefined) return {answer: {text: texts.tooLateToOpen}, again: true}
    const [start, link, projects] = await Promise.all([
      prepare(),
      slackThread === undefined ? undefined : deps.links.byPlace({team, channel, slackThread}),
      soon(projectsOf(team, channel, signal), undefined),
    ])
    if (start === undefined) {
      await forms.update(viewId, drawStartNote(note, 'gone'))
      return undefined
    }
    const {task, picked, earlier} = startRequestSchema.parse(start.request)
    const view = drawStartForm({
      metadata: {
        channel,
        slackThread: link === undefined ? threadTs : slackThread,
        start: start.id,
      },
      kind: link === undefined ? 'start' : 'send',
      title: link?.title,
      hasThread: earlier === undefined ? 'no' : 'yes',
      picked,
      task,
      projects,
    })
    const isShown = await forms.update(viewId, view)
    if (!isShown) await forms.update(viewId, drawStartNote(note, 'notShown'))
    return undefined
  }
}
