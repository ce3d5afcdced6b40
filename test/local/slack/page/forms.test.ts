import type {App, BlockAction, SlackViewAction} from '@slack/bolt'
import type {HomeView, KnownBlock, ModalView} from '@slack/types'
import type {WebClient} from '@slack/web-api'
import type {Browser, Locator, Page} from 'playwright-core'
import {afterAll, beforeAll, describe, expect, onTestFinished, test} from 'vitest'
import type {LocalSlackOptions, PageServer} from '../../../../local/slack/options.ts'
import {openPage} from '../../../../local/slack/page/serve.ts'
import type {LocalSlack} from '../../../../local/slack/server.ts'
import {canDrivePages, openBrowser, openChannel, picture} from '../../../support/browser.ts'
import {connectApp, openSlack} from '../slack-fixture.ts'
import {modal, option, plain} from '../views-fixture.ts'

interface Scene {
  slack: LocalSlack
  client: WebClient
  app: App
  page: Page
  /** What the browser complained about. */
  complaints: string[]
}

const button = (text: string, actionId: string) => ({
  type: 'button' as const,
  action_id: actionId,
  text: plain(text),
})

const input = (blockId: string, label: string, element: object) =>
  ({type: 'input', block_id: blockId, label: plain(label), element}) as KnownBlock

const task: ModalView = modal('New task', {
  blocks: [
    input('goal', 'Goal', {type: 'plain_text_input', action_id: 'text'}),
    input('size', 'Size', {
      type: 'static_select',
      action_id: 'size',
      options: [option('small'), option('large')],
    }),
    {type: 'actions', block_id: 'row', elements: [button('Details', 'details')]},
  ],
})

