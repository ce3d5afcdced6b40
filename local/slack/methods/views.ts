import type {Arguments} from '../edge/arguments.ts'
import {pointers, Refusal} from '../edge/refusal.ts'
import {acceptView} from '../views/definition.ts'
import {toSlackView, type StoredView} from '../views/views.ts'
import {tier4, type Answer, type Desk, type Method} from './method.ts'

export const viewsMethods: Record<string, Method> = {
  'views.open': {token: 'bot', rate: tier4, handle: open},
  'views.push': {token: 'bot', rate: tier4, handle: push},
  'views.update': {token: 'bot', rate: tier4, handle: update},
  'views.publish': {token: 'bot', rate: tier4, handle: publish},
}

/** https://docs.slack.dev/reference/methods/views.open */
function open(desk: Desk, args: Arguments): Answer {
  const triggerId = readTrigger(args)
  return answer(desk, desk.modals.open(triggerId, acceptView(args.values['view'], 'modal')))
}

/** https://docs.slack.dev/reference/methods/views.push */
function push(desk: Desk, args: Arguments): Answer {
  const triggerId = readTrigger(args)
  return answer(desk, desk.modals.push(triggerId, acceptView(args.values['view'], 'modal')))
}

/** https://docs.slack.dev/reference/methods/views.update */
function update(desk: Desk, args: Arguments): Answer {
  const view = findView(desk, args)
  const definition = acceptView(args.values['view'], view.definition.type)
  return answer(desk, desk.modals.replace(view, definition, readHash(args)))
}

/** https://docs.slack.dev/reference/methods/views.publish */
function publish(desk: Desk, args: Arguments): Answer {
  const userId = args.required('user_id')
  const view = args.values['view']
  if (typeof view === 'object' && view !== null && 'type' in view && view.type === 'profile') {
    // An experiment that no workspace here takes part in.
    throw new Refusal('profile_id' in view ? 'not_implemented' : 'missing_profile_id')
  }
  const member = desk.workspace.member(userId)
  if (member === undefined || member.isBot) {
    throw new Refusal('invalid_arguments', pointers(['invalid `user_id`']))
  }
  const definition = acceptView(view, 'home')
  if (!desk.hasHomeTab) throw new Refusal('not_enabled')
  return answer(desk, desk.modals.publish(userId, definition, readHash(args)))
}

function answer({workspace}: Desk, view: StoredView): Answer {
  return {view: toSlackView(workspace, view)}
}

function readTrigger(args: Arguments): string {
  const pointer = args.text('interactivity_pointer')
  if (pointer === undefined) return args.required('trigger_id')
  if (!args.has('trigger_id')) return pointer
  const message = '`trigger_id` and `interactivity_pointer` are mutually exclusive'
  throw new Refusal('invalid_arguments', pointers([message]))
}

function readHash(args: Arguments): string | undefined {
  const hash = args.text('hash')
  return hash === '' ? undefined : hash
}

function findView({views}: Desk, args: Arguments): StoredView {
  const viewId = args.text('view_id') ?? ''
  const externalId = args.text('external_id') ?? ''
  if (viewId === '' && externalId === '') {
    const message = 'missing required field: view_id or external_id'
    throw new Refusal('invalid_arguments', pointers([message]))
  }
  const view = viewId === '' ? views.byExternalId(externalId) : views.find(viewId)
  if (view === undefined) throw new Refusal('not_found')
  return view
}
