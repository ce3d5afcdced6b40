import type {WebClient} from '@slack/web-api'
import type {Browser, Locator, Page} from 'playwright-core'
import {afterAll, beforeAll, describe, expect, onTestFinished, test} from 'vitest'
import type {LocalSlackOptions, PageServer} from '../../../../local/slack/options.ts'
import {openPage} from '../../../../local/slack/page/serve.ts'
import type {LocalSlack} from '../../../../local/slack/server.ts'
import {canDrivePages, openBrowser, openChannel} from '../../../support/browser.ts'
import {connectApp, openSlack} from '../slack-fixture.ts'

const as = 'U0JANE'
const channel = 'C0WEB'

describe.skipIf(!canDrivePages)('what apps show', () => {
  let server: PageServer
  let browser: Browser

  beforeAll(async () => {
    server = await openPage()
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser.close()
  })

  /** A Slack of its own, and the page on one of its channels; nothing may go wrong in its console. */
  const open = async (options: LocalSlackOptions = {}) => {
    const {slack, client} = await openSlack({rateScale: Infinity, page: server, ...options})
    const show = async (place = channel): Promise<Page> => {
      const shown = await openChannel(browser, {origin: slack.origin, as, channel: place})
      const errors: string[] = []
      shown.on('pageerror', ({message}) => errors.push(message))
      shown.on('console', (line) => line.type() === 'error' && errors.push(line.text()))
      onTestFinished(async () => {
        await shown.context().close()
        expect(errors).toEqual([])
      })
      return shown
    }
    return {slack, client, show}
  }

  test('a list follows its end, and never moves under a person who reads further up', async () => {
    const {client, show} = await open()
    const grow = [await editable(client)]
    for (let index = 0; index < 30; index++) {
      await client.chat.postMessage({channel, text: `Message ${index}\nof two lines`})
    }
    grow.push(await editable(client))
    const page = await show()
    const last = page.getByRole('article').last()
    for (let lines = 5; lines <= 30; lines += 5) {
      await grow[1]?.(lines)
      await last.getByText(`line ${lines - 1}`, {exact: true}).waitFor()
      await expect.poll(() => distanceToEnd(page)).toBeLessThan(2)
    }

    const read = page.getByRole('article').filter({hasText: 'Message 18'})
    await read.scrollIntoViewIfNeeded()
    await page.getByRole('button', {name: 'Jump to the newest'}).waitFor()
    await settled(read)
    const before = await topOf(read)
    await grow[1]?.(60) // below the view
    await grow[0]?.(40) // above it
    await page.getByText('line 39', {exact: true}).first().waitFor({state: 'attached'})
    await page.getByText('line 59', {exact: true}).waitFor({state: 'attached'})
    await settled(read)
    expect(Math.abs((await topOf(read)) - before)).toBeLessThan(2)
  })

  test('tasks of a stream grow in place, and its end leaves no cursor behind', async () => {
    const {slack, client, show} = await open()
    const {ts} = await slack.people.post({as, channel, text: 'please'})
    const page = await show()
    await page.goto(`${page.url()}&thread=${ts}`)
    const stream = await client.chat.startStream({
      ...{channel, thread_ts: ts, recipient_team_id: slack.teamId, recipient_user_id: as},
      task_display_mode: 'plan',
      chunks: [
        {type: 'plan_update', title: 'Mend the login'},
        {type: 'task_update', id: 'read', title: 'Read the code', status: 'in_progress'},
      ],
    })
    const at = {channel, ts: stream.ts ?? ''}
    const plan = page.getByRole('button', {name: /Mend the login/})
    await plan.waitFor()
    await page.getByRole('listitem').getByRole('img', {name: 'In progress'}).waitFor()
    await client.chat.appendStream({
      ...at,
      chunks: [
        {
          type: 'task_update',
          id: 'read',
          title: 'Read it',
          status: 'complete',
          output: 'In auth.ts',
        },
        {type: 'markdown_text', text: 'It was **one** line'},
      ],
    })
    const task = page.getByRole('button', {name: /Read it/})
    await task.click()
    await page.getByText('In auth.ts').waitFor()
    expect(await task.getByRole('img', {name: 'Complete'}).count()).toBe(1)
    expect(await page.locator('.is-streaming').count()).toBe(1)
    await client.chat.stopStream(at)
    await expect.poll(() => page.locator('.is-streaming').count()).toBe(0)
    expect(await task.getAttribute('aria-expanded')).toBe('true')
  })

  test('a stream that its app never ended says so', async () => {
    const {slack, client, show} = await open({timeFactor: 0.003})
    const {ts} = await slack.people.post({as, channel, text: 'please'})
    const page = await show()
    await page.goto(`${page.url()}&thread=${ts}`)
    await client.chat.startStream({
      ...{channel, thread_ts: ts, recipient_team_id: slack.teamId, recipient_user_id: as},
      markdown_text: 'I am about to',
    })
    await page.getByText('This message was not finished').waitFor()
  })

  test('what is pressed in cards and containers reaches the app, and tables have pages', async () => {
    const {slack, client, show} = await open()
    const {app} = await connectApp(slack)
    const pressed: string[] = []
    app.action(/.*/, async ({ack, action}) => {
      await ack()
      pressed.push('value' in action ? (action.value ?? '') : action.type)
    })
    await client.chat.postMessage({channel, text: 'All of it', blocks: blocksToPress})
    const page = await show()
    await page.getByRole('button', {name: 'Review it'}).click()
    await expect.poll(() => pressed).toEqual(['review'])

    const container = page.getByRole('button', {name: /Further things/})
    expect(await page.getByRole('button', {name: 'Inside'}).count()).toBe(0)
    await container.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', {name: 'Inside'}).click()
    await expect.poll(() => pressed).toEqual(['review', 'inside'])

    const good = page.getByRole('button', {name: 'Good answer'})
    await good.click()
    await expect.poll(() => pressed).toEqual(['review', 'inside', 'up'])
    expect(await good.getAttribute('aria-pressed')).toBe('true')

    const table = page.getByRole('group', {name: 'Usage', exact: true})
    expect(await table.getByRole('row').count()).toBe(3)
    await page.getByRole('button', {name: 'Next page'}).click()
    expect(await table.getByRole('rowheader').allInnerTexts()).toEqual(['kim', 'sam'])
    expect(await page.getByRole('button', {name: 'Next page'}).isDisabled()).toBe(true)
  })

  test('an agent tells what it does, can be stopped and renamed, and offers prompts', async () => {
    const {slack, client, show} = await open({agent: {view: 'agent_view', stopEvent: 'subscribed'}})
    await connectApp(slack)
    const {ts} = await slack.people.post({as, channel, text: 'please'})
    const thread = {channel_id: channel, thread_ts: ts}
    const page = await show()
    await page.goto(`${page.url()}&thread=${ts}`)
    const session = {...thread, status: 'processing', title: 'Login', initiator_user_id: as}
    await client.apiCall('agents.sessions.setStatus', session)
    await client.assistant.threads.setStatus({...thread, status: 'is reading the code…'})
    await page.getByRole('status').filter({hasText: 'Bosun is reading the code…'}).waitFor()
    await page.getByRole('button', {name: 'Stop the agent'}).click()
    await expect.poll(() => eventsIn(slack)).toContain('agent_session_stopped')

    await page.getByRole('button', {name: 'Rename the thread'}).click()
    await page.getByRole('textbox', {name: 'Name of the thread'}).fill('Login and logout')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', {name: 'Login and logout'}).waitFor()
    await expect.poll(() => eventsIn(slack)).toContain('agent_session_title_changed')

    await slack.people.post({as, channel: 'D0JANE', text: 'hello'})
    const prompts = [{title: 'Mend a bug', message: 'Mend the login bug'}]
    await client.assistant.threads.setSuggestedPrompts({channel_id: 'D0JANE', prompts})
    const direct = await show('D0JANE')
    await direct.getByRole('button', {name: 'Mend a bug'}).click()
    await expect
      .poll(() => slack.messages('D0JANE').map(({text}) => text))
      .toContain('Mend the login bug')
  })

  test('the traffic shows what went wrong, and goes away by keyboard', async () => {
    const {client, show} = await open()
    await client.chat.postMessage({channel, text: 'All is well'})
    await client.chat.postMessage({channel: 'C0NONE', text: 'lost'}).catch(() => undefined)
    const page = await show()
    const toggle = page.getByRole('button', {name: 'Traffic', exact: true})
    await toggle.focus()
    await page.keyboard.press('Enter')
    const panel = page.getByRole('complementary', {name: 'Traffic'})
    await panel.getByRole('button', {name: 'Call chat.postMessage: ok'}).waitFor()
    await panel.getByRole('button', {name: 'Errors'}).click()
    const lines = panel.getByRole('listitem')
    await expect.poll(() => lines.count()).toBe(1)
    await lines.getByRole('button', {name: /channel_not_found/}).click()
    await panel.getByText('"C0NONE"').waitFor()

    await panel.getByRole('button', {name: 'All', exact: true}).click()
    await panel.getByRole('searchbox', {name: 'Filter the traffic'}).fill('users.info')
    await expect.poll(() => lines.count()).toBe(0)
    await client.users.info({user: as})
    await expect.poll(() => lines.count()).toBe(1)
    await page.reload()
    await panel.waitFor() // it is in the address
    await panel.getByRole('button', {name: 'Close the traffic'}).click()
    await panel.waitFor({state: 'detached'})
    await toggle.press('Enter')
    await panel.waitFor()
    await page.keyboard.press('Escape')
    await panel.waitFor({state: 'detached'})
    expect(await toggle.evaluate((element) => element === document.activeElement)).toBe(true)
  })
})

