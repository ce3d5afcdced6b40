import {fromMarkdown} from 'mdast-util-from-markdown'
import {gfmFromMarkdown} from 'mdast-util-gfm'
import {gfm} from 'micromark-extension-gfm'
import type {Nodes} from 'mdast'
import type {Browser, Locator, Page} from 'playwright-core'
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import {canDrivePages, openBrowser, openChannel, picture} from '../support/browser.ts'
import {type Demo, openDataFolder, startDemo} from '../support/demo.ts'

/** A run with a full reply takes about seven seconds: long enough to see it grow. */
const PACE = 0.7
const JANE = 'U0JANE'
/** What a run may take on a machine with other work to do. */

describe.skipIf(!canDrivePages)('a person in the browser', () => {
  const opened = new AsyncDisposableStack()
  let demo: Demo
  let browser: Browser

  beforeAll(async () => {
    const {path} = opened.use(await openDataFolder())
    demo = opened.use(await startDemo({data: path, pace: PACE}))
  })
  beforeEach(async () => {
    browser = await openBrowser()
    return () => browser.close()
  })
  afterAll(() => opened.disposeAsync())

  /** A page of its own, with the task sent and the thread open beside it. */
  const ask = async (channel: string, task: string): Promise<Page> => {
    const page = await openChannel(browser, {origin: demo.page, as: JANE, channel})
    await page.locator('main textarea').fill(`@Bosun ${task}`)
    await page.keyboard.press('Enter')
    await cardIn(page).waitFor()
    return page
  }

  test('watches the reply grow until it is what the agent wrote', async () => {
    const task = 'repair the rounding of prices in the cart'
    const page = await ask('C0WEB', task)
    await picture(page, 'reply-1-asked')

    const begun = await growthOf(page, 2)
    await picture(page, 'reply-2-growing')
    const steps = [...begun, ...(await growthOf(page, Infinity, begun.at(-1)))]
    expect(steps.length).toBeGreaterThanOrEqual(3)
    await expect.poll(() => cardIn(page).innerText()).toContain('Done')
    await picture(page, 'reply-3-done')

    const written = await deliveriesOf(demo, task)
    await expect
      .poll(async () => toLetters((await repliesIn(page).allInnerTexts()).join(' ')))
      .toBe(written.map(lettersOfMarkdown).join(''))
  })

  test('stops the agent in the middle of a sentence, and nothing grows any more', async () => {
    const task = 'sort the invoices by hand'
    // It would go on for long.
    const fragments = Array.from({length: 300}, (_, index) => `Invoice ${index} is sorted. `)
    await demo.plan({when: {text: task}, steps: [{kind: 'say', fragments, delayMs: 300}]})
    const page = await ask('C0GENERAL', task)
    await growthOf(page, 2)
    await cardIn(page).getByRole('button', {name: 'Stop'}).click()
    await cardIn(page).getByText('Stopped by @Jane').waitFor()
    await repliesIn(page).last().getByText('Stopped before it was finished').waitFor()
    await picture(page, 'stop-1-stopped')
    const stopped = await repliesIn(page).allInnerTexts()

    // Whatever was still on its way has come when the answer to a later message stands.
    await page.getByRole('textbox', {name: 'Reply in thread'}).fill('a quick word, please')
    await page.keyboard.press('Enter')
    await repliesIn(page).getByText('answer 2').waitFor()
    await picture(page, 'stop-2-answered')
    const shown = await repliesIn(page).allInnerTexts()
    expect(shown.slice(0, stopped.length)).toEqual(stopped)
    expect(shown).toHaveLength(stopped.length + 1)
  })

  test('archives work that is done, and can take it out again', async () => {
    const page = await ask('C0WEB', 'a quick look at the archive')
    const card = cardIn(page)
    await card.getByText('Done').waitFor()
    await picture(page, 'archive-1-done')
    await card.getByRole('button', {name: 'More actions'}).click()
    await picture(page, 'archive-1b-menu')
    await card.getByRole('menuitem', {name: 'Archive', exact: true}).click()
    await card.getByText('Archived').waitFor()
    await expect.poll(() => buttonsOf(card)).toEqual(['Unarchive', MENU])
    expect((await demo.work('a quick look at the archive')).status).toBe('archived')
    await picture(page, 'archive-2-archived')

    await card.getByRole('button', {name: 'Unarchive'}).click()
    await card.getByText('Done').waitFor()
    await expect.poll(() => buttonsOf(card)).toEqual([MENU])
    await picture(page, 'archive-3-back')
  })
})

/** It shows no words but dots. */
const MENU = ''

function messagesIn(page: Page): Locator {
  return page.locator('aside.thread article[aria-label^="Bosun at"] .message-text')
}

/** The first message of the bot says how the work stands. */
function cardIn(page: Page): Locator {
  return messagesIn(page).first()
}

function repliesIn(page: Page): Locator {
  // Of all that it posts here, the card alone has buttons.
  return messagesIn(page).filter({hasNot: page.locator('.elements')})
}

function buttonsOf(message: Locator): Promise<string[]> {
  return message.getByRole('button').allInnerTexts()
}

/**
 * What stood in the newest reply, each text longer than the one before and than `shown`, until there
 * are `enough` of them or the card says that the work is done.
 */
async function growthOf(page: Page, enough: number, shown = ''): Promise<string[]> {
  const steps: string[] = []
  const look = async (): Promise<boolean> => {
    const texts = await repliesIn(page).allInnerTexts()
    const newest = texts.at(-1)?.trim() ?? ''
    if (newest.length > (steps.at(-1) ?? shown).length) steps.push(newest)
    return steps.length >= enough || (await cardIn(page).innerText()).includes('Done')
  }
  await expect.poll(look, {interval: 30}).toBe(true)
  return steps
}

/** What the agent delivered, once the platform says that it rests. */
async function deliveriesOf(demo: Demo, task: string): Promise<string[]> {
  await expect.poll(async () => (await demo.work(task)).status).toBe('idle')
  const {entries} = await demo.work(task)
  return entries.filter(({source}) => source === 'assistant').map(({text}) => text)
}

/** What a reader reads: the letters and digits, in order. */
function toLetters(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '')
}

/** The same of Markdown: marks and addresses behind words are no text. */
function lettersOfMarkdown(markdown: string): string {
  const tree = fromMarkdown(markdown, {extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()]})
  const read = (node: Nodes): string => {
    if ('value' in node) return node.value
    return 'children' in node ? node.children.map(read).join(' ') : ''
  }
  return toLetters(read(tree))
}
