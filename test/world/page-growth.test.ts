import type {Browser, Page} from 'playwright-core'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {canDrivePages, openBrowser, openChannel, picture} from '../support/browser.ts'
import {type Demo, openDataFolder, startDemo} from '../support/demo.ts'

/** What a reader saw of a message at one time: its paragraphs, lists, tables and so on, and the words of each. */
interface Sight {
  kind: string
  words: string
}

/** What every reply looked like, whenever it looked different, by its `ts`. */
type Film = Record<string, Sight[][]>

describe.skipIf(!canDrivePages)('a reply that grows on the page', () => {
  const opened = new AsyncDisposableStack()
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
    opened.defer(() => browser.close())
  })
  afterAll(() => opened.disposeAsync())

  test.concurrent.for(['edit', 'stream'] as const)('%s: never jumps back', async (writer) => {
    await using running = new AsyncDisposableStack()
    const {path} = running.use(await openDataFolder())
    const demo: Demo = running.use(await startDemo({data: path, pace: 0.35, writer}))
    const page = await openChannel(browser, {origin: demo.page, as: 'U0JANE', channel: 'C0WEB'})
    await page.locator('main textarea').fill('@Bosun write the long report on the rounding')
    await page.keyboard.press('Enter')
    await page.locator('aside.thread').waitFor()
    await film(page)
    const card = page.locator('aside.thread article[aria-label^="Bosun at"]').first()
    await card.getByText('Done').waitFor()
    await picture(page, `growth-${writer}`)

    const replies = Object.values(await developed(page))
    const grown = replies.filter((versions) => versions.length > 3)
    expect(grown.length).toBeGreaterThan(1)
    expect(new Set(replies.flat(2).map(({kind}) => kind))).toContain('TABLE')
    for (const versions of replies) {
      for (const [index, after] of versions.entries()) {
        const before = versions[index - 1]
        if (before !== undefined) expect(jumpBetween(before, after)).toBeUndefined()
      }
    }
  })
})

/** What was there and is not there any more, or is something else now. */
function jumpBetween(before: readonly Sight[], after: readonly Sight[]): unknown {
  for (const [index, {kind, words}] of before.entries()) {
    const now = after[index]
    const isLast = index === before.length - 1
    const stands = isLast ? now?.words.startsWith(words) === true : now?.words === words
    if (now?.kind !== kind || !stands) return {was: {kind, words}, is: now}
  }
  return undefined
}

/** From now on each change of a reply is kept. */
async function film(page: Page): Promise<void> {
  await page.evaluate(() => {
    const films = new Map<string, {kind: string; words: string}[][]>()
    const look = (): void => {
      for (const message of document.querySelectorAll<HTMLElement>('aside.thread article')) {
        const body = message.querySelector('.message-text .markdown')
        const ts = message.dataset['ts']
        if (body === null || ts === undefined) continue
        const sight = [...body.children].map((block) => ({
          kind: block.querySelector('table') === null ? block.tagName : 'TABLE',
          words: block.textContent.replaceAll(/[^\p{L}\p{N}]/gu, ''),
        }))
        const versions = films.get(ts) ?? []
        films.set(ts, versions)
        if (JSON.stringify(versions.at(-1)) !== JSON.stringify(sight)) versions.push(sight)
      }
    }
    const observed = {childList: true, subtree: true, characterData: true}
    new MutationObserver(look).observe(document.body, observed)
    Object.assign(window, {filmed: () => Object.fromEntries(films)})
  })
}

function developed(page: Page): Promise<Film> {
  return page.evaluate(() => (window as unknown as {filmed: () => Film}).filmed())
}
