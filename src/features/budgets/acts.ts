import {goOnBeyond} from '../../agents/budgets/go-on.ts'
import {dollars} from '../../agents/budgets/judging.ts'
import {BUDGETS} from '../../agents/budgets/periods.ts'
import type {FollowUpDeps} from '../../agents/lifecycle.ts'
import type {Handling} from '../../inbox/worker.ts'
import type {BudgetNote, BudgetNoteStore} from '../../store/tables/budgets/notes.ts'
import type {Link} from '../../store/tables/work/link.ts'
import {tokenMark} from '../../store/tables/work/send.ts'
import {declinedMessage, keptMessage} from '../../slack/draw/declined.ts'
import {type Act, type ActResult, type Check, Refusal} from '../../slack/gate/act.ts'
import {isHere, standingOfLink} from '../../slack/gate/checks.ts'
import type {ActTools} from '../../slack/gate/tools.ts'
import {ACTIONS} from '../../slack/ids.ts'
import type {Press} from '../../slack/incoming/press.ts'
import {nameLine} from '../../slack/markup/lines.ts'
import {senderLine} from '../../slack/prompts/quoting.ts'
import {budgetTexts} from '../../slack/texts/budgets.ts'
import {texts} from '../../slack/texts.ts'

interface BudgetActsOptions extends ActTools<'names'> {
  deps: FollowUpDeps & {budgetNotes: Pick<BudgetNoteStore, 'byId'>}
}

/** `beginner`: whose work it is, also where somebody else follows it. */
type Spent = {link: Link; note: BudgetNote; beginner: string}

/** Work that was stopped for its budget goes on: for that of the work by whoever started it, for others by admins. */
export function createBudgetActs({act, deps, names}: BudgetActsOptions): Act[] {
  /** Whose budget it is says by which button it is raised, and so by whom. */
  const onNote = (isOurs: (note: BudgetNote) => boolean): Check<Press, Spent> => ({
    name: 'on a budget that is used up here',
    look: async (press) => {
      const note = await deps.budgetNotes.byId(press.value)
      const link = note && (await deps.links.byId(note.linkId))
      const isThere = link !== undefined && isHere(link.place, press)
      if (note === undefined || !isThere || !isOurs(note)) return new Refusal({text: texts.notHere})
      const {place, threadId = '', startedBy} = link
      const begun = await deps.links.beginningOf({team: place.team, threadId})
      return {link, note, beginner: begun?.startedBy ?? startedBy}
    },
    standing: ({link, note, beginner}) => ({
      ...standingOfLink(link),
      owners: [beginner],
      about: `${link.id} ${dollars(note.moreMicros)} more`,
    }),
  })

  const goOn = async (
    {user, messageTs}: Press,
    {link, note}: Spent,
    {row, signal}: Handling,
  ): Promise<ActResult | undefined> => {
    if (note.state !== 'told' && note.state !== 'raised') {
      return {answer: {text: budgetTexts.raisedSince}}
    }
    const line = await senderLine(names, {user, channel: link.place.channel})
    const told = await goOnBeyond(
      deps,
      {link, note},
      {
        by: user,
        inboxId: row.id,
        messageTs: messageTs ?? link.place.slackThread,
        toText: (token) => `${line} ${tokenMark(token)}\n${budgetTexts.goOnMessage}`,
      },
      signal,
    )
    switch (told.outcome) {
      case 'already':
        return {answer: {text: budgetTexts.already(nameLine(`@${await names.user(told.by)}`))}}
      case 'kept':
        return {answer: keptMessage(told.send)}
      case 'declined':
        return {answer: declinedMessage(told), again: true}
      default:
        return undefined
    }
  }

  const isOfWork = ({budget}: BudgetNote): boolean => BUDGETS[budget].of === 'work'
  return [
    act('press', ACTIONS.goOn, onNote(isOfWork), goOn),
    act(
      'press',
      ACTIONS.raiseBudget,
      onNote((note) => !isOfWork(note)),
      goOn,
    ),
  ]
}