const plain = (text: string) => ({type: 'plain_text' as const, text})
const raw = (text: string) => ({type: 'raw_text' as const, text})
const button = (value: string, text: string) => ({
  ...{type: 'button' as const, action_id: value, value, text: plain(text)},
})
const blocksToPress = [
  {
    type: 'card' as const,
    title: {type: 'mrkdwn' as const, text: 'acme/web#12'},
    actions: [button('review', 'Review it')],
  },
  {
    type: 'container' as const,
    title: plain('Further things'),
    is_collapsible: true,
    default_collapsed: true,
    child_blocks: [{type: 'actions' as const, elements: [button('inside', 'Inside')]}],
  },
  {
    type: 'data_table' as const,
    caption: 'Usage',
    page_size: 2,
    rows: ['who', 'jane', 'bob', 'kim', 'sam'].map((name) => [raw(name), raw('1')]),
  },
  {
    type: 'context_actions' as const,
    elements: [
      {
        type: 'feedback_buttons' as const,
        action_id: 'feedback',
        positive_button: {text: plain('Good answer'), value: 'up'},
        negative_button: {text: plain('Bad answer'), value: 'down'},
      },
    ],
  },
]

/** Posts a message and gives what makes it that many lines long. */
async function editable(client: WebClient): Promise<(lines: number) => Promise<unknown>> {
  const {ts = ''} = await client.chat.postMessage({channel, text: 'It grows'})
  return (lines) => {
    const text = Array.from({length: lines}, (_none, index) => `line ${index}`).join('\n\n')
    return client.chat.update({channel, ts, markdown_text: text})
  }
}

function distanceToEnd(page: Page): Promise<number> {
  return page
    .locator('main .messages')
    .evaluate(({scrollHeight, scrollTop, clientHeight}) => scrollHeight - scrollTop - clientHeight)
}

async function topOf(element: Locator): Promise<number> {
  return (await element.boundingBox())?.y ?? NaN
}

/** Two frames later at the same place. */
async function settled(element: Locator): Promise<void> {
  await expect
    .poll(() =>
      element.evaluate(async (node) => {
        const before = node.getBoundingClientRect().top
        for (let frame = 0; frame < 4; frame++) await new Promise(requestAnimationFrame)
        return Math.abs(node.getBoundingClientRect().top - before)
      }),
    )
    .toBe(0)
}

function eventsIn(slack: LocalSlack): unknown[] {
  return slack.ledger.deliveries.map(({payload}) => {
    const {event} = payload
    return typeof event === 'object' && event !== null && 'type' in event ? event.type : undefined
  })
}
