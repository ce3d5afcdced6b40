import type {App, SlackViewAction, ViewResponseAction} from '@slack/bolt'
import type {ModalView} from '@slack/types'
import type {LocalSlackOptions} from '../../../local/slack/options.ts'
import type {LocalSlack} from '../../../local/slack/server.ts'
import {connectApp, openSlack} from './slack-fixture.ts'

export const jane = {as: 'U0JANE'}

export const plain = (text: string) => ({type: 'plain_text' as const, text})

export const option = (value: string) => ({text: plain(value), value})

/** A modal with one text to fill in; fields given replace its own. */
export function modal(title: string, fields: Partial<ModalView> = {}): ModalView {
  return {
    type: 'modal',
    callback_id: 'form',
    title: plain(title),
    submit: plain('Save'),
    blocks: [
      {
        type: 'input',
        block_id: 'goal',
        label: plain('Goal'),
        element: {type: 'plain_text_input', action_id: 'text'},
      },
    ],
    ...fields,
  }
}

/** The `trigger_id` of a global shortcut that nobody has answered. */
export async function newTrigger(slack: LocalSlack, callbackId = 'open_form'): Promise<string> {
  await slack.people.shortcut({...jane, callbackId})
  return slack.ledger.deliveries.at(-1)?.key ?? ''
}

export function titlesOf(slack: LocalSlack): unknown[] {
  return slack.views('U0JANE').modals.map(({view}) => view['title'])
}

export const titled = (...titles: string[]) => titles.map((text) => ({...plain(text), emoji: true}))

/** A Slack in which a shortcut opens this modal. */
export async function openModal(
  view: ModalView,
  {
    connect = connectApp,
    options = {},
  }: {connect?: typeof connectApp; options?: LocalSlackOptions} = {},
) {
  const {slack, client} = await openSlack(options)
  const {app} = await connect(slack)
  app.shortcut('open_form', async ({ack, body}) => {
    await client.views.open({trigger_id: body.trigger_id, view})
    await ack()
  })
  await slack.people.shortcut({...jane, callbackId: 'open_form'})
  const filled = {goal: {text: 'Fix the build'}}
  return {slack, client, app, people: slack.people, filled}
}

/** The app answers each submission with the next of these. */
export function answerWith(app: App, ...answers: (ViewResponseAction | undefined)[]) {
  const bodies: SlackViewAction[] = []
  app.view('form', async ({ack, body}) => {
    bodies.push(body)
    const answer = answers.shift()
    await (answer === undefined ? ack() : ack(answer))
  })
  return bodies
}
