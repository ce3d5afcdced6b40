import {describe, expect, test} from 'vitest'
import {openPage} from '../../../../local/slack/page/serve.ts'
import {canDrivePages, openBrowser, openChannel} from '../../../support/browser.ts'
import {openSlack} from '../slack-fixture.ts'

const agent = {view: 'agent_view', stopEvent: 'subscribed'} as const

describe.skipIf(!canDrivePages)('a code channel', () => {
  test('shows how its work stands, what is pinned to it, and each view in a tab', async () => {
    await using browser = await openBrowser()
    const {slack, client} = await openSlack({rateScale: Infinity, page: await openPage(), agent})
    await slack.people.setRules({codeChannels: true})
    const {ts} = await slack.people.post({as: 'U0JANE', channel: 'C0WEB', text: 'Fix it'})
    const origin = {origin_channel_id: 'C0WEB', origin_message_ts: ts}
    const {conversations, sessions} = client.agents
    const {channel_id = ''} = await conversations.create({name: 'Fix the rounding', ...origin})
    await sessions.setStatus({channel_id, status: 'processing'})
    const url = 'https://github.com/acme/web/pull/7'
    const context_bar_items = [
      {key: 'project', label: 'web', icon: 'folder'},
      {key: 'pr', label: 'PR #7', url},
    ]
    await conversations.setProperties({channel_id, code_channel: {context_bar_items}})
    const script = '<script>document.body.append("It ran")</script>'
    const html = {view_key: 'report.html', content: `<h1>All fine</h1>${script}`}
    await conversations.setView({channel_id, ...html})
    await conversations.setView({channel_id, type: 'diff', content: '- a\n+ b'})
    const page = await openChannel(browser, {
      ...{origin: slack.origin, as: 'U0JANE', channel: channel_id},
    })
    const bar = page.getByRole('list', {name: 'Context'})
    await bar.getByText('Working').waitFor()
    await bar.getByText('web').waitFor()
    expect(await bar.getByRole('link', {name: 'PR #7'}).getAttribute('href')).toBe(url)
    await sessions.setStatus({channel_id, status: 'suspended'})
    await bar.getByText('Needs attention').waitFor()
    await page.getByRole('tab', {name: 'report'}).click()
    const frame = page.frameLocator('iframe')
    await frame.getByText('All fine').waitFor()
    expect(await frame.getByText('It ran').count()).toBe(0)
    await page.getByRole('tab', {name: 'Diff'}).click()
    await page.getByText('+ b').waitFor()
    await page.getByRole('tab', {name: 'Messages'}).click()
    await page.locator('main.channel textarea').waitFor()
  })
})
