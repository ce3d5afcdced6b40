import type {Browser, Locator, Page} from 'playwright-core'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {openPage} from '../../local/slack/page/serve.ts'
import {canDrivePages, openBrowser, openChannel, picture} from '../support/browser.ts'
import {createHooks} from '../support/hooks.ts'
import {createModals} from '../support/modals.ts'
import {JANE, type World} from '../support/world.ts'
import {startInside} from './open-world.ts'

const FIX = /these checks failed at [0-9a-f]{7}\.\n- “unit”: /

describe.skipIf(!canDrivePages)('a pull request in the browser', () => {
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

  test('fails its checks, is fixed by its agent at the press of a button, and is green and merged', async () => {
    const hooks = createHooks(world, createModals(world))
    const {path, secret} = await hooks.makeGithub('C0WEB', 'acme')
    await addWebhook(await browser.newPage(), `${hooks.origin()}${path}`, secret)

    const page = await openChannel(browser, {
      ...{origin: world.slack.origin, as: JANE, channel: 'C0WEB'},
    })
    await page.locator('main.channel textarea').fill('@Bosun open a pull request for the cart')
    await page.keyboard.press('Enter')
    const card = cardIn(page)
    await card.getByText('❌ unit failed').waitFor()
    await picture(page, 'pull-requests-1-failed')
    await card.getByRole('button', {name: 'Let the agent fix it'}).click()
    await card.getByText('✅ 2 checks · approved by octocat').waitFor()
    await picture(page, 'pull-requests-2-green')
    await card.getByText('🟣 Merged').waitFor()
    // One card, of one pull request: the fix went into the one that stood.
    expect(await card.count()).toBe(1)
    const {platform} = world
    const all = platform.threads().flatMap(({id}) => platform.transcript(id))
    const told = all.filter(({text}) => FIX.test(text))
    expect(told).toHaveLength(1)
    await page.context().close()
  })

  /** As at GitHub, under Webhooks → Add webhook. */
  async function addWebhook(page: Page, address: string, secret: string): Promise<void> {
    await page.goto(`${world.platform.controlUrl}/github`)
    await page.getByLabel('Payload URL').fill('https://example.com/hooks/one')
    await page.getByLabel('Secret').fill(secret)
    await page.getByRole('button', {name: 'Add webhook'}).click()
    await page.getByText('has to be one of this machine').waitFor()
    await page.getByLabel('Payload URL').fill(address)
    await page.getByRole('button', {name: 'Add webhook'}).click()
    await page.getByText(address).waitFor()
    await page.context().close()
  }
})

function cardIn(page: Page): Locator {
  return page
    .locator('aside.thread')
    .getByRole('article')
    .filter({hasText: /ready for your review|Answered by/})
}
