import {App, LogLevel, SocketModeReceiver} from '@slack/bolt'
import type {AnyBlock, ModalView} from '@slack/types'
import type {LocalSlack} from '../local/slack/server.ts'

const plain = (text: string) => ({type: 'plain_text' as const, text})

const taskForm: ModalView = {
  type: 'modal',
  callback_id: 'task',
  title: plain('Start a task'),
  submit: plain('Start'),
  close: plain('Cancel'),
  blocks: [
    {
      type: 'section',
      text: {type: 'mrkdwn', text: '> The cart shows 10.005 € as 10.00 €.\n> _Kim in #web_'},
    },
    {
      type: 'input',
      block_id: 'task',
      label: plain('What should be done?'),
      hint: plain('One sentence is enough.'),
      element: {type: 'plain_text_input', action_id: 'text', multiline: true},
    },
    {
      type: 'input',
      block_id: 'project',
      label: plain('Project'),
      element: {
        type: 'static_select',
        action_id: 'project',
        initial_option: {text: plain('web'), value: 'web'},
        options: ['web', 'api', 'docs'].map((name) => ({text: plain(name), value: name})),
      },
    },
    {
      type: 'input',
      block_id: 'with',
      optional: true,
      label: plain('Take along'),
      element: {
        type: 'checkboxes',
        action_id: 'with',
        options: [
          {text: plain('This message'), value: 'message'},
          {text: plain('The whole thread'), value: 'thread'},
        ],
      },
    },
  ],
}

const homeBlocks: AnyBlock[] = [
  {type: 'header', text: plain('Needs you')},
  {
    type: 'section',
    text: {type: 'mrkdwn', text: '*Fix the rounding* · web\nWhich price counts, net or gross?'},
    accessory: {type: 'button', action_id: 'answer', style: 'primary', text: plain('Answer')},
  },
  {type: 'divider'},
  {type: 'header', text: plain('Running')},
  {
    type: 'section',
    text: {type: 'mrkdwn', text: '*Update the docs* · docs · 🔵 Working since 14:03'},
    accessory: {type: 'button', action_id: 'stop', text: plain('Stop')},
  },
  {type: 'context', elements: [{type: 'mrkdwn', text: 'Nothing else is going on today.'}]},
]

/** What the tour meets: an app with a modal, a Home, commands and shortcuts. */
export async function startTourApp(slack: LocalSlack): Promise<{stop: () => Promise<void>}> {
  const clientOptions = {slackApiUrl: slack.apiUrl}
  const receiver = new SocketModeReceiver({
    appToken: slack.appToken,
    logLevel: LogLevel.ERROR,
    installerOptions: {clientOptions},
  })
  const app = new App({token: slack.botToken, logLevel: LogLevel.ERROR, clientOptions, receiver})
  app.command('/bosun', async ({ack, command, respond}) => {
    await ack()
    await respond(`Nothing is called *${command.text}*. Did you mean \`/bosun help\`?`)
  })
  app.shortcut('send_to_bosun', async ({ack, body, client}) => {
    await ack()
    await client.views.open({trigger_id: body.trigger_id, view: taskForm})
  })
  app.view('task', async ({ack, view}) => {
    const text = view.state.values['task']?.['text']?.value ?? ''
    if (text.length > 10) await ack()
    else await ack({response_action: 'errors', errors: {task: 'Say a little more about it.'}})
  })
  app.event('app_home_opened', async ({event, client}) => {
    if (event.tab !== 'home') return
    await client.views.publish({user_id: event.user, view: {type: 'home', blocks: homeBlocks}})
  })
  await app.start()
  return {stop: () => receiver.client.disconnect()}
}
