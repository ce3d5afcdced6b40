import {describe, expect, onTestFinished, test} from 'vitest'
import {openPage} from '../../../../local/slack/page/serve.ts'
import {canDrivePages, openBrowser, openChannel} from '../../../support/browser.ts'
import {openSlack} from '../slack-fixture.ts'

const [as, channel] = ['U0JANE', 'C0WEB']

describe.skipIf(!canDrivePages)('replies in the channel', () => {
  test('a reply that was sent there too leads to its thread', async () => {
    const {slack, client} = await openSlack({page: await openPage()})
    const {ts: thread_ts} = await slack.people.post({as, channel, text: 'Parent'})
    await client.chat.postMessage({channel, thread_ts, text: 'Said in the thread alone'})
    await client.chat.postMessage({channel, thread_ts, text: 'For all', reply_broadcast: true})
    const browser = await openBrowser()
    onTestFinished(() => browser.close())
    const page = await openChannel(browser, {origin: slack.origin, as, channel})
    const shown = page.getByRole('article').filter({hasText: 'For all'})
    expect(await shown.textContent()).toContain('replied to a thread')
    await expect.poll(() => page.getByText('Said in the thread alone').count()).toBe(0)
    await shown.getByRole('button', {name: 'a thread'}).click()
    const thread = page.getByRole('complementary', {name: 'Thread'})
    await thread.getByText('Said in the thread alone').waitFor()
    expect(await thread.getByText('replied to').count()).toBe(0)
  })
})
