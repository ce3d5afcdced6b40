import type {HomeView} from '@slack/types'
import {expect, test} from 'vitest'
import {eventually} from './eventually.ts'
import {openSlack, refusalDataOf, refusalOf} from './slack-fixture.ts'
import {modal, newTrigger, plain, titled, titlesOf} from './views-fixture.ts'

const home = (text: string): HomeView => ({
  type: 'home',
  blocks: [{type: 'section', text: plain(text)}],
})

test('a trigger opens one modal and is spent by it', async () => {
  const {slack, client} = await openSlack()
  const trigger_id = await newTrigger(slack)
  const {view} = await client.views.open({trigger_id, view: modal('New task')})
  expect(view).toMatchObject({
    type: 'modal',
    team_id: 'T0LOCAL',
    app_id: 'A0BOSUN',
    bot_id: 'B0BOSUN',
    callback_id: 'form',
    private_metadata: '',
    external_id: '',
    title: {text: 'New task'},
    close: null,
    submit: {text: 'Save'},
    clear_on_close: false,
    notify_on_close: false,
    previous_view_id: null,
    root_view_id: view?.id,
    state: {values: {goal: {text: {type: 'plain_text_input', value: null}}}},
  })
  expect(titlesOf(slack)).toEqual(titled('New task'))
  const again = client.views.open({trigger_id, view: modal('Again')})
  await expect(refusalOf(again)).resolves.toBe('exchanged_trigger_id')
  const atOnce = client.views.push({trigger_id, view: modal('Again')})
  await expect(refusalOf(atOnce)).resolves.toBe('exchanged_trigger_id')
})

test('a trigger expires, and one that Slack never gave is invalid', async () => {
  const {slack, client} = await openSlack({timeFactor: 0.001})
  const trigger_id = await newTrigger(slack)
  const endMs = Date.now() + 5
  await eventually(Date.now, (now) => now > endMs)
  const view = modal('Late')
  await expect(refusalOf(client.views.open({trigger_id, view}))).resolves.toBe('expired_trigger_id')
  await expect(refusalOf(client.views.push({trigger_id, view}))).resolves.toBe('expired_trigger_id')
  for (const invented of ['123.456.abc', 'nonsense']) {
    const call = client.views.open({trigger_id: invented, view})
    await expect(refusalOf(call)).resolves.toBe('invalid_trigger_id')
    const push = client.views.push({trigger_id: invented, view})
    await expect(refusalOf(push)).resolves.toBe('invalid_trigger_id')
  }
  expect(titlesOf(slack)).toEqual([])
})

