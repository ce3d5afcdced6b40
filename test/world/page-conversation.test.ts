import type {Browser, Locator, Page} from 'playwright-core'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {openPage} from '../../local/slack/page/serve.ts'
import {canDrivePages, openBrowser, openChannel, picture} from '../support/browser.ts'
import {JANE, KIM, type World} from '../support/world.ts'
import {startInside} from './open-world.ts'

const SAM = 'U0SAM'
const HOUR_MS = 3_600_000

describe.skipIf(!canDrivePages)('a conversation in the browser', () => {
  let world: World
  let browser: Browser

  beforeAll(async () => {
    world = await startInside({pace: 0.2, page: await openPage()})
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await world[Symbol.asyncDispose]()
  })

  const visit = (as: string, channel = 'C0WEB'): Promise<Page> =>
    openChannel(browser, {origin: world.slack.origin, as, channel})

  /** A page of its own, with the task sent and the Slack thread open beside it. */
  const ask = async (as: string, task: string, channel?: string): Promise<Page> => {
    const page = await visit(as, channel)
    await page.locator('main.channel textarea').fill(`@Bosun ${task}`)
    await page.keyboard.press('Enter')
    await cardIn(page).waitFor()
    return page
  }

  /** The same, and the agent does not come to an end by itself. */
  const askForLong = async (as: string, task: string, channel?: string): Promise<Page> => {
    const steps = [{kind: 'think' as const, delayMs: HOUR_MS}]
    world.platform.control.planScript({when: {text: task}, steps})
    const page = await ask(as, task, channel)
    await cardIn(page).getByText('🔵 Working since').waitFor()
    return page
  }

  /** Somebody else, with the same Slack thread open. */
  const join = async (as: string, task: string, channel?: string): Promise<Page> => {
    const page = await visit(as, channel)
    const root = page.locator('main.channel').getByRole('article').filter({hasText: task})
    await root.getByRole('button', {name: /\d repl/}).click()
    await cardIn(page).waitFor()
    return page
  }

  test('what waits is sent now, once for two clicks, and is ticked off', async () => {
    const page = await askForLong(JANE, 'tidy the shelf')
    await reply(page, 'a quick word: use the staging database')
    const list = listIn(page)
    await list.getByText('“a quick word: use the staging database” · @Jane').waitFor()
    await picture(page, 'conversation-1-waiting')
    await list.getByRole('button', {name: 'Send now'}).dblclick()
    await list.waitFor({state: 'detached'})
    const said = messageIn(page, 'a quick word').first()
    await said.getByRole('button', {name: 'white_check_mark, 1'}).waitFor()
    await messageIn(page, '(answer 2)').waitFor()
    await cardIn(page).getByText('⚪️ Done').waitFor()
    await picture(page, 'conversation-2-sent')
    await expect.poll(() => footIn(page).count()).toBe(0)
    expect(await whispersIn(page)).toEqual([])
    await page.context().close()
  })

  test('what waits is cancelled by who wrote it, and by nobody who did not', async () => {
    const page = await askForLong(JANE, 'sweep the yard')
    await reply(page, 'use the broom')
    await listIn(page).getByText('“use the broom” · @Jane').waitFor()
    await reply(page, 'and mind the cat')
    await listIn(page).getByText('“and mind the cat” · @Jane').waitFor()

    const other = await join(KIM, 'sweep the yard')
    await listIn(other).getByRole('button', {name: 'Cancel'}).first().click()
    const refusal =
      'Only @Jane, who wrote this message and started the work, or an admin can do that.'
    await messageIn(other, refusal).waitFor()
    await other.context().close()

    await listIn(page).getByRole('button', {name: 'Cancel'}).first().click()
    await listIn(page).getByText('“use the broom”').waitFor({state: 'detached'})
    const buttons = listIn(page).locator('.elements').getByRole('button')
    expect(await buttons.allInnerTexts()).toEqual(['Send now', 'Cancel'])
    await listIn(page).getByRole('button', {name: 'Cancel'}).click()
    await listIn(page).waitFor({state: 'detached'})
    await cardIn(page).getByText('🔵 Working since').waitFor()
    await picture(page, 'conversation-3-cancelled')
    await page.context().close()
  })

  test('a question is answered in the modal, and who was too late reads what became of it', async () => {
    const task = 'a question about the old records'
    const page = await ask(JANE, task, 'C0GENERAL')
    const call = messageIn(page, '@Jane Doe, the agent asks you')
    await messageIn(page, 'Which one shall I build, A or B?').waitFor()
    await cardIn(page).getByText('🟠 Needs you').waitFor()
    await expect.poll(() => footIn(page).count()).toBe(0)
    await picture(page, 'conversation-4-needs-you')
    await call.getByRole('button', {name: 'Answer'}).click()
    const form = modalIn(page)
    await form.getByText('Which one shall I build, A or B?').waitFor()
    await form.getByRole('button', {name: 'Send'}).click()
    await form.getByText('Please complete this required field.').waitFor()

    const other = await join(KIM, task, 'C0GENERAL')
    await messageIn(other, 'the agent asks you').getByRole('button', {name: 'Answer'}).click()
    await modalIn(other).getByRole('textbox').fill('quick: A, please')
    await picture(other, 'conversation-5-modal')
    await modalIn(other).getByRole('button', {name: 'Send'}).click()
    await modalIn(other).waitFor({state: 'detached'})
    await messageIn(other, '✅ Answered by @Kim').getByText('@Kim: quick: A, please').waitFor()
    await other.context().close()

    await messageIn(page, '✅ Answered by @Kim').waitFor()
    await messageIn(page, '(answer 2)').waitFor()
    await form.getByRole('textbox').fill('quick: B')
    await form.getByRole('button', {name: 'Send'}).click()
    await form.waitFor({state: 'detached'})
    await messageIn(page, 'Somebody answered before you. Yours went to the agent').waitFor()
    await picture(page, 'conversation-6-answered')
    await page.context().close()
  })

  test('work is stopped and archived after a question, and comes back', async () => {
    const task = 'rewrite the refund page'
    const page = await askForLong(JANE, task)
    await reply(page, 'use the new colours')
    await listIn(page).waitFor()
    await chooseIn(page, 'Archive')
    const question = modalIn(page)
    await question.getByText('It is still working.').waitFor()
    await question.getByText('1 message is still waiting for it. Stopping holds it back.').waitFor()
    await picture(page, 'conversation-7-question')
    await question.getByRole('button', {name: 'Back'}).click()
    await question.waitFor({state: 'detached'})
    await cardIn(page).getByText('🔵 Working since').waitFor()

    const other = await join(KIM, task)
    await chooseIn(other, 'Archive')
    await modalIn(other).getByText('It is still working.').waitFor()

    await chooseIn(page, 'Archive')
    await question.getByRole('radio', {name: 'Archive, let it finish'}).waitFor()
    await question.getByRole('button', {name: 'Archive', exact: true}).click()
    await question.waitFor({state: 'detached'})
    await cardIn(page).getByText('📦 Archived · ⏹ Stopped by @Jane').waitFor()
    await listIn(page).waitFor({state: 'detached'})
    await picture(page, 'conversation-8-archived')

    // Whoever had the question open as well finds it done.
    await modalIn(other).getByRole('button', {name: 'Archive', exact: true}).click()
    await modalIn(other).waitFor({state: 'detached'})
    await cardIn(other).getByText('📦 Archived · ⏹ Stopped by @Jane').waitFor()
    await other.context().close()

    await cardIn(page).getByRole('button', {name: 'Unarchive'}).click()
    await cardIn(page).getByText('⚪️ Done').or(cardIn(page).getByText('⏹ Stopped')).waitFor()
    await page.context().close()
  })

  test('the form of new work takes what is typed at once, as its task, and offers the models that are known', async () => {
    // One that the platform has named is known from then on.
    const first = await world.say('@Bosun a quick check of the keyboard')
    await world.settled(first)
    const page = await visit(JANE)
    await page.locator('main.channel textarea').fill('/bosun new')
    await page.keyboard.press('Enter')
    const task = modalIn(page).getByLabel('What should be done?')
    await task.waitFor()
    await expect.poll(() => task.evaluate((it) => it === document.activeElement)).toBe(true)
    await page.keyboard.type('a quick look at the keyboard')
    expect(await task.inputValue()).toBe('a quick look at the keyboard')

    const menu = modalIn(page).getByRole('combobox', {name: 'Model'})
    await menu.click()
    await page.keyboard.type('stand')
    const known = page.getByRole('option', {name: 'standard', exact: true})
    await known.waitFor()
    await picture(page, 'conversation-12-models')
    await known.click()
    await modalIn(page).getByRole('button', {name: 'Start'}).click()
    await modalIn(page).waitFor({state: 'detached'})
    await expect
      .poll(() => world.requests().map(({body}) => body))
      .toContainEqual(expect.objectContaining({model: {modelId: 'standard'}}))
    await page.context().close()
  })

  test('tasks stand as a plan, and a look inside reads what was said in one', async () => {
    const page = await ask(KIM, 'split the rounding into tasks')
    const plan = messageIn(page, 'Look inside')
    await plan.getByText('Tasks · 5 of 5 done').waitFor()
    await plan.getByText('2.2.1 Look at the templates').waitFor()
    await picture(page, 'conversation-9-plan')
    await plan.getByRole('button', {name: 'Look inside'}).click()
    const list = modalIn(page)
    const cart = list.locator('.section').filter({hasText: '2.1 Change the cart'})
    await cart.getByRole('button', {name: 'Messages'}).click()
    await list.getByText('Agent told it').waitFor()
    await list.getByText('Move the rounding of src/cart to one place.').waitFor()
    await list.getByText('src/cart rounds once now.').waitFor()
    await picture(page, 'conversation-10-task')
    await list.getByRole('button', {name: 'Follow this task'}).click()
    await list.getByText('Here it is:').waitFor()
    await list.getByRole('button', {name: 'Back'}).click()
    await cart.waitFor()
    await list.getByRole('button', {name: 'Close', exact: true}).click()
    const head = page.locator('main.channel').getByRole('article')
    await head.filter({hasText: 'a task of the agent’s, followed here for @Kim'}).waitFor()
    await page.context().close()
  })

  test('App Home lists one’s own work with its buttons, and keeps what one chooses', async () => {
    const asked = await world.say('@Bosun a question about taxes', {as: SAM})
    const quick = await world.say('@Bosun a quick check', {as: SAM})
    const failed = await world.say('@Bosun fail at the build', {as: SAM})
    for (const place of [asked, quick, failed]) await world.settled(place)
    const running = await askForLong(SAM, 'paint the fence')
    await running.locator('nav').getByText('Bosun').click()
    await running.getByRole('tab', {name: 'Home'}).click()
    const home = running.getByRole('tabpanel')
    const row = (title: string): Locator => home.locator('.section').filter({hasText: title})
    await row('a question about taxes')
      .getByText(/🟠 Needs you since [^·]+ · in #web · Slack thread/)
      .waitFor()
    await row('fail at the build').getByText('🔴 Failed').waitFor()
    await row('paint the fence').getByText('🔵 Working since').waitFor()
    await row('a quick check').getByText('⚪️ Done').waitFor()
    expect(await home.getByRole('heading').allInnerTexts()).toEqual([
      ...['🟠 Needs you', '🔵 Running', '⚪️ Done today', '⚙️ My defaults', '🔔 How I am notified'],
    ])
    await picture(running, 'conversation-11-home')

    await home.getByRole('button', {name: 'Stop'}).click()
    await home.getByText('Nothing is running.').waitFor()
    await home.getByRole('button', {name: 'Answer'}).click()
    await modalIn(running).getByRole('textbox').fill('quick: A')
    await modalIn(running).getByRole('button', {name: 'Send'}).click()
    await modalIn(running).waitFor({state: 'detached'})
    await home.getByRole('button', {name: 'Answer'}).waitFor({state: 'detached'})

    await row('When to mention me').getByRole('combobox').click()
    await running.getByRole('option', {name: 'Quiet'}).click()
    await row('When to mention me')
      .getByText(/when work needs me or failed$/)
      .waitFor()
    await picture(running, 'conversation-12-home')
    await running.context().close()
  })
})

function threadIn(page: Page): Locator {
  return page.locator('aside.thread')
}

function messageIn(page: Page, words: string): Locator {
  return threadIn(page).getByRole('article').filter({hasText: words})
}

/** The first message of the bot says how the work stands. */
function cardIn(page: Page): Locator {
  return threadIn(page).locator('article[aria-label^="Bosun at"]').first()
}

function listIn(page: Page): Locator {
  return messageIn(page, '⏳ Waiting for the agent’s current work to end')
}

/** Slack's own line below a Slack thread in which an agent works. */
function footIn(page: Page): Locator {
  return threadIn(page).getByText('is working…')
}

function whispersIn(page: Page): Promise<string[]> {
  return messageIn(page, 'Only visible to you').allInnerTexts()
}

/** The topmost one. */
function modalIn(page: Page): Locator {
  return page.locator('dialog.modal:not(.is-below)')
}

async function reply(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', {name: 'Reply in thread'}).fill(text)
  await page.keyboard.press('Enter')
}

async function chooseIn(page: Page, entry: string): Promise<void> {
  await cardIn(page).locator('.overflow').getByRole('button', {name: 'More actions'}).click()
  await cardIn(page).getByRole('menuitem', {name: entry, exact: true}).click()
}
