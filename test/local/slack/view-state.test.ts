import {expect, test} from 'vitest'
import {answerWith, jane, modal, openModal, option, plain, titlesOf} from './views-fixture.ts'

test('a form that is not filled in as it asks is not sent', async () => {
  const {slack, people} = await openModal(
    modal('New task', {
      blocks: [
        ...modal('').blocks,
        {
          type: 'input',
          block_id: 'why',
          optional: true,
          label: plain('Why'),
          element: {type: 'plain_text_input', action_id: 'text', min_length: 3, max_length: 5},
        },
      ],
    }),
  )
  const deliveries = slack.ledger.deliveries.length
  const submit = (why: string) => people.submitView({...jane, values: {why: {text: why}}})
  const errors = () => slack.views('U0JANE').modals[0]?.errors
  await expect(submit('')).resolves.toBe('incomplete')
  expect(errors()).toEqual({goal: 'Please complete this required field.'})
  await submit('ab')
  expect(errors()).toMatchObject({why: 'Must be at least 3 characters.'})
  await submit('abcdef')
  expect(errors()).toMatchObject({why: 'Must be no more than 5 characters.'})
  expect(slack.ledger.deliveries).toHaveLength(deliveries)
})

test('what was entered survives an update where block and action stay', async () => {
  const {slack, client, app, people, filled} = await openModal(modal('New task'))
  await people.useView({...jane, blockId: 'goal', actionId: 'text', value: 'Fix'})
  const id = slack.views('U0JANE').modals[0]?.id ?? ''
  const {view} = await client.views.update({view_id: id, view: modal('Same fields')})
  expect(view).toMatchObject({state: {values: {goal: {text: {value: 'Fix'}}}}})
  const renewed = modal('New fields', {
    blocks: [
      {
        type: 'input',
        block_id: 'goal-2',
        label: plain('Goal'),
        element: {type: 'plain_text_input', action_id: 'text', initial_value: 'Anew'},
      },
    ],
  })
  await client.views.update({view_id: id, view: renewed})
  const state = slack.views('U0JANE').modals[0]?.view['state']
  expect(state).toEqual({values: {'goal-2': {text: {type: 'plain_text_input', value: 'Anew'}}}})
  app.view('form', async ({ack}) => {
    await client.views.update({view_id: id, view: modal('While submitting')})
    await ack()
  })
  await expect(people.submitView({...jane, values: filled})).rejects.toThrow('shows nothing')
  await people.submitView(jane)
  expect(titlesOf(slack)).toEqual([])
})

test('every kind of choice stands in the state as Slack writes it', async () => {
  const {slack, app, people} = await openModal(
    modal('Choices', {
      blocks: [
        {
          type: 'input',
          block_id: 'who',
          label: plain('Who'),
          element: {type: 'multi_users_select', action_id: 'a'},
        },
        {
          type: 'input',
          block_id: 'when',
          label: plain('When'),
          element: {type: 'datetimepicker', action_id: 'a', initial_date_time: 1_700_000_000},
        },
        {
          type: 'input',
          block_id: 'how',
          label: plain('How'),
          element: {type: 'checkboxes', action_id: 'a', options: [option('x'), option('y')]},
        },
        {
          type: 'input',
          block_id: 'where',
          label: plain('Where'),
          element: {type: 'conversations_select', action_id: 'a', response_url_enabled: true},
        },
        {
          type: 'section',
          block_id: 'which',
          text: plain('Which'),
          accessory: {type: 'static_select', action_id: 'b', options: [option('x'), option('y')]},
        },
      ],
    }),
  )
  const state = () => slack.views('U0JANE').modals[0]?.view['state']
  expect(state()).toEqual({
    values: {
      who: {a: {type: 'multi_users_select', selected_users: []}},
      when: {a: {type: 'datetimepicker', selected_date_time: 1_700_000_000}},
      how: {a: {type: 'checkboxes', selected_options: []}},
      where: {a: {type: 'conversations_select', selected_conversation: null}},
      which: {b: {type: 'static_select', selected_option: null}},
    },
  })
  answerWith(app, {response_action: 'errors', errors: {who: 'Not Kim.'}})
  await people.submitView({
    ...jane,
    values: {
      who: {a: ['U0KIM', 'U0SAM']},
      when: {a: '1800000000'},
      how: {a: ['y']},
      where: {a: 'C0WEB'},
      which: {b: 'x'},
    },
  })
  expect(state()).toMatchObject({
    values: {
      who: {a: {selected_users: ['U0KIM', 'U0SAM']}},
      when: {a: {selected_date_time: 1_800_000_000}},
      how: {a: {selected_options: [{value: 'y'}]}},
      where: {a: {selected_conversation: 'C0WEB'}},
      which: {b: {selected_option: {value: 'x'}}},
    },
  })
  expect(slack.ledger.deliveries.at(-1)?.payload).toMatchObject({
    type: 'view_submission',
    response_urls: [
      {
        block_id: 'where',
        action_id: 'a',
        channel_id: 'C0WEB',
        response_url: expect.stringContaining('/response/') as unknown,
      },
    ],
  })
  const wrong = people.useView({...jane, actionId: 'b', value: 'z'})
  await expect(wrong).rejects.toThrow('no option "z", only: x, y')
})