test('a view that breaks the schema is refused with pointers, and the trigger stays good', async () => {
  const {slack, client} = await openSlack()
  const trigger_id = await newTrigger(slack)
  const refused = async (view: unknown): Promise<string[]> => {
    const data = await refusalDataOf(client.apiCall('views.open', {trigger_id, view}))
    expect(data.error).toBe('invalid_arguments')
    return data.response_metadata?.messages ?? []
  }
  const all = '[ERROR] failed to match all allowed schemas [json-pointer:/view]'
  const unsubmitted = {...modal('Plan'), submit: undefined}
  const cases: [unknown, string][] = [
    [modal('x'.repeat(25)), 'must be less than 25 characters [json-pointer:/view/title/text]'],
    [
      modal('Plan', {submit: plain('x'.repeat(25))}),
      'must be less than 25 characters [json-pointer:/view/submit/text]',
    ],
    [
      modal('Plan', {close: plain('x'.repeat(25))}),
      'must be less than 25 characters [json-pointer:/view/close/text]',
    ],
    [
      modal('Plan', {private_metadata: 'x'.repeat(3001)}),
      'must be less than 3001 characters [json-pointer:/view/private_metadata]',
    ],
    [
      modal('Plan', {callback_id: 'x'.repeat(256)}),
      'must be less than 256 characters [json-pointer:/view/callback_id]',
    ],
    [
      modal('Plan', {external_id: 'x'.repeat(256)}),
      'must be less than 256 characters [json-pointer:/view/external_id]',
    ],
    [
      modal('Plan', {blocks: Array.from({length: 101}, () => ({type: 'divider' as const}))}),
      'no more than 100 items allowed [json-pointer:/view/blocks]',
    ],
    [unsubmitted, 'missing required field: submit [json-pointer:/view]'],
    [{...modal('Plan'), title: undefined}, 'missing required field: title [json-pointer:/view]'],
    [{...modal('Plan'), size: 1}, 'invalid additional property: size [json-pointer:/view]'],
    [
      {...modal('Plan'), notify_on_close: 1},
      'must be a boolean [json-pointer:/view/notify_on_close]',
    ],
    [home('Home'), 'must be equal to "modal" [json-pointer:/view/type]'],
    [
      modal('Plan', {blocks: [{type: 'markdown', text: 'x'}]}),
      'unsupported type: markdown [json-pointer:/view/blocks/0/type]',
    ],
    [
      {...modal('Plan'), blocks: [{type: 'input', label: plain('Go')}]},
      'missing required field: element [json-pointer:/view/blocks/0]',
    ],
    [
      {
        ...modal('Plan'),
        blocks: [{type: 'input', label: plain('Go'), element: {type: 'button', text: plain('x')}}],
      },
      'unsupported type: button [json-pointer:/view/blocks/0/element/type]',
    ],
    [
      {
        ...modal('Plan'),
        blocks: [
          {
            type: 'input',
            label: plain('x'.repeat(2001)),
            element: {type: 'plain_text_input', max_length: 3001},
          },
        ],
      },
      'must be less than 3001 [json-pointer:/view/blocks/0/element/max_length]',
    ],
  ]
  for (const [view, message] of cases) {
    const messages = await refused(view)
    expect(messages[0]).toBe(all)
    expect(messages).toContain(`[ERROR] ${message}`)
  }
  expect(await refused('{broken')).toEqual(['[ERROR] must provide an object [json-pointer:/view]'])
  expect(await refused(undefined)).toEqual(['[ERROR] missing required field: view'])
  await client.views.open({trigger_id, view: modal('Whole')})
})

test('a view of more than 250 KB is too large, wherever it goes', async () => {
  const {slack, client} = await openSlack()
  const trigger_id = await newTrigger(slack)
  const large = Array.from({length: 90}, () => ({
    type: 'section' as const,
    text: plain('x'.repeat(3000)),
  }))
  const view = modal('Large', {blocks: large})
  await expect(refusalOf(client.views.open({trigger_id, view}))).resolves.toBe('view_too_large')
  await expect(refusalOf(client.views.push({trigger_id, view}))).resolves.toBe('view_too_large')
  const opened = await client.views.open({trigger_id, view: modal('Small')})
  const update = client.views.update({view_id: opened.view?.id ?? '', view})
  await expect(refusalOf(update)).resolves.toBe('view_too_large')
  const publish = client.views.publish({user_id: 'U0JANE', view: {...home(''), blocks: large}})
  await expect(refusalOf(publish)).resolves.toBe('view_too_large')
})

test('the arguments of a view call are checked before anything else', async () => {
  const {slack, client} = await openSlack()
  const view = modal('Plan')
  const messagesOf = async (method: string, args: Record<string, unknown>) => {
    const data = await refusalDataOf(client.apiCall(method, args))
    expect(data.error).toBe('invalid_arguments')
    return data.response_metadata?.messages
  }
  expect(await messagesOf('views.open', {view})).toEqual([
    '[ERROR] missing required field: trigger_id',
  ])
  const both = {trigger_id: '1.2.a', interactivity_pointer: '1.2.a'}
  expect(await messagesOf('views.push', {view, ...both})).toEqual([
    '[ERROR] `trigger_id` and `interactivity_pointer` are mutually exclusive',
  ])
  expect(await messagesOf('views.update', {view})).toEqual([
    '[ERROR] missing required field: view_id or external_id',
  ])
  expect(await messagesOf('views.publish', {view: home('x')})).toEqual([
    '[ERROR] missing required field: user_id',
  ])
  expect(await messagesOf('views.publish', {user_id: 'U0X', view: home('x')})).toEqual([
    '[ERROR] invalid `user_id`',
  ])
  const interactivity_pointer = await newTrigger(slack)
  await client.views.open({interactivity_pointer, view})
  expect(titlesOf(slack)).toEqual(titled('Plan'))
})

