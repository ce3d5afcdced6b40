import type {Browser, Locator} from 'playwright-core'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {openPage} from '../../local/slack/page/serve.ts'
import {startLocalSlack, type LocalSlack} from '../../local/slack/server.ts'
import {canDrivePages, openBrowser, openChannel, picture} from '../support/browser.ts'

const PHONE = {viewport: {width: 390, height: 844}, hasTouch: true, isMobile: true}
const place = {as: 'U0JANE', channel: 'C0WEB'}

describe.skipIf(!canDrivePages)('on a phone', () => {
  let slack: LocalSlack
  let browser: Browser

  beforeAll(async () => {
    slack = await startLocalSlack({page: await openPage()})
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await slack.close()
  })

  test('what follows a message is as wide as it is, but for the lines beside its tools', async () => {
    await slack.people.post({...place, text: 'The first has a line with a name.'})
    const words = 'word '.repeat(80)
    await slack.people.post({...place, text: `${words}\n\`\`\`${words}\`\`\``})
    const page = await openChannel(browser, {origin: slack.origin, ...place}, PHONE)
    const following = page.getByRole('article').last()
    await following.getByText('word word').first().waitFor()
    await picture(page, 'phone-1-following')
    const {width} = PHONE.viewport
    expect(await rightOf(following.locator('pre'))).toBeGreaterThan(width - 20)
    const lines = await linesOf(following)
    const tools = await following.locator('.message-tools').boundingBox()
    expect(lines[0]?.right).toBeLessThanOrEqual(tools?.x ?? 0)
    expect(Math.max(...lines.slice(2).map(({right}) => right))).toBeGreaterThan(tools?.x ?? width)
    await page.context().close()
  })
})

async function rightOf(part: Locator): Promise<number> {
  const box = await part.boundingBox()
  return box === null ? 0 : box.x + box.width
}

/** Where the words of a message end, line by line. */
function linesOf(message: Locator): Promise<{top: number; right: number}[]> {
  return message.locator('.message-text').evaluate((element) => {
    const lines = new Map<number, number>()
    const range = document.createRange()
    const words = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    while (words.nextNode() !== null) {
      range.selectNodeContents(words.currentNode)
      for (const {top, right} of range.getClientRects()) {
        lines.set(top, Math.max(right, lines.get(top) ?? 0))
      }
    }
    return [...lines].map(([top, right]) => ({top, right})).sort((a, b) => a.top - b.top)
  })
}
