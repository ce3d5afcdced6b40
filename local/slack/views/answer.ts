import {isRecord} from '../edge/arguments.ts'
import type {Modals} from './modals.ts'
import {Refusal} from '../edge/refusal.ts'
import {isBareAck, type HandoverAnswer} from '../delivery/transport.ts'
import {acceptView} from './definition.ts'
import {inputBlock} from './entry.ts'
import type {StoredView, Views} from './views.ts'

/** What Slack tells a person whose app is silent, or answers with what Slack cannot show. */
const trouble = 'We had some trouble connecting. Try again?'

/**
 * Does to a submitted modal what the acknowledgement asks for; an empty one closes it:
 * https://docs.slack.dev/surfaces/modals#response_actions
 */
export function applyAnswer(
  {views, modals}: {views: Views; modals: Modals},
  submitted: StoredView,
  {outcome, response}: HandoverAnswer,
): void {
  const view = views.find(submitted.id)
  // Closed meanwhile: there is nobody left who could see the answer.
  if (view === undefined) return
  if (outcome !== 'acked') {
    views.save({...view, notice: trouble})
    return
  }
  try {
    if (isBareAck(response)) views.remove(view)
    else apply({views, modals}, view, isRecord(response) ? response : {})
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    views.save({...view, notice: trouble})
  }
}

function apply(
  {views, modals}: {views: Views; modals: Modals},
  view: StoredView,
  response: Record<string, unknown>,
): void {
  switch (response['response_action']) {
    case 'errors':
      views.save({...view, errors: readErrors(view, response['errors'])})
      return
    case 'update':
      modals.replace(view, acceptView(response['view'], 'modal'))
      return
    case 'push':
      modals.pushOn(view, acceptView(response['view'], 'modal'))
      return
    case 'clear':
      modals.clear(view.userId)
      return
    default:
      throw new Refusal('invalid_arguments')
  }
}

/** Errors stand under inputs, so each names the block of one. */
function readErrors(view: StoredView, errors: unknown): Record<string, string> {
  const entries = isRecord(errors) ? Object.entries(errors) : []
  const texts = entries.flatMap(([blockId, text]) =>
    typeof text === 'string' && inputBlock(view, blockId) !== undefined ? [[blockId, text]] : [],
  )
  if (texts.length === 0 || texts.length < entries.length) throw new Refusal('invalid_arguments')
  return Object.fromEntries(texts) as Record<string, string>
}
