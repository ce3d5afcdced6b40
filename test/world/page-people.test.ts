import {App, SocketModeReceiver} from '@slack/bolt'
import type {Browser, Locator, Page} from 'playwright-core'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import type {PageServer} from '../../local/slack/options.ts'
import {openPage} from '../../local/slack/page/serve.ts'
import {startLocalSlack, type LocalSlack} from '../../local/slack/server.ts'
import {quiet} from '../local/slack/slack-fixture.ts'
import {canDrivePages, openBrowser, openChannel, picture} from '../support/browser.ts'

const jane = 'U0JANE'
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

describe.skipIf(!canDrivePages)('what people do on the page', () => {
  let pages: PageServer
  let slack: LocalSlack
  let app: App
  let browser: Browser
  let chosen: Record<string, string>[]

  beforeAll(async () => {
    pages = await openPage()
    slack = await startLocalSlack({
      page: pages,
      teams: [{id: 'T0GLOBEX', name: 'Globex'}],
      commands: [
        {command: '/bosun', description: 'Everything that Bosun can do', usageHint: 'new | status'},
        {command: '/mute', description: 'Answered by nobody'},
      ],
      shortcuts: [
        {type: 'message', callbackId: 'send', name: 'Send to Bosun', description: 'Start work'},
        {type: 'global', callbackId: 'task', name: 'New task', description: 'Start work'},
      ],
    })
    chosen = []
    app = await answer(slack, chosen)
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await app.stop()
    await slack.close()
  })

  const visit = async (channel: string, as = jane): Promise<Page> => {
    const page = await openChannel(browser, {origin: slack.origin, as, channel})
    return page
  }

  test('completes names and channels, and sends them as Slack does', async () => {
    const page = await visit('C0GENERAL')
    await fieldOf(page).pressSequentially('@ki')
    const people = page.getByRole('listbox', {name: 'Mention someone'})
    await people.getByRole('option', {name: 'Kim Lee'}).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.type('look at #ran')
    await page.keyboard.press('Tab')
    await page.keyboard.type(':tad')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    const sent = messageOf(page, 'look at')
    await sent.getByText('🎉').waitFor()
    expect(slack.messages('C0GENERAL').at(-1)?.text).toBe(
      '<@U0KIM> look at <#C0RANDOM|random> :tada:',
    )
    await page.context().close()
  })

  test('runs commands, and says in Slack’s words why one failed', async () => {
    const page = await visit('C0GENERAL')
    await fieldOf(page).pressSequentially('/bo')
    await page.getByRole('option', {name: '/bosun'}).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.type('status')
    await page.keyboard.press('Enter')
    await messageOf(page, 'Heard: status').getByText('Only visible to you').waitFor()

    await say(page, '/mute now')
    await alertOf(page, '/mute failed with the error "operation_timeout"').waitFor()
    await say(page, '/nothing')
    await alertOf(page, '/nothing is not a valid command.').waitFor()
    await picture(page, 'people-commands')

    await messageOf(page, 'Heard: status').getByRole('button', {name: 'Dismiss message'}).click()
    await messageOf(page, 'Heard: status').waitFor({state: 'detached'})

    const {ts} = await slack.people.post({as: 'U0KIM', channel: 'C0GENERAL', text: 'a root'})
    await messageOf(page, 'a root').hover()
    await messageOf(page, 'a root').getByRole('button', {name: 'Reply in thread'}).click()
    await page.getByRole('textbox', {name: 'Reply in thread'}).fill('/bosun stop')
    await page.keyboard.press('Enter')
    await alertOf(page, '/bosun is not supported in threads. Sorry!').waitFor()
    expect(slack.messages('C0GENERAL', ts)).toHaveLength(1)
    await page.context().close()
  })

  test('edits with the arrow, reacts, and deletes after a question', async () => {
    const page = await visit('C0WEB')
    await say(page, 'a frist draft')
    const draft = messageOf(page, 'a frist draft')
    await draft.waitFor()
    await page.keyboard.press('ArrowUp')
    const editor = page.getByRole('textbox', {name: 'Edit message'})
    await editor.fill('never mind')
    await page.keyboard.press('Escape')
    await draft.waitFor()
    await expect.poll(() => isFocused(fieldOf(page))).toBe(true)

    await page.keyboard.press('ArrowUp')
    await editor.fill('a first draft')
    await page.keyboard.press('Enter')
    const edited = messageOf(page, 'a first draft')
    await edited.getByText('(edited)').waitFor()

    await edited.hover()
    await edited.getByRole('button', {name: 'Add reaction'}).click()
    await page.getByRole('searchbox', {name: 'Search emoji'}).fill('rocket')
    await page.keyboard.press('Enter')
    const rocket = edited.getByRole('button', {name: 'rocket, 1'})
    await rocket.waitFor()
    expect(await rocket.getAttribute('title')).toBe('You reacted with :rocket:')
    await rocket.click()
    await rocket.waitFor({state: 'detached'})

    await openMenu(page, edited)
    await picture(page, 'people-menu')
    await page.getByRole('menuitem', {name: 'Delete message…'}).click()
    await page.getByRole('dialog').getByRole('button', {name: 'Delete'}).click()
    await edited.waitFor({state: 'detached'})
    await page.context().close()
  })

  test('starts the shortcuts of apps from a message and from the composer', async () => {
    const page = await visit('C0WEB')
    await say(page, 'something broke')
    const message = messageOf(page, 'something broke')
    await openMenu(page, message)
    await page.keyboard.press('ArrowDown')
    await page.getByRole('menuitem', {name: 'Send to Bosun'}).press('Enter')
    await page.getByRole('button', {name: 'Shortcuts'}).click()
    await page.getByRole('menuitem', {name: 'New task'}).click()
    await expect
      .poll(() => chosen)
      .toEqual([{message: 'send', text: 'something broke'}, {global: 'task'}])
    await page.context().close()
  })

  test('sends files with a preview, and shows them', async () => {
    const page = await visit('C0WEB')
    await page.getByLabel('Files', {exact: true}).setInputFiles([
      {name: 'plan.png', mimeType: 'image/png', buffer: png},
      {name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('four')},
      {name: 'wrong.txt', mimeType: 'text/plain', buffer: Buffer.from('no')},
    ])
    await page.getByRole('button', {name: 'Remove wrong.txt'}).click()
    await say(page, 'see these')
    const message = messageOf(page, 'see these')
    await expect
      .poll(() =>
        message.getByRole('img', {name: 'plan.png'}).evaluate((image: HTMLImageElement) => {
          return image.naturalWidth
        }),
      )
      .toBe(1)
    await message.getByText('Plain text · 4 bytes').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      message.getByRole('link', {name: 'Download notes.txt'}).click(),
    ])
    expect(download.suggestedFilename()).toBe('notes.txt')
    await picture(page, 'people-files')
    await page.context().close()
  })

  test('makes a channel, invites the app, leaves; another one joins', async () => {
    const page = await visit('C0WEB')
    await page.getByRole('button', {name: 'Browse channels'}).click()
    await page.getByRole('button', {name: 'Create a channel'}).click()
    await page.getByRole('textbox', {name: 'Name'}).fill('Plan Budget')
    await page.getByLabel('Add Bosun').uncheck()
    await page.getByRole('button', {name: 'Create', exact: true}).click()
    await fieldOf(page, '#plan-budget').waitFor()
    await page.getByRole('button', {name: 'Add Bosun'}).click()
    await page.getByRole('button', {name: '2 members: details'}).click()
    await picture(page, 'people-details')

    const kim = await visit('C0WEB', 'U0KIM')
    await kim.getByRole('button', {name: 'Browse channels'}).click()
    await kim.getByRole('button', {name: 'Join #plan-budget'}).click()
    await fieldOf(kim, '#plan-budget').waitFor()
    await page.getByRole('list', {name: 'Members'}).getByText('Kim Lee').waitFor()

    await page.getByRole('button', {name: 'Leave channel'}).click()
    await page.getByRole('link', {name: '#plan-budget'}).waitFor({state: 'detached'})
    await page.context().close()
    await kim.context().close()
  })

  test('goes everywhere by keyboard, and knows what is new there', async () => {
    const page = await visit('C0GENERAL', 'U0SAM')
    await page.getByRole('link', {name: '#random'}).waitFor()
    await slack.people.post({as: jane, channel: 'C0RANDOM', text: 'news for <@U0SAM>'})
    await page.getByRole('link', {name: '#random'}).getByText('1').waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('rand')
    await page.keyboard.press('Enter')
    await page.getByRole('separator', {name: 'New messages'}).waitFor()
    await page.keyboard.press('Alt+ArrowUp')
    await fieldOf(page, '#web').waitFor()
    await page.keyboard.press('Alt+ArrowDown')

    const news = messageOf(page, 'news for')
    await openMenu(page, news)
    await page.keyboard.press('u')
    await page.getByRole('link', {name: '#random'}).getByText('1').waitFor()

    const {id} = await slack.people.createChannel({
      name: 'sam--kim--bosun',
      kind: 'group_dm',
      memberIds: ['U0SAM', 'U0KIM', slack.botUserId],
    })
    await slack.people.post({as: 'U0KIM', channel: id, text: 'the three of us'})
    await page
      .getByRole('link', {name: 'Bosun, Kim Lee'})
      .or(page.getByRole('link', {name: 'Kim Lee, Bosun'}))
      .getByText('1')
      .waitFor()

    await news.getByRole('button', {name: 'Jane Doe'}).click()
    await page.getByRole('dialog', {name: 'Jane Doe'}).getByText('Workspace admin').waitFor()
    await picture(page, 'people-card')
    await page.keyboard.press('Escape')
    expect(await isFocused(news.getByRole('button', {name: 'Jane Doe'}))).toBe(true)
    await page.context().close()
  })

  test('changes to another workspace, and writes there', async () => {
    const page = await visit('C0WEB')
    const workspaces = page.getByRole('navigation', {name: 'Workspaces'})
    await workspaces.getByRole('link', {name: 'Globex'}).click()
    await page.getByText('No app is installed in this workspace yet.').waitFor()
    await say(page, 'hello Globex')
    await messageOf(page, 'hello Globex').waitFor()
    expect(new URL(page.url()).searchParams.get('team')).toBe('T0GLOBEX')
    expect(slack.messages('C0GENERAL').map(({text}) => text)).not.toContain('hello Globex')
    await page.context().close()
  })
})

