import type {BlockAction} from '@slack/bolt'
import type {KnownBlock} from '@slack/types'
import {expect, test} from 'vitest'
import {connectApp, openSlack} from './slack-fixture.ts'
import {answerWith, jane, modal, openModal, option, plain} from './views-fixture.ts'

const place = {...jane, channel: 'C0WEB'}

const blocks: KnownBlock[] = [
  {
    type: 'input',
    block_id: 'answer',
    label: plain('Answer'),
    element: {type: 'plain_text_input', action_id: 'text'},
  },
  {
    type: 'input',
    block_id: 'when',
    label: plain('When'),
    dispatch_action: true,
    element: {type: 'datepicker', action_id: 'day', initial_date: '2026-12-01'},
  },
  {
    type: 'actions',
    block_id: 'row',
    elements: [
      {type: 'multi_static_select', action_id: 'tags', options: [option('a'), option('b')]},
      {type: 'users_select', action_id: 'who'},
      {type: 'button', action_id: 'go', value: 'p7', text: plain('Go')},
    ],
  },
]

async function postForm() {
  const {slack, client} = await openSlack()
  const {app} = await connectApp(slack)
  const bodies: BlockAction[] = []
  app.action<BlockAction>(/.*/, async ({ack, body}) => {
    bodies.push(body)
    await ack()
  })
  const {ts = ''} = await client.chat.postMessage({channel: 'C0WEB', text: 'A form', blocks})
  return {slack, client, bodies, ts, people: slack.people, target: {...place, ts}}
}

test('what is typed in a message goes along with the next press, for that member alone', async () => {
  const {bodies, people, target} = await postForm()
  await expect(people.press({...target, actionId: 'text', value: 'Yes'})).resolves.toBe('kept')
  expect(bodies).toEqual([])
  await expect(people.press({...target, actionId: 'go'})).resolves.toBe('acked')
  expect(bodies[0]).toMatchObject({
    actions: [{type: 'button', action_id: 'go', value: 'p7'}],
    state: {
      values: {
        answer: {text: {type: 'plain_text_input', value: 'Yes'}},
        when: {day: {type: 'datepicker', selected_date: '2026-12-01'}},
        row: {
          tags: {type: 'multi_static_select', selected_options: []},
          who: {type: 'users_select', selected_user: null},
        },
      },
    },
  })
  expect(bodies[0]?.state?.values['row']).not.toHaveProperty('go')
  await people.press({...target, as: 'U0KIM', actionId: 'go', values: {row: {who: 'U0SAM'}}})
  expect(bodies[1]?.state?.values).toMatchObject({
    answer: {text: {value: null}},
    row: {who: {selected_user: 'U0SAM'}},
  })
})

test('choices in a message are told at once, each as Slack writes it', async () => {
  const {bodies, people, target} = await postForm()
  await people.press({...target, actionId: 'day', value: '2026-12-24'})
  await people.press({...target, actionId: 'tags', value: ['b']})
  await people.press({...target, actionId: 'who', value: 'U0KIM'})
  expect(bodies.map(({actions}) => actions[0])).toMatchObject([
    {type: 'datepicker', selected_date: '2026-12-24'},
    {type: 'multi_static_select', selected_options: [{value: 'b'}]},
    {type: 'users_select', selected_user: 'U0KIM'},
  ])
  expect(bodies[2]?.state?.values).toMatchObject({
    when: {day: {selected_date: '2026-12-24'}},
    row: {tags: {selected_options: [{value: 'b'}]}, who: {selected_user: 'U0KIM'}},
  })
})

test('an update of the message keeps what was entered where block and action stay', async () => {
  const {client, bodies, people, target, ts} = await postForm()
  await people.press({...target, actionId: 'text', value: 'Yes'})
  const [, ...others] = blocks
  const renamed: KnownBlock = {
    type: 'input',
    block_id: 'answer-2',
    label: plain('Answer'),
    element: {type: 'plain_text_input', action_id: 'text'},
  }
  await client.chat.update({channel: 'C0WEB', ts, text: 'Same', blocks})
  await people.press({...target, actionId: 'go'})
  await client.chat.update({channel: 'C0WEB', ts, text: 'New', blocks: [renamed, ...others]})
  await people.press({...target, actionId: 'go'})
  expect(bodies[0]?.state?.values).toMatchObject({answer: {text: {value: 'Yes'}}})
  expect(bodies[1]?.state?.values).toMatchObject({'answer-2': {text: {value: null}}})
})

