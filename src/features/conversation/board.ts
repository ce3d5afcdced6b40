import type {Declined, Desk} from '../../agents/work.ts'
import {PlatformError} from '../../platform/errors.ts'
import type {Thread} from '../../platform/model.ts'
import type {Link} from '../../store/link.ts'
import type {Forms} from '../../slack/api/forms.ts'
import type {Press} from '../../slack/deeds/press.ts'
import {drawArchivingDone} from './views/archiving.ts'
import {declinedMessage} from '../../slack/draw/declined-message.ts'
import {drawManage} from './views/manage.ts'
import {HOME, VIEWS} from '../../slack/ids.ts'
import type {Names} from '../../slack/markup/markup.ts'
import {declinedText, texts} from '../../slack/texts.ts'
import type {Outcome} from '../../slack/gate/act.ts'

/** The modal that shows one piece of work with all that can be done. */
export interface Board {
  /** `false`: the trigger is dead. */
  open(triggerId: string, link: Link, signal: AbortSignal): Promise<boolean>
  /**
   * What came of a press on the work: in the modal that was pressed in; else only a refusal is told, since what
   * is done is seen on the card.
   */
  tell(
    press: Press,
    link: Link,
    result: {outcome: 'done'} | Declined,
    done: string,
  ): Promise<Outcome | undefined>
}

interface BoardOptions {
  desk: Desk
  forms: Forms
  names: Names
}

export function createBoard({desk, forms, names}: BoardOptions): Board {
  const draw = async (link: Link, thread: Thread | undefined, said: string | undefined) =>
    drawManage({link, thread, startedBy: `@${await names.user(link.startedBy)}`, said})

  const open: Board['open'] = async (triggerId, link, signal) => {
    const {reading, notRead} = texts.talk.manage
    const {threadId} = link
    const said = threadId === undefined ? undefined : reading
    const viewId = await forms.open(triggerId, await draw(link, undefined, said))
    if (viewId === undefined) return false
    if (threadId === undefined) return true
    const thread = await desk
      .clientOf(link)
      .getThread(threadId, signal)
      .catch((error: unknown) => {
        if (error instanceof PlatformError) return undefined
        throw error
      })
    await forms.update(viewId, await draw(link, thread, thread === undefined ? notRead : undefined))
    return true
  }

  const tell: Board['tell'] = async ({view}, link, result, done) => {
    const isDone = result.outcome === 'done'
    // App Home shows it by itself, and is no modal.
    if (view === undefined || view.callbackId === HOME) {
      return isDone ? undefined : {answer: declinedMessage(result), again: true}
    }
    const now = (await desk.links.byId(link.id)) ?? link
    const said = isDone ? done : declinedText(result)
    const isQuestion = view.callbackId === VIEWS.archive
    const shown = isQuestion ? drawArchivingDone(now, said) : await draw(now, undefined, said)
    await forms.update(view.id, shown)
    return undefined
  }
  return {open, tell}
}