describe.skipIf(!canDrivePages)('forms in the browser', () => {
  let server: PageServer
  let browser: Browser
  beforeAll(async () => {
    server = await openPage()
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser.close()
  })

  const open = async (channel: string, options: LocalSlackOptions = {}): Promise<Scene> => {
    const {slack, client} = await openSlack({
      page: server,
      rateScale: Infinity,
      // What is looked at here is the page: the app may be slower than Slack allows.
      timeFactor: 5,
      ...options,
    })
    const {app} = await connectApp(slack)
    const page = await openChannel(browser, {origin: slack.origin, as: 'U0JANE', channel})
    onTestFinished(() => page.context().close())
    page.setDefaultTimeout(30_000)
    const complaints: string[] = []
    page.on('console', (said) => {
      if (said.type() === 'error' || said.type() === 'warning') complaints.push(said.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    return {slack, client, app, page, complaints}
  }
  const openTask = async (options: LocalSlackOptions = {}) => {
    const scene = await open('C0WEB', options)
    const {app, client, page} = scene
    app.action('new', async ({ack, body}) => {
      await ack()
      const trigger_id = 'trigger_id' in body ? body.trigger_id : ''
      await client.views.open({trigger_id, view: task})
    })
    const blocks = [{type: 'actions' as const, elements: [button('New task', 'new')]}]
    await client.chat.postMessage({channel: 'C0WEB', text: 'Bosun', blocks})
    const opener = page.getByRole('button', {name: 'New task'})
    const dialog = page.getByRole('dialog', {name: 'New task'})
    return {...scene, opener, dialog, goal: dialog.getByRole('textbox', {name: 'Goal'})}
  }

  test('what is wrong stands under its field until it is put right', async () => {
    const {app, page, opener, dialog, goal, complaints} = await openTask()
    const bodies: SlackViewAction[] = []
    app.view('form', async ({ack, body}) => {
      bodies.push(body)
      const isShort = body.view.state.values['goal']?.['text']?.value === 'Fix'
      await (isShort ? ack({response_action: 'errors', errors: {goal: 'Say more.'}}) : ack())
    })
    await opener.click()
    await expectFocus(goal)
    await goal.fill('Fix')
    await dialog.getByRole('button', {name: 'Save'}).click()
    await dialog.getByText('Please complete this required field.').waitFor()
    expect(bodies).toEqual([])
    await expectFocus(dialog.getByRole('combobox', {name: 'Size'}))
    await dialog.getByRole('combobox', {name: 'Size'}).click()
    await dialog.getByRole('option', {name: 'large'}).click()
    await dialog.getByRole('button', {name: 'Save'}).click()
    await dialog.getByRole('alert').getByText('Say more.').waitFor()
    await expectFocus(goal)
    await picture(page, 'forms-1-error')
    await goal.fill('Fix the build')
    await expect.poll(() => dialog.getByText('Say more.').count()).toBe(0)
    await dialog.getByRole('button', {name: 'Save'}).click()
    await dialog.waitFor({state: 'detached'})
    await expectFocus(opener)
    expect(bodies.at(-1)?.view.state.values).toMatchObject({
      goal: {text: {value: 'Fix the build'}},
      size: {size: {selected_option: {value: 'large'}}},
    })
    expect(complaints).toEqual([])
  })

  test('the keyboard is enough, and Escape closes the innermost thing', async () => {
    const {app, page, opener, dialog, goal} = await openTask()
    const sent: unknown[] = []
    app.view('form', async ({ack, view}) => {
      sent.push(view.state.values)
      await ack()
    })
    await opener.focus()
    await page.keyboard.press('Enter')
    await expectFocus(goal)
    await page.keyboard.type('Sort')
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowDown')
    await dialog.getByRole('option', {name: 'small'}).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => dialog.getByRole('option').count()).toBe(0)
    await page.keyboard.type('lar')
    await page.keyboard.press('Enter')
    await expect.poll(() => dialog.getByRole('combobox', {name: 'Size'}).inputValue()).toBe('large')
    await page.keyboard.press('Control+Enter')
    await dialog.waitFor({state: 'detached'})
    expect(sent).toMatchObject([{goal: {text: {value: 'Sort'}}}])
    await expectFocus(opener)
    // A pressed button rests for a while.
    await expect.poll(() => opener.getAttribute('aria-busy')).toBe('false')
    await page.keyboard.press('Enter')
    await expectFocus(goal)
    await page.keyboard.press('Escape')
    await dialog.waitFor({state: 'detached'})
  })

  test('a modal on a modal hides it, and what was typed below stays', async () => {
    const {app, client, page, opener, dialog, goal} = await openTask()
    const seen: unknown[] = []
    app.action<BlockAction>('details', async ({ack, body}) => {
      await ack()
      seen.push(body.view?.state.values['goal']?.['text']?.value)
      const view = {...modal('Details'), close: plain('Back')}
      await client.views.push({trigger_id: body.trigger_id, view})
    })
    await opener.click()
    await goal.fill('Sort the invoices')
    await dialog.getByRole('button', {name: 'Details'}).click()
    const top = page.getByRole('dialog', {name: 'Details'})
    await top.waitFor()
    expect(seen).toEqual(['Sort the invoices'])
    expect(await dialog.isVisible()).toBe(false)
    await top.getByRole('button', {name: 'Back'}).click()
    await top.waitFor({state: 'detached'})
    expect(await goal.inputValue()).toBe('Sort the invoices')
    await expect.poll(() => dialog.getByRole('button', {name: 'Details'}).isVisible()).toBe(true)
    await dialog.getByRole('button', {name: 'Details'}).click()
    await top.getByRole('button', {name: 'Close all'}).click()
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  })

  test('an update leaves what was typed, and a silent app says to try again', async () => {
    const {slack, client, page, opener, dialog, goal} = await openTask({timeFactor: 1})
    await opener.click()
    await goal.fill('Sort')
    const {id = ''} = slack.views('U0JANE').modals[0] ?? {}
    await client.views.update({view_id: id, view: {...task, title: plain('Newer task')}})
    const newer = page.getByRole('dialog', {name: 'Newer task'})
    const field = newer.getByRole('textbox', {name: 'Goal'})
    expect(await field.inputValue()).toBe('Sort')
    await expectFocus(field)
    await newer.getByRole('combobox', {name: 'Size'}).click()
    await newer.getByRole('option', {name: 'small'}).click()
    await page.keyboard.press('Control+Enter')
    await expect
      .poll(() => newer.getByRole('button', {name: 'Save'}).getAttribute('aria-busy'))
      .toBe('true')
    await newer.getByText('We had some trouble connecting. Try again?').waitFor()
    expect(await field.inputValue()).toBe('Sort')
    await picture(page, 'forms-2-silent')
    expect(await dialog.count()).toBe(0)
  })

  test('an external select asks the app for what is typed', async () => {
    const {slack, client, app, page} = await open('C0WEB')
    app.options('repo', async ({ack, payload}) => {
      const found = ['acme/web', 'acme/api'].filter((name) => name.includes(payload.value))
      await ack({options: found.map((name) => option(name))})
    })
    const chosen: unknown[] = []
    app.action('all', async ({ack}) => ack())
    app.action('repo', async ({ack, payload}) => {
      await ack()
      chosen.push(payload)
    })
    const repo = {type: 'external_select' as const, action_id: 'repo', min_query_length: 2}
    const text = {...input('note', 'Note', {type: 'plain_text_input', action_id: 'text'})}
    const boxes = {type: 'checkboxes' as const, action_id: 'all', options: [option('all')]}
    const blocks = [text, {type: 'actions' as const, block_id: 'row', elements: [repo, boxes]}]
    await client.chat.postMessage({channel: 'C0WEB', text: 'Where?', blocks})
    await page.getByRole('textbox', {name: 'Note'}).fill('soon')
    await page.getByRole('checkbox', {name: 'all'}).check()
    const select = page.getByRole('combobox', {name: 'Select an option'})
    await select.pressSequentially('a')
    await page.getByText('Type one more letter to search').waitFor()
    await select.fill('zz')
    await page.getByText('No results').waitFor()
    await select.fill('ap')
    await page.getByRole('option', {name: 'acme/api'}).click()
    await expect.poll(() => chosen).toMatchObject([{selected_option: {value: 'acme/api'}}])
    expect(await select.inputValue()).toBe('acme/api')
    expect(slack.ledger.deliveries.at(-1)?.payload).toMatchObject({
      state: {
        values: {note: {text: {value: 'soon'}}, row: {all: {selected_options: [{value: 'all'}]}}},
      },
    })
  })

  test('every kind of input says what was entered', async () => {
    const {slack, client, app, page, complaints} = await open('C0WEB')
    const bodies: SlackViewAction[] = []
    app.view('form', async ({ack, body}) => {
      bodies.push(body)
      await ack()
    })
    const options = [option('small'), option('large')]
    const blocks = [
      input('many', 'Many', {type: 'multi_static_select', action_id: 'a', options}),
      input('who', 'Who', {type: 'multi_users_select', action_id: 'a', initial_users: ['U0KIM']}),
      input('where', 'Where', {type: 'conversations_select', action_id: 'a'}),
      input('size', 'Size', {type: 'radio_buttons', action_id: 'a', options}),
      input('boxes', 'Boxes', {type: 'checkboxes', action_id: 'a', options}),
      input('day', 'Day', {type: 'datepicker', action_id: 'a'}),
      input('hour', 'Hour', {type: 'timepicker', action_id: 'a', initial_time: '09:30'}),
      input('notes', 'Notes', {type: 'rich_text_input', action_id: 'a', focus_on_load: true}),
      input('files', 'Files', {type: 'file_input', action_id: 'a', max_files: 1}),
    ]
    app.shortcut('form', async ({ack, body}) => {
      await client.views.open({trigger_id: body.trigger_id, view: modal('Form', {blocks})})
      await ack()
    })
    await slack.people.shortcut({as: 'U0JANE', callbackId: 'form'})
    const form = page.getByRole('dialog', {name: 'Form'})
    await expectFocus(form.getByRole('textbox', {name: 'Notes'}))
    await page.keyboard.type('See the log')
    const choose = async (name: string, words: string): Promise<void> => {
      await form.getByRole('combobox', {name}).fill(words)
      await page.keyboard.press('Enter')
    }
    await choose('Many', 'large')
    await choose('Many', 'small')
    await form.getByRole('button', {name: 'Remove large'}).click()
    await choose('Who', 'sam')
    await choose('Where', 'rand')
    await form.getByRole('radio', {name: 'large'}).check()
    await form.getByRole('checkbox', {name: 'small'}).check()
    await form.getByLabel('Day').fill('2026-12-24')
    const file = {name: 'log.txt', mimeType: 'text/plain', buffer: Buffer.from('one line')}
    await form.locator('input[type="file"]').setInputFiles(file)
    await form.getByRole('button', {name: 'Remove log.txt'}).waitFor()
    await form.getByRole('button', {name: 'Save'}).click()
    await form.waitFor({state: 'detached'})
    expect(bodies[0]?.view.state.values).toMatchObject({
      many: {a: {selected_options: [{value: 'small'}]}},
      who: {a: {selected_users: ['U0KIM', 'U0SAM']}},
      where: {a: {selected_conversation: 'C0RANDOM'}},
      size: {a: {selected_option: {value: 'large'}}},
      boxes: {a: {selected_options: [{value: 'small'}]}},
      day: {a: {selected_date: '2026-12-24'}},
      hour: {a: {selected_time: '09:30'}},
      notes: {a: {rich_text_value: {elements: [{elements: [{text: 'See the log'}]}]}}},
      files: {a: {files: [{name: 'log.txt', size: 8}]}},
    })
    expect(complaints).toEqual([])
  })

  test('the Home of an app is published anew when a button in it is pressed', async () => {
    const {client, app, page, complaints} = await open('D0JANE')
    const opened: string[] = []
    app.event('app_home_opened', async ({event}) => {
      opened.push(event.tab ?? '')
    })
    const homeOf = (count: number): HomeView => ({
      type: 'home',
      blocks: [
        {type: 'header', text: plain(`Needs you: ${count}`)},
        {type: 'actions', block_id: 'row', elements: [button('Refresh', 'refresh')]},
      ],
    })
    app.action('refresh', async ({ack}) => {
      await ack()
      await client.views.publish({user_id: 'U0JANE', view: homeOf(2)})
    })
    await page.getByRole('tab', {name: 'Home'}).click()
    await page.getByText('has not put anything here yet').waitFor()
    await expect.poll(() => opened).toContain('home')
    await client.views.publish({user_id: 'U0JANE', view: homeOf(1)})
    const home = page.getByRole('tabpanel', {name: 'Home of Bosun'})
    await home.getByRole('heading', {name: 'Needs you: 1'}).waitFor()
    await home.getByRole('button', {name: 'Refresh'}).click()
    await home.getByRole('heading', {name: 'Needs you: 2'}).waitFor()
    await picture(page, 'forms-3-home')
    await page.reload()
    await home.getByRole('heading', {name: 'Needs you: 2'}).waitFor()
    await page.getByRole('tab', {name: 'Home'}).focus()
    await page.keyboard.press('ArrowRight')
    await page.getByRole('textbox', {name: 'Message Bosun'}).waitFor()
    await expectFocus(page.getByRole('tab', {name: 'Messages'}))
    expect(complaints).toEqual([])
  })
})

async function expectFocus(locator: Locator): Promise<void> {
  const focused = (element: Element): string => {
    const {activeElement} = element.ownerDocument
    return element === activeElement ? 'this' : String(activeElement?.outerHTML.slice(0, 300))
  }
  await expect.poll(() => locator.evaluate(focused)).toBe('this')
}