test('a press in a view carries what else was entered there', async () => {
  const button = {type: 'button' as const, action_id: 'more', text: plain('More')}
  const form = modal('New task')
  const view = {...form, blocks: [...form.blocks, {type: 'actions' as const, elements: [button]}]}
  const {app, people, filled} = await openModal(view)
  const values: unknown[] = []
  app.action<BlockAction>('more', async ({ack, body}) => {
    values.push(body.view?.state.values)
    await ack()
  })
  await people.useView({...jane, actionId: 'more', values: filled})
  expect(values).toMatchObject([{goal: {text: {value: 'Fix the build'}}}])
})

test('several searches of an external select add up, and a choice can be taken back', async () => {
  const element = {type: 'multi_external_select' as const, action_id: 'a', min_query_length: 0}
  const {slack, app, people} = await openModal(
    modal('Pick', {
      blocks: [
        {type: 'input', block_id: 'many', label: plain('Many'), element},
        {type: 'input', block_id: 'other', label: plain('Other'), element},
        {
          type: 'section',
          block_id: 'one',
          text: plain('One'),
          accessory: {type: 'static_select', action_id: 's', options: [option('x')]},
        },
      ],
    }),
  )
  app.options('a', async ({ack, payload}) => ack({options: [option(payload.value)]}))
  app.action('s', async ({ack}) => ack())
  const many = {...jane, blockId: 'many', actionId: 'a'}
  await people.searchOptions({...many, query: 'api'})
  await people.useView({...many, value: ['api']})
  await people.searchOptions({...many, query: 'web'})
  await people.useView({...many, value: ['api', 'web']})
  await expect(people.useView({...many, blockId: 'other', value: ['web']})).rejects.toThrow('only')
  await people.useView({...jane, actionId: 's', value: 'x'})
  await people.useView({...jane, actionId: 's', value: ''})
  expect(slack.views('U0JANE').modals[0]?.view['state']).toMatchObject({
    values: {
      many: {a: {selected_options: [{value: 'api'}, {value: 'web'}]}},
      one: {s: {selected_option: null}},
    },
  })
})

test('files and formatted text are submitted as Slack writes them', async () => {
  const input = {type: 'input' as const, label: plain('Label')}
  const {slack, app, people} = await openModal(
    modal('Attach', {
      blocks: [
        {...input, block_id: 'files', element: {type: 'file_input', action_id: 'f'}},
        {...input, block_id: 'notes', element: {type: 'rich_text_input', action_id: 'n'}},
      ],
    }),
  )
  const bodies = answerWith(app, undefined)
  const content = new TextEncoder().encode('one line')
  const id = await people.attachFile({...jane, actionId: 'f', name: 'log.txt', content})
  const wrong = people.attachFile({...jane, actionId: 'n', name: 'log.txt', content})
  await expect(wrong).rejects.toThrow('takes no files')
  await people.submitView({...jane, values: {files: {f: [id]}, notes: {n: 'See the log'}}})
  expect(bodies[0]?.view.state.values).toMatchObject({
    files: {f: {type: 'file_input', files: [{id, name: 'log.txt', size: 8, user: 'U0JANE'}]}},
    notes: {
      n: {
        rich_text_value: {
          type: 'rich_text',
          elements: [{type: 'rich_text_section', elements: [{type: 'text', text: 'See the log'}]}],
        },
      },
    },
  })
  expect(slack.views('U0JANE').modals).toEqual([])
})

const wrongEntries: [string, object, string, string][] = [
  ['an address without @', {type: 'email_text_input'}, 'jane', 'valid email address'],
  ['a link without a host', {type: 'url_text_input'}, 'readme', 'valid URL'],
  ['letters for a number', {type: 'number_input', is_decimal_allowed: true}, 'ten', 'a number'],
  ['a part of a number', {type: 'number_input', is_decimal_allowed: false}, '1.5', 'whole number'],
  [
    'too little',
    {type: 'number_input', is_decimal_allowed: true, min_value: '2'},
    '1.5',
    '2 or more',
  ],
  [
    'too much',
    {type: 'number_input', is_decimal_allowed: false, max_value: '9'},
    '10',
    '9 or less',
  ],
]

test.for(wrongEntries)('Slack itself refuses %s', async ([, fields, value, said]) => {
  const element = {action_id: 'a', ...fields}
  const block = {type: 'input', block_id: 'b', label: plain('Label'), element}
  const {slack, people} = await openModal({...modal('Form'), blocks: [block]})
  await expect(people.submitView({...jane, values: {b: {a: value}}})).resolves.toBe('incomplete')
  expect(slack.views('U0JANE').modals[0]?.errors['b']).toContain(said)
})