/** An app as anybody would write it with Slack's own library. */
async function answer(slack: LocalSlack, chosen: Record<string, string>[]): Promise<App> {
  const clientOptions = {slackApiUrl: slack.apiUrl}
  const receiver = new SocketModeReceiver({
    appToken: slack.appToken,
    logger: quiet,
    installerOptions: {clientOptions},
  })
  const {botToken: token, botUserId} = slack
  const app = new App({receiver, token, botId: 'B0BOSUN', botUserId, logger: quiet, clientOptions})
  app.command('/bosun', async ({ack, command}) => ack(`Heard: ${command.text}`))
  app.shortcut('send', async ({ack, shortcut}) => {
    const text = 'message' in shortcut ? (shortcut.message.text ?? '') : ''
    chosen.push({message: shortcut.callback_id, text})
    await ack()
  })
  app.shortcut('task', async ({ack, shortcut}) => {
    chosen.push({global: shortcut.callback_id})
    await ack()
  })
  await app.start()
  return app
}

function fieldOf(page: Page, place = ''): Locator {
  return page.getByRole('main').getByRole('textbox', {name: `Message ${place}`})
}

function messageOf(page: Page, text: string): Locator {
  return page.getByRole('main').getByRole('article').filter({hasText: text})
}

function alertOf(page: Page, text: string): Locator {
  return page.getByRole('alert').filter({hasText: text})
}

async function say(page: Page, text: string): Promise<void> {
  await fieldOf(page).fill(text)
  await page.keyboard.press('Enter')
}

async function openMenu(page: Page, message: Locator): Promise<void> {
  await message.hover()
  await message.getByRole('button', {name: 'More actions'}).click()
  await page.getByRole('menu', {name: 'More actions'}).waitFor()
}

function isFocused(element: Locator): Promise<boolean> {
  return element.evaluate((one) => one === document.activeElement)
}
