import type {ViewResponseAction} from '@slack/bolt'
import {expect, test} from 'vitest'
import {connectApp, listenOverHttp, refusalOf} from './slack-fixture.ts'
import {
  answerWith,
  jane,
  modal,
  newTrigger,
  openModal,
  plain,
  titled,
  titlesOf,
} from './views-fixture.ts'

const ways = [
  ['Socket Mode', connectApp],
  ['HTTP', listenOverHttp],
] as const

const trouble = 'We had some trouble connecting. Try again?'

test.for(ways)(
  'over %s a submission carries the values, and its answer is shown',
  async ([, connect]) => {
    const {slack, app, people, filled} = await openModal(
      modal('New task', {private_metadata: 'p7'}),
      {connect},
    )
    const bodies = answerWith(
      app,
      {response_action: 'errors', errors: {goal: 'Say more.'}},
      {response_action: 'update', view: modal('Check')},
      {response_action: 'push', view: modal('Sure?')},
      undefined,
      {response_action: 'clear'},
    )
    await expect(people.submitView({...jane, values: filled})).resolves.toBe('acked')
    expect(bodies[0]).toMatchObject({
      type: 'view_submission',
      user: {id: 'U0JANE', name: 'jane', team_id: 'T0LOCAL'},
      team: {id: 'T0LOCAL', domain: 'acme'},
      api_app_id: 'A0BOSUN',
      response_urls: [],
      view: {
        callback_id: 'form',
        private_metadata: 'p7',
        state: {values: {goal: {text: {type: 'plain_text_input', value: 'Fix the build'}}}},
      },
    })
    expect(slack.views('U0JANE').modals).toMatchObject([{errors: {goal: 'Say more.'}}])
    await people.submitView(jane)
    expect(slack.views('U0JANE').modals).toMatchObject([
      {errors: {}, view: {title: {text: 'Check'}}},
    ])
    await people.submitView(jane)
    expect(titlesOf(slack)).toEqual(titled('Check', 'Sure?'))
    await people.submitView({...jane, values: filled})
    expect(titlesOf(slack)).toEqual(titled('Check'))
    await people.submitView(jane)
    expect(titlesOf(slack)).toEqual([])
  },
)

const unusable: [string, unknown][] = [
  ['errors for a block that is no input', {response_action: 'errors', errors: {nope: 'x'}}],
  ['errors without any', {response_action: 'errors', errors: {}}],
  ['an unknown action', {response_action: 'explode'}],
  ['a view that breaks the schema', {response_action: 'update', view: modal('x'.repeat(25))}],
  ['no view', {response_action: 'push'}],
]

test.for(unusable)('the person sees trouble when the app answers with %s', async ([, answer]) => {
  const {slack, app, people, filled} = await openModal(modal('New task'))
  app.view('form', async ({ack}) => ack(answer as ViewResponseAction))
  await people.submitView({...jane, values: filled})
  expect(slack.views('U0JANE').modals).toMatchObject([{notice: trouble, errors: {}}])
})

test('the person sees trouble when the app is silent, and may try again', async () => {
  const {slack, app, people, filled} = await openModal(modal('New task'), {
    options: {timeFactor: 0.5},
  })
  let isSilent = true
  app.view('form', async ({ack}) => {
    if (!isSilent) await ack()
  })
  await expect(people.submitView({...jane, values: filled})).resolves.toBe('timeout')
  expect(slack.views('U0JANE').modals).toMatchObject([{notice: trouble}])
  isSilent = false
  await expect(people.submitView(jane)).resolves.toBe('acked')
  expect(titlesOf(slack)).toEqual([])
})

test('views are pushed from a modal only, three deep at most', async () => {
  const more = modal('One', {
    blocks: [
      {
        type: 'actions',
        block_id: 'row',
        elements: [{type: 'button', action_id: 'more', value: 'v', text: plain('More')}],
      },
    ],
  })
  const {slack, client, app, people} = await openModal(more)
  const refusals: string[] = []
  const bodies: unknown[] = []
  app.action('more', async ({ack, body}) => {
    await ack()
    bodies.push(body)
    const trigger_id = 'trigger_id' in body ? body.trigger_id : ''
    const push = client.views.push({trigger_id, view: more})
    await push.catch(async () => refusals.push(await refusalOf(push)))
  })
  for (const depth of [1, 2, 3]) {
    expect(titlesOf(slack)).toHaveLength(depth)
    await people.useView({...jane, actionId: 'more'})
    await expect.poll(() => bodies.length).toBe(depth)
    await expect.poll(() => titlesOf(slack).length + refusals.length).toBe(depth + 1)
  }
  expect(refusals).toEqual(['push_limit_reached'])
  const [root, second] = slack.views('U0JANE').modals
  expect(second?.view).toMatchObject({previous_view_id: root?.id, root_view_id: root?.id})
  expect(bodies[0]).toMatchObject({
    type: 'block_actions',
    container: {type: 'view', view_id: root?.id},
    view: {id: root?.id},
    actions: [{type: 'button', action_id: 'more', block_id: 'row', value: 'v'}],
  })
  app.shortcut('elsewhere', async ({ack}) => ack())
  const trigger_id = await newTrigger(slack, 'elsewhere')
  const astray = client.views.push({trigger_id, view: more})
  await expect(refusalOf(astray)).resolves.toBe('not_found')
})

test('closing is told to the app that asked for it, and may take the whole stack', async () => {
  const view = modal('Root', {notify_on_close: true})
  const {slack, app, people, filled} = await openModal(view)
  const closed: [string, boolean][] = []
  app.view({callback_id: 'form', type: 'view_closed'}, async ({ack, body}) => {
    closed.push([body.view.title.text, body.type === 'view_closed' && body.is_cleared])
    await ack()
  })
  const top = modal('Top', {notify_on_close: true, callback_id: 'form'})
  app.view({callback_id: 'form', type: 'view_submission'}, async ({ack}) =>
    ack({response_action: 'push', view: top}),
  )
  await people.submitView({...jane, values: filled})
  await people.closeView(jane)
  expect(titlesOf(slack)).toEqual(titled('Root'))
  await people.submitView(jane)
  await people.closeView({...jane, all: true})
  expect(titlesOf(slack)).toEqual([])
  expect(closed).toEqual([
    ['Top', false],
    ['Top', true],
    ['Root', true],
  ])
  await expect(people.closeView(jane)).rejects.toThrow('no modal open')
})

test('a view that clears on close takes those below it along, without a word if none was asked for', async () => {
  const {slack, app, people, filled} = await openModal(modal('Root'))
  answerWith(app, {response_action: 'push', view: modal('Top', {clear_on_close: true})})
  await people.submitView({...jane, values: filled})
  const deliveries = slack.ledger.deliveries.length
  await people.closeView(jane)
  expect(titlesOf(slack)).toEqual([])
  expect(slack.ledger.deliveries).toHaveLength(deliveries)
})
