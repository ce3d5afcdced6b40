import {mkdir} from 'node:fs/promises'
import {join} from 'node:path'
import {parseArgs} from 'node:util'
import {WebClient} from '@slack/web-api'
import type {Browser, Page} from 'playwright-core'
import {openPage} from '../local/slack/page/serve.ts'
import {startLocalSlack, type LocalSlack} from '../local/slack/server.ts'
import {openBrowser, openChannel} from '../test/support/browser.ts'
import {startTourApp} from './tour-app.ts'

/** A walk through the local page with a picture at every stop: light and dark, wide and on a phone. */

const {values: options} = parseArgs({options: {out: {type: 'string', default: '.tour'}}})
const as = 'U0JANE'
const channel = 'C0WEB'
const looks = [
  {width: 1300, height: 900},
  {width: 390, height: 844},
].flatMap((viewport) =>
  (['light', 'dark'] as const).map((colorScheme) => ({viewport, colorScheme})),
)

await main()

async function main(): Promise<void> {
  await using opened = new AsyncDisposableStack()
  await mkdir(options.out, {recursive: true})
  const browser = await openBrowser()
  opened.defer(() => browser.close())
  const page = await openPage()
  for (const look of looks) {
    await using slack = await startLocalSlack({
      page,
      rateScale: Infinity,
      agent: {view: 'agent_view', stopEvent: 'subscribed'},
      commands: [
        {command: '/bosun', description: 'Everything about your agents', usageHint: 'help | new'},
        {command: '/review', description: 'Review a pull request', usageHint: '<PR url>'},
      ],
      shortcuts: [
        {
          type: 'message',
          callbackId: 'send_to_bosun',
          name: 'Send to Bosun',
          description: 'Start a task',
        },
        {type: 'global', callbackId: 'send_to_bosun', name: 'New task', description: 'Start one'},
      ],
    })
    const app = await startTourApp(slack)
    await walk(browser, slack, look)
    await app.stop()
  }
  console.log(`The pictures are in ${options.out}.`)
}

async function walk(browser: Browser, slack: LocalSlack, look: (typeof looks)[number]) {
  const name = `${look.viewport.width}-${look.colorScheme}`
  const client = new WebClient(slack.botToken, {slackApiUrl: slack.apiUrl})
  const threadTs = await fill(slack, client)
  const page = await openChannel(browser, {origin: slack.origin, as, channel}, look)
  let count = 0
  const take = async (what: string): Promise<void> => {
    count += 1
    const path = join(options.out, `${name}-${String(count).padStart(2, '0')}-${what}.png`)
    await page.waitForTimeout(350) // what moves comes to rest
    await page.screenshot({path})
  }
  await take('channel')
  await visitComposer(page, take)
  await visitShortcut(page, take)
  await visitThread(page, {slack, client, threadTs}, take)
  await page.goto(`${slack.origin}/?as=${as}&channel=D0JANE&tab=home`)
  await page.getByText('Needs you').waitFor()
  await take('home')
  await page.goto(`${slack.origin}/?as=${as}&channel=${channel}&traffic=1`)
  await page.getByText('views.publish').first().waitFor()
  await take('traffic')
  await page.context().close()
}

type Take = (what: string) => Promise<void>

async function visitComposer(page: Page, take: Take): Promise<void> {
  const composer = page.locator('main.channel textarea')
  await composer.fill('@')
  await composer.press('End')
  await page.getByRole('listbox').waitFor()
  await take('composer-mention')
  await composer.fill('')
  await composer.pressSequentially('/')
  await page.getByRole('listbox').waitFor()
  await take('composer-command')
  await composer.fill('/bosun halp')
  await composer.press('Enter')
  await page.getByText('Did you mean').waitFor()
  await take('ephemeral')
}

