import type {Browser} from 'playwright-core'
import {beforeEach, describe, expect, test} from 'vitest'
import {openPage} from '../../local/slack/page/serve.ts'
import {canDrivePages, openBrowser, openChannel, picture} from '../support/browser.ts'
import {KIM} from '../support/world.ts'
import {openWorld} from './open-world.ts'

describe.skipIf(!canDrivePages)('a link on the page', () => {
  let browser: Browser

  beforeEach(async () => {
    browser = await openBrowser()
    return () => browser.close()
  })

  test('shows the work below the message, and its button stops that', async (context) => {
    const settings = {PLATFORM_WEB_URL: 'https://app.example.com/t/{threadId}'}
    const world = await openWorld(context, {page: await openPage(), settings, pace: 1})
    const work = await world.say('@Bosun a long run through the cart')
    await world.until('it runs', () =>
      world.ours(work).some(({text}) => text.includes('Working since')),
    )
    const page = await openChannel(browser, {origin: world.slack.origin, as: KIM, channel: 'C0WEB'})
    await page
      .locator('main textarea')
      .fill(`How far is https://app.example.com/t/${world.threadIn(work)?.id ?? ''} ?`)
    await page.keyboard.press('Enter')
    const message = page.getByRole('article').filter({hasText: 'How far is'})
    await expect.poll(() => message.innerText()).toContain('🔵 Working since')
    await picture(page, 'unfurl-1-works')
    await message.getByRole('button', {name: 'Stop'}).click()
    await expect.poll(() => message.innerText()).toContain('⏹ Stopped')
    expect(await message.getByRole('button', {name: 'Stop'}).count()).toBe(0)
    expect(await message.innerText()).toContain('How far is')
    await picture(page, 'unfurl-2-stopped')
  })
})
