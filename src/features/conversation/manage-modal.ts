import {createMemory} from '../../async/memory.ts'
import type {Declined, WorkDeps} from '../../agents/lifecycle.ts'
import {createUserNames} from '../../agents/user-names.ts'
import {PlatformError} from '../../platform/errors.ts'
import type {Thread} from '../../platform/model.ts'
import {NOBODY} from '../../store/forget/blanking.ts'
import type {ModelStore} from '../../store/tables/models.ts'
import type {Link} from '../../store/tables/work/link.ts'
import type {Press} from '../../slack/incoming/press.ts'
import {type ManageView, drawManage} from './views/manage.ts'
import {declinedMessage} from '../../slack/draw/declined.ts'
import {HOME} from '../../slack/ids.ts'
import {declinedText} from '../../slack/texts.ts'
import type {ActResult} from '../../slack/gate/act.ts'
import {conversationTexts} from './texts.ts'
import type {Tools} from '../../slack/gate/tools.ts'

/** The modal that shows one piece of work with all that can be done. */
export interface ManageModal {
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
  ): Promise<ActResult | undefined>
}

interface ManageModalOptions extends Pick<Tools, 'forms' | 'names'> {
  deps: Pick<WorkDeps, 'clientOf' | 'links' | 'nowMs'> & {models: Pick<ModelStore, 'aliases'>}
  /** Whether the work can get a channel of its own. */
  offersRoom: (link: Link, signal: AbortSignal) => Promise<boolean>
}

/** Modals that somebody has in front of them. */
const MAX_OPEN = 200

export function createManageModal({
  deps,
  forms,
  names,
  offersRoom,
}: ManageModalOptions): ManageModal {
  const memberNames = createUserNames({clientOf: deps.clientOf, nowMs: deps.nowMs})
  /** What others were asked for as a modal was opened, by its view: it stands there as long as that does. */
  const asked = createMemory<{thread: Thread | undefined; hasRooms: boolean}>({most: MAX_OPEN})

  const draw = async (
    link: Link,
    thread: Thread | undefined,
    said: string | undefined,
    more: Pick<ManageView, 'author' | 'previousAuthor' | 'hasRooms'> = {},
  ) => {
    const of = {team: link.place.team, connectionId: link.connectionId}
    const [name, aliases] = await Promise.all([names.user(link.startedBy), deps.models.aliases(of)])
    const {rule} = link
    const isNobodys = rule !== undefined && link.startedBy === NOBODY
    const startedBy = isNobodys ? conversationTexts.manage.by(rule) : `@${name}`
    return drawManage({link, thread, startedBy, ...more, aliases, said})
  }

  const authorsOf = async (link: Link, thread: Thread | undefined, signal: AbortSignal) => {
    const {authorId, previousAuthorId} = thread ?? {}
    const nameOf = (id: string | undefined) =>
      id === undefined ? undefined : memberNames(link)(id, signal)
    return {author: await nameOf(authorId), previousAuthor: await nameOf(previousAuthorId)}
  }

  const open: ManageModal['open'] = async (triggerId, link, signal) => {
    const {reading, notRead} = conversationTexts.manage
    const {threadId} = link
    const said = threadId === undefined ? undefined : reading
    const viewId = await forms.open(triggerId, await draw(link, undefined, said))
    if (viewId === undefined) return false
    if (threadId === undefined) return true
    const thread = await deps
      .clientOf(link)
      .getThread(threadId, signal)
      .catch((error: unknown) => {
        if (error instanceof PlatformError) return undefined
        throw error
      })
    const why = thread === undefined ? notRead : undefined
    const hasRooms = await offersRoom(link, signal)
    asked.keep(viewId, {thread, hasRooms})
    await forms.update(
      viewId,
      await draw(link, thread, why, {...(await authorsOf(link, thread, signal)), hasRooms}),
    )
    return true
  }

  const tell: ManageModal['tell'] = async ({view}, link, result, done) => {
    const isDone = result.outcome === 'done'
    const answer = isDone ? undefined : ({answer: declinedMessage(result), again: true} as const)
    // App Home shows it by itself, and is no modal.
    if (view === undefined || view.callbackId === HOME) return answer
    const now = (await deps.links.byId(link.id)) ?? link
    const said = isDone ? done : declinedText(result)
    // Whose work it is may be what the press has changed.
    const {thread, hasRooms = false} = asked.of(view.id) ?? {}
    const isShown = await forms.update(view.id, await draw(now, thread, said, {hasRooms}))
    // Whoever has closed it hears of a refusal where it was opened.
    return isShown ? undefined : answer
  }
  return {open, tell}
}