async function visitShortcut(page: Page, take: Take): Promise<void> {
  const message = page.getByRole('article').filter({hasText: '10.005'}).first()
  await message.hover()
  await message.getByRole('button', {name: 'More actions'}).click()
  await page.getByRole('menuitem', {name: /Send to Bosun/}).waitFor()
  await take('shortcut')
  await page.getByRole('menuitem', {name: /Send to Bosun/}).click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  await take('modal')
  await dialog.getByRole('textbox', {name: 'What should be done?'}).fill('Fix it')
  await dialog.getByRole('button', {name: 'Start'}).click()
  await dialog.getByText('Say a little more about it.').waitFor()
  await take('modal-error')
  await dialog.getByRole('button', {name: 'Cancel'}).click()
}

async function visitThread(
  page: Page,
  {slack, client, threadTs}: {slack: LocalSlack; client: WebClient; threadTs: string},
  take: Take,
): Promise<void> {
  await page.goto(`${slack.origin}/?as=${as}&channel=${channel}&thread=${threadTs}`)
  await page.locator('aside.thread textarea').waitFor()
  const place = {channel_id: channel, thread_ts: threadTs}
  await client.apiCall('agents.sessions.setStatus', {...place, status: 'processing'})
  await client.assistant.threads.setStatus({...place, status: 'is reading the tests…'})
  await take('thread-status')
  const stream = await client.chat.startStream({
    ...{channel, thread_ts: threadTs, recipient_user_id: as, recipient_team_id: slack.teamId},
    task_display_mode: 'plan',
    chunks: [
      {type: 'plan_update', title: 'Fix the rounding of prices'},
      {
        type: 'task_update',
        id: 'a',
        title: 'Read cart.ts',
        status: 'complete',
        output: '3 places round.',
      },
      {type: 'task_update', id: 'b', title: 'Round once, at the end', status: 'in_progress'},
      {type: 'task_update', id: 'c', title: 'Run the tests', status: 'pending'},
      {type: 'markdown_text', text: 'Prices are rounded **three times** on their way'},
    ],
  })
  await page.getByText('Round once, at the end').waitFor()
  await take('live-stream')
  const end =
    ' into the cart.\n\n| place | before | after |\n|---|--:|--:|\n| item | 10.00 | 10.01 |\n'
  await client.chat.stopStream({
    ...{channel, ts: stream.ts ?? ''},
    chunks: [
      {type: 'task_update', id: 'b', title: 'Round once, at the end', status: 'complete'},
      {type: 'task_update', id: 'c', title: 'Run the tests', status: 'error', details: '1 failed'},
      {type: 'markdown_text', text: end},
    ],
  })
  await page.getByText('10.01').waitFor()
  await take('stream-done')
}

/** A conversation as a team has it; answers the message whose thread the agent works in. */
async function fill(slack: LocalSlack, client: WebClient): Promise<string> {
  await slack.people.post({as: 'U0SAM', channel, text: 'Morning! Is anybody at the *cart*?'})
  const shown = await slack.people.post({
    as: 'U0KIM',
    channel,
    text: 'The cart shows 10.005 € as 10.00 €. See `round()` in cart.ts :thinking_face:',
    files: [{name: 'cart.ts', content: 'export const round = (n: number) => n\n'}],
  })
  await slack.people.react({as, channel, ts: shown.ts, name: 'eyes'})
  const asked = await slack.people.post({as, channel, text: '@Bosun fix the rounding of prices'})
  await client.reactions.add({channel, timestamp: asked.ts, name: 'eyes'})
  await client.chat.postMessage({
    channel,
    thread_ts: asked.ts,
    text: 'Fix the rounding of prices: working',
    blocks: [
      {
        type: 'section',
        text: {type: 'mrkdwn', text: '*Fix the rounding of prices* · 🔵 Working since 14:03'},
      },
      {
        type: 'context',
        elements: [{type: 'mrkdwn', text: 'web · fast · asked by <@U0JANE> · 14 steps · $0.84'}],
      },
      {
        type: 'actions',
        elements: [
          {
            type: 'button',
            action_id: 'stop',
            text: {type: 'plain_text', text: 'Stop'},
            style: 'danger',
          },
          {type: 'button', action_id: 'open', text: {type: 'plain_text', text: 'Open'}},
        ],
      },
    ],
  })
  return asked.ts
}
