import type {KnownBlock} from '@slack/types'
import {WebClient} from '@slack/web-api'
import type {Browser, Locator, Page} from 'playwright-core'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {openPage} from '../../local/slack/page/serve.ts'
import {canDrivePages, openBrowser, openChannel, picture} from '../support/browser.ts'
import {createHooks} from '../support/hooks.ts'
import {createModals} from '../support/modals.ts'
import {JANE, type World} from '../support/world.ts'
import {startInside} from './open-world.ts'

describe.skipIf(!canDrivePages)('reviews, captains and automations in the browser', () => {
  let world: World
  let browser: Browser

  beforeAll(async () => {
    world = await startInside({
      pace: 0.1,
      page: await openPage(),
      settings: {PUBLIC_URL: 'https://bosun.example'},
    })
    world.platform.control.setPullRequest({repo: 'acme/web', number: 40})
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await world[Symbol.asyncDispose]()
  })

  const visit = (channel = 'C0WEB'): Promise<Page> =>
    openChannel(browser, {origin: world.slack.origin, as: JANE, channel})

  test('a review has a message in the channel, and its words stand in the Slack thread below', async () => {
    const page = await visit()
    await type(page, '/review acme/web#40')
    const head = messageIn(page, /Review(?:ing| of) acme\/web#40/)
    await head.getByText('asked by @Jane').waitFor()
    await picture(page, 'platform-1-review')
    await head.getByRole('button', {name: /\d repl/}).click()
    await threadIn(page).getByText('⚪️ Done').waitFor()
    await expect.poll(() => threadIn(page).getByRole('article').count()).toBeGreaterThan(2)
    await picture(page, 'platform-2-review-thread')
    await type(page, '/review acme/web#40')
    const again = whisperIn(page, 'Already reviewed at this commit.')
    await again.getByRole('button', {name: 'Run again anyway'}).click()
    await expect.poll(() => messageIn(page, /Review(?:ing| of) acme\/web#40/).count()).toBe(2)
    await picture(page, 'platform-3-review-again')
    await page.context().close()
  })

  test('a pull request that an agent opened is reviewed from its card', async () => {
    const page = await visit()
    await type(page, '@Bosun open a pull request for the cart')
    // The call for the review is its card, whatever becomes of it.
    const asks = page.getByRole('button', {name: 'Ask for changes'})
    const card = threadIn(page).getByRole('article').filter({has: asks})
    await inThread(page, 'this is ready for your review · PR #41').waitFor()
    await card.getByRole('button', {name: 'Review', exact: true}).click()
    await inThread(page, 'The agent in this Slack thread will get the outcome').waitFor()
    await picture(page, 'platform-4-pull-request')
    await inThread(page, 'The review of acme/web#41').first().waitFor()
    await threadIn(page).getByText('⚪️ Done').waitFor()
    await card.getByRole('button', {name: 'Ask for changes'}).click()
    await modalIn(page).getByRole('textbox').fill('quick: rename total to sum')
    await picture(page, 'platform-5-changes')
    await modalIn(page).getByRole('button', {name: 'Send'}).click()
    await modalIn(page).waitFor({state: 'detached'})
    await page.context().close()
  })

  test('a button stays under the pointer while its thread grows', async () => {
    const page = await visit()
    await type(page, '@Bosun open a pull request for the till')
    await inThread(page, 'this is ready for your review').waitFor()
    const asks = threadIn(page).getByRole('button', {name: 'Ask for changes'})
    await asks.hover()
    await page.mouse.down()
    const task = world.slack.messages('C0WEB').find(({text}) => text.includes('the till'))
    const lines = Array.from({length: 20}, (_, index) => `Line ${index}`)
    // Between people: no agent takes it up, and nothing in the thread is drawn anew.
    const text = `<@U0KIM> ${lines.join('\n')}\nThe end of it`
    const place = {channel: 'C0WEB', threadTs: task?.ts ?? ''}
    await world.slack.people.post({as: JANE, ...place, text})
    await inThread(page, 'The end of it').waitFor()
    await page.mouse.up()
    await modalIn(page).getByRole('textbox').waitFor()
    await page.keyboard.press('Escape')
    await modalIn(page).waitFor({state: 'detached'})
    await page.context().close()
  })

  test('a button can be pressed while its message is edited', async () => {
    world.platform.control.planScript({
      when: {text: 'sweep all rooms'},
      steps: [{kind: 'think', delayMs: 600_000}],
    })
    const page = await visit()
    await type(page, '@Bosun sweep all rooms')
    const card = threadIn(page).getByRole('article').filter({hasText: '🔵 Working'})
    await card.getByText('sweep all rooms').waitFor()
    const {ts = ''} = world.slack.messages('C0WEB').find(({text}) => text.includes('sweep')) ?? {}
    const [drawn] = world.ours({channel: 'C0WEB', ts})
    await card.getByRole('button', {name: 'Stop', exact: true}).hover()
    await page.mouse.down()
    // As long as before, so that nothing moves; and without the ids that Slack gave to the blocks.
    const blocks = JSON.stringify(drawn?.blocks, (key, value: unknown) =>
      key === 'block_id' ? undefined : value,
    ).replaceAll('sweep', 'scrub')
    await new WebClient(world.slack.botToken, {slackApiUrl: world.slack.apiUrl}).chat.update({
      ...{channel: 'C0WEB', ts: drawn?.ts ?? '', text: drawn?.text ?? ''},
      blocks: JSON.parse(blocks) as KnownBlock[],
    })
    await card.getByText('scrub all rooms').waitFor()
    await page.mouse.up()
    await inThread(page, '⏹ Stopped by @Jane').first().waitFor()
    await page.context().close()
  })

  test('a captain is made with a form, and writes under its own name and face', async () => {
    const page = await visit('C0GENERAL')
    await type(page, '/captain new Ada')
    const form = modalIn(page)
    await form.getByLabel('What is it for?').fill('take a quick look at the shop every day')
    await form.getByLabel('Face', {exact: false}).fill('🦊')
    await picture(page, 'platform-6-captain-form')
    await form.getByRole('button', {name: 'Create'}).click()
    const head = messageIn(page, '👤 Ada · asked by @Jane')
    await head.getByRole('button', {name: /\d repl/}).click()
    const said = threadIn(page).locator('article[aria-label^="Ada at"]')
    await said.first().getByText('⚪️ Done').waitFor()
    await expect.poll(() => said.count()).toBeGreaterThan(1)
    expect(await said.first().locator('.avatar').textContent()).toBe('🦊')
    await type(page, '/captain list')
    await whisperIn(page, 'Jane Doe’s').getByRole('button', {name: 'Ask'}).waitFor()
    await picture(page, 'platform-7-captain')
    await page.context().close()
  })

  test('an automation is made, kept as a hook and listed, and what calls the hook is told', async () => {
    const at = createModals(world)
    const hooks = createHooks(world, at)
    const channel = await at.channel('deploys', [JANE])
    const page = await visit(channel)
    await type(page, '/bosun automations')
    await whisperIn(page, 'This project has no automations.')
      .getByRole('button', {name: 'New automation'})
      .click()
    const form = modalIn(page)
    await form.getByLabel('Name').fill('Deploy watch')
    await form.getByLabel('What should the agent do?').fill('a quick look at the deploy')
    await form.getByLabel('Another program, by a webhook').check()
    // What is new is in front of whoever asked for it.
    await form.getByRole('button', {name: 'More …'}).click()
    const isIn = (label: string) =>
      form.getByLabel(label).evaluate((input) => input === document.activeElement)
    await expect.poll(() => isIn('Description')).toBe(true)
    await picture(page, 'platform-8-automation-form')
    await form.getByRole('button', {name: 'Create'}).click()
    await modalIn(page).getByText('Deploy watch is created.').waitFor()
    await modalIn(page).getByRole('button', {name: 'Close'}).first().click()
    const made = whisperIn(page, 'Deploy watch has a hook in this channel.')
    await made.scrollIntoViewIfNeeded() // what is out of view is not drawn, and has no text
    const told = await made.innerText()
    await picture(page, 'platform-9-automation-made')
    const [path = ''] = /\/hooks\/\w+/.exec(told) ?? []
    const secret = /sk_hook_[\w-]+/.exec(told)?.[0] ?? ''
    const delivered = await hooks.post(path, '{"deployed":"v1"}', {
      'content-type': 'application/json',
      authorization: `Bearer ${secret}`,
    })
    expect(delivered).toMatchObject({status: 202, body: {outcome: 'accepted'}})
    await hooks.receipts(channel, 1)
    await messageIn(page, 'Deploy watch started: its hook received a delivery').waitFor()
    await type(page, '/bosun hooks')
    const row = whisperIn(page, 'last delivery')
    await row.getByRole('button', {name: 'Log'}).click()
    await whisperIn(page, 'Deliveries to Deploy watch').getByText('✅ ran').waitFor()
    await type(page, '/bosun automations')
    const list = whisperIn(page, 'Automations of web')
    await list.getByRole('button', {name: 'Disable'}).click()
    await whisperIn(page, 'it starts no more runs').waitFor()
    await picture(page, 'platform-10-hooks')
    await page.context().close()
  })

  test('a hook for an automation that exists is made with its address', async () => {
    const at = createModals(world)
    const url = await createHooks(world, at).automation('Nightly')
    const page = await visit('C0GENERAL')
    await type(page, '/bosun hooks new')
    const form = modalIn(page)
    await form.getByLabel('Name of the automation').fill('Nightly')
    await form.getByLabel('Webhook address of the automation').fill('https://example.com')
    await form.getByRole('button', {name: 'Create'}).click()
    await form.getByText('That is not an automation’s webhook address').waitFor()
    await picture(page, 'platform-11-hook-form')
    await form.getByLabel('Webhook address of the automation').fill(url)
    await form.getByRole('button', {name: 'Create'}).click()
    await whisperIn(page, 'Nightly has a hook in this channel.').waitFor()
    await picture(page, 'platform-12-hook-made')
    await page.context().close()
  })
})

/** In the channel, as a person would: what is typed is sent with Enter. */
async function type(page: Page, text: string): Promise<void> {
  await page.locator('main.channel textarea').fill(text)
  await page.keyboard.press('Enter')
}

function messageIn(page: Page, words: string | RegExp): Locator {
  return page.locator('main.channel').getByRole('article').filter({hasText: words})
}

function whisperIn(page: Page, words: string): Locator {
  return messageIn(page, words).filter({hasText: 'Only visible to you'}).last()
}

function threadIn(page: Page): Locator {
  return page.locator('aside.thread')
}

function inThread(page: Page, words: string): Locator {
  return threadIn(page).getByRole('article').filter({hasText: words})
}

/** The topmost one. */
function modalIn(page: Page): Locator {
  return page.locator('dialog.modal:not(.is-below)')
}