test('an update needs the current hash when it names one', async () => {
  const {slack, client} = await openSlack()
  const trigger_id = await newTrigger(slack)
  const {view} = await client.views.open({trigger_id, view: modal('First')})
  const view_id = view?.id ?? ''
  const {hash} = view ?? {}
  const second = await client.views.update({
    view_id,
    view: modal('Second'),
    ...(hash ? {hash} : {}),
  })
  expect(second.view).toMatchObject({id: view_id, title: {text: 'Second'}})
  expect(second.view?.hash).not.toBe(hash)
  const stale = client.views.update({view_id, view: modal('Third'), hash: hash ?? ''})
  await expect(refusalOf(stale)).resolves.toBe('hash_conflict')
  const lost = client.views.update({view_id: 'V0NONE', view: modal('Third')})
  await expect(refusalOf(lost)).resolves.toBe('not_found')
  const nameless = client.views.update({external_id: 'none', view: modal('Third')})
  await expect(refusalOf(nameless)).resolves.toBe('not_found')
  expect(titlesOf(slack)).toEqual(titled('Second'))
})

test('an external id names one view of the workspace', async () => {
  const {slack, client} = await openSlack()
  const view = modal('Mine', {external_id: 'task-1'})
  const opened = await client.views.open({trigger_id: await newTrigger(slack), view})
  await client.views.update({external_id: 'task-1', view: modal('Ours', {external_id: 'task-1'})})
  expect(titlesOf(slack)).toEqual(titled('Ours'))
  const trigger_id = await newTrigger(slack)
  const twice = client.views.open({trigger_id, view})
  await expect(refusalOf(twice)).resolves.toBe('duplicate_external_id')
  const pushed = client.views.push({trigger_id, view})
  await expect(refusalOf(pushed)).resolves.toBe('duplicate_external_id')
  const published = client.views.publish({
    user_id: 'U0KIM',
    view: {...home('x'), external_id: 'task-1'},
  })
  await expect(refusalOf(published)).resolves.toBe('duplicate_external_id')
  await client.views.publish({user_id: 'U0KIM', view: {...home('x'), external_id: 'kim'}})
  const taken = client.views.update({
    view_id: opened.view?.id ?? '',
    view: modal('Theirs', {external_id: 'kim'}),
  })
  await expect(refusalOf(taken)).resolves.toBe('duplicate_external_id')
})

test('a Home view is published again under the same id, guarded by its hash', async () => {
  const {slack, client} = await openSlack()
  const user_id = 'U0JANE'
  const first = await client.views.publish({user_id, view: home('Nothing runs')})
  const hash = first.view?.hash ?? ''
  const second = await client.views.publish({user_id, view: home('One task'), hash})
  expect(second.view).toMatchObject({id: first.view?.id, type: 'home'})
  const stale = client.views.publish({user_id, view: home('Two tasks'), hash})
  await expect(refusalOf(stale)).resolves.toBe('hash_conflict')
  const early = client.views.publish({user_id: 'U0KIM', view: home('Nothing'), hash})
  await expect(refusalOf(early)).resolves.toBe('hash_conflict')
  expect(slack.views(user_id).home?.view).toMatchObject({blocks: [{text: {text: 'One task'}}]})
  expect(slack.views('U0KIM')).toEqual({modals: []})
})

test('what an app without a Home tab or with a profile publishes is refused', async () => {
  const {client} = await openSlack({homeTab: false})
  const user_id = 'U0JANE'
  const publish = client.views.publish({user_id, view: home('x')})
  await expect(refusalOf(publish)).resolves.toBe('not_enabled')
  const profile = (fields: object) =>
    client.apiCall('views.publish', {user_id, view: {type: 'profile', blocks: [], ...fields}})
  await expect(refusalOf(profile({}))).resolves.toBe('missing_profile_id')
  await expect(refusalOf(profile({profile_id: 'P1'}))).resolves.toBe('not_implemented')
})
