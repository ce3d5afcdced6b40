import {createMessageReader} from '../../slack/prompts/picked-message.ts'
import {createQuotedReader} from '../../slack/prompts/quoting.ts'
import {whereIs} from '../../slack/gate/following.ts'
import type {Permalinks} from '../../slack/api/permalinks.ts'
import {ACTIONS, FORMS, START_FORMS} from '../../slack/ids.ts'
import type {Link} from '../../store/tables/work/link.ts'
import {createArchiveActs} from './archiving.ts'
import {createEditActs} from './edits.ts'
import {createFollowUps} from './follow-ups.ts'
import {createFormOpening} from './starting/form-opening.ts'
import {createListActs} from './lists.ts'
import {createManageActs} from './manage.ts'
import {createMessages} from './messages.ts'
import {createOfferActs} from './starting/offers.ts'
import {createOvertaken} from './overtaken.ts'
import {checkAnswer, createNotificationActs} from './calls/answering.ts'
import {createPickingActs} from './calls/picking.ts'
import {checkPlanChange, createPlanActs} from './calls/plans.ts'
import {checkSend, checkStart, createStartFormActs} from './starting/start-forms.ts'
import {createStartActs} from './starting/start.ts'
import {createStopActs} from './stops.ts'
import {conversationTexts} from './texts.ts'
import {createWorkActs} from './unsure.ts'
import {createWorkLists} from './work-lists.ts'
import {createWaitingActs} from './waiting.ts'
import {createWithoutActs} from './starting/without-files.ts'
import {type Feature, type NeedsOf} from '../../slack/gate/feature.ts'

type Needs = NeedsOf<
  | typeof createArchiveActs
  | typeof createNotificationActs
  | typeof createPickingActs
  | typeof createPlanActs
  | typeof createManageActs
  | typeof createOvertaken
  | typeof createStopActs
  | typeof createWaitingActs
  | typeof createWorkActs
  | typeof createWorkLists
> &
  NeedsOf<typeof createFollowUps> &
  Omit<NeedsOf<typeof createMessages>, 'followUps' | 'list' | 'overtaken' | 'whereIs'> &
  Omit<NeedsOf<typeof createMessageReader>, 'readQuoted'> &
  Omit<
    NeedsOf<
      | typeof createOfferActs
      | typeof createStartActs
      | typeof createStartFormActs
      | typeof createWithoutActs
    >,
    'open' | 'readMessage' | 'whereIs'
  > &
  NeedsOf<typeof createFormOpening> & {permalinks: Permalinks}

/** Work from its start to its end, in its own Slack thread. */
export const conversation: Feature<Needs> = {
  permits: {
    message: 'use',
    'message changed': 'use',
    'message deleted': 'use',
    'reaction octagonal_sign': 'use',
    'reaction ': 'use',
    'native stop': 'use',
    'shortcut bosun:send': 'use',
    'shortcut bosun:manage': 'use',
    'form bosun:start-form': 'use',
    'form bosun:send-form': 'use',
    'form bosun:answer': 'use',
    'form bosun:plan-change': 'use',
    'form bosun:archive': 'use',
    '/bosun new': 'use',
    '/bosun status': 'use',
    '/bosun mine': 'use',
    '/bosun tasks': 'use',
    'press bosun:stop': 'use',
    'press bosun:archive': 'use',
    'press bosun:ask-archive': 'use',
    'press bosun:stop-archive': 'use',
    'press bosun:archive-only': 'use',
    'press bosun:unarchive': 'use',
    'press bosun:new-title': 'use',
    'press bosun:take-over': 'use',
    'press bosun:details': 'use',
    'press bosun:send-now': 'own',
    'press bosun:cancel': 'own',
    'press bosun:send-held': 'own',
    'press bosun:discard': 'own',
    'press bosun:unarchive-send': 'own',
    'press bosun:start-with': 'use',
    'press bosun:start-without': 'use',
    'press bosun:start-not': 'use',
    'press bosun:send-without': 'own',
    'press bosun:send-not': 'own',
    'press bosun:offer-start': 'use',
    'press bosun:offer-choose': 'use',
    'press bosun:answer': 'use',
    'press bosun:pick': 'use',
    'press bosun:plan-go': 'use',
    'press bosun:plan-change': 'use',
    'press bosun:plan-drop': 'use',
    'press bosun:snooze': 'use',
    'press bosun:try-again': 'use',
    'press bosun:list-stop': 'use',
    'press bosun:list-more': 'use',
    'press bosun:list-filter': 'use',
    'press bosun:home-new': 'look',
    'press bosun:mute': 'use',
    'press bosun:unmute': 'use',
    'press bosun:check-again': 'use',
    'press bosun:send-again': 'use',
  },
  forms: {
    [FORMS.answer]: {check: checkAnswer},
    [FORMS.planChange]: {check: checkPlanChange},
    [START_FORMS.start]: {check: checkStart},
    [START_FORMS.send]: {check: checkSend},
  },
  askedOnce: [
    ACTIONS.startWith,
    ACTIONS.startWithout,
    ACTIONS.startNot,
    ACTIONS.sendWithout,
    ACTIONS.sendNot,
    ACTIONS.unarchiveAndSend,
    ACTIONS.offerStart,
  ],
  repeatable: [
    ACTIONS.checkAgain,
    ACTIONS.askArchive,
    ACTIONS.details,
    ACTIONS.answer,
    // Whoever comes second is told who was first.
    ACTIONS.pick,
    ACTIONS.planGo,
    ACTIONS.planChange,
    ACTIONS.planDrop,
    ACTIONS.snooze,
    // Whoever presses once more is told where it is.
    ACTIONS.offerStart,
    ACTIONS.offerChoose,
    ACTIONS.listFilter,
    ACTIONS.listMore,
    ACTIONS.homeNew,
  ],
  help: conversationTexts.help,
  commands: conversationTexts.commands,
  createActs: (needs) => {
    const followUps = createFollowUps(needs)
    const open = createFormOpening(needs)
    const readMessage = createMessageReader({...needs, readQuoted: createQuotedReader()})
    const where = (link: Link) => whereIs(link, needs.permalinks)
    const list = createWorkLists(needs)
    const overtaken = createOvertaken(needs)
    const messages = createMessages({...needs, followUps, list, overtaken, whereIs: where})
    return [
      ...messages.acts,
      ...createEditActs({...needs, followUps, messages}),
      ...createWaitingActs(needs),
      ...createStopActs(needs),
      ...createArchiveActs(needs),
      ...createManageActs(needs),
      ...createStartActs(needs),
      ...createWithoutActs(needs),
      ...createStartFormActs({...needs, open}),
      ...createOfferActs({...needs, open, readMessage, whereIs: where}),
      ...createWorkActs(needs),
      ...createListActs({...needs, list}),
      ...createNotificationActs(needs),
      ...createPickingActs(needs),
      ...createPlanActs(needs),
    ]
  },
}
