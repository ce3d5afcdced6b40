import {describe, expect, test} from 'vitest'
import {openPage} from '../../local/slack/page/serve.ts'
import {openMachine, postFrom} from '../support/agent-machine.ts'
import {canDrivePages, openBrowser, openChannel, picture} from '../support/browser.ts'
import {codeOf, moved, openRoom} from '../support/rooms.ts'
import {JANE} from '../support/world.ts'
import {openWorld} from './open-world.ts'

const REPORT = `<style>body { font: 15px sans-serif } td, th { padding: 4px 12px; text-align: left }</style>
<h1>Rounding: what changed</h1><p>318 tests pass, 4 of them new.</p>
<table><tr><th>Case</th><th>Before</th><th>After</th></tr><tr><td>Empty cart</td><td>0.01</td><td>0.00</td></tr></table>
<img src="https://tracker.example/pixel.png" alt="nothing from elsewhere">`
const DIFF = `diff --git a/src/total.ts b/src/total.ts
--- a/src/total.ts
+++ b/src/total.ts
@@ -1,2 +1,2 @@
-  return items.map(round).reduce(add)
+  return round(items.reduce(add))
`

describe.skipIf(!canDrivePages)('a room on the page', () => {
  test('shows tasks, diff and report beside what is said, offers its commands, and stops', async (context) => {
    // A busy machine must not be too late to open what somebody asks for.
    const world = await openWorld(context, {page: await openPage(), pace: 0.1, slackTimeFactor: 10})
    const more = 'and take your time over it'
    const steps = [{kind: 'think' as const, delayMs: 3_600_000}]
    world.platform.control.planScript({when: {text: more}, steps})
    await world.slack.people.setRules({codeChannels: true})
    const task = 'split the rounding into tasks'
    const {place, thread, token} = await openMachine(world, `@Bosun ${task}`)
    const room = await openRoom(world, place, task)
    await moved(world, room)
    await postFrom(world, {thread, file: {name: 'rounding.html', content: REPORT}}, {token})
    await postFrom(world, {thread, file: {name: 'rounding.diff', content: DIFF}}, {token})
    await world.until('all tabs stand', () => codeOf(world, room)?.views.length === 3)

    await using browser = await openBrowser()
    const page = await openChannel(browser, {
      ...{origin: world.slack.origin, as: JANE, channel: room},
    })
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).host))
    await page.getByRole('tab', {name: 'Work'}).click()
    const tab = page.getByRole('tabpanel')
    await tab.getByText('5 of 5 done').waitFor()
    await picture(page, 'room-1-work')
    await page.getByRole('tab', {name: 'rounding', exact: true}).click()
    await page.frameLocator('iframe').getByText('318 tests pass').waitFor()
    await picture(page, 'room-2-report')
    await page.getByRole('tab', {name: 'rounding.diff'}).click()
    await page.getByText('round(items.reduce(add))').waitFor()
    await picture(page, 'room-3-diff')
    await page.getByRole('tab', {name: 'Messages'}).click()

    const field = page.locator('main.channel textarea')
    await field.pressSequentially('/ta')
    await page.getByText('The tasks of the agent · this channel').waitFor()
    await picture(page, 'room-4-commands')
    await field.fill('/tasks')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByText('Change the cart').waitFor()
    await page.keyboard.press('Escape')

    await field.fill(more)
    await page.keyboard.press('Enter')
    await page.getByRole('list', {name: 'Context'}).getByText('Working').waitFor()
    await picture(page, 'room-5-works')
    await page.getByRole('button', {name: 'Stop the agent'}).click()
    await page.getByRole('list', {name: 'Context'}).getByText('Idle').waitFor()
    await world.until('it is stopped', () => world.threadIn(place)?.status === 'idle')
    expect(asked.filter((host) => host !== new URL(world.slack.origin).host)).toEqual([])
  })
})
