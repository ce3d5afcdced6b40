import {readFileSync} from 'node:fs'
import type {Browser} from 'playwright-core'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {parse} from 'yaml'
import {readManifest} from '../../../../local/slack/apps/manifest.ts'
import type {PageServer} from '../../../../local/slack/options.ts'
import {openPage} from '../../../../local/slack/page/serve.ts'
import {canDrivePages, openBrowser, openChannel, picture} from '../../../support/browser.ts'
import {eventually} from '../eventually.ts'
import {connectApp, openSlack} from '../slack-fixture.ts'

const manifest: unknown = parse(
  readFileSync(new URL('../../../../manifest.yml', import.meta.url), 'utf8'),
)

describe.skipIf(!canDrivePages)('a step of a workflow in the browser', () => {
  let server: PageServer
  let browser: Browser
  beforeAll(async () => {
    server = await openPage()
    browser = await openBrowser()
  })
  afterAll(() => browser.close())

  test('is filled in, run, and shows what the workflow goes on with', async () => {
    const {slack, client} = await openSlack({page: server, ...readManifest(manifest)})
    await connectApp(slack)
    const page = await openChannel(browser, {origin: slack.origin, as: 'U0JANE', channel: 'C0WEB'})
    await page.getByRole('button', {name: 'details'}).click()
    await page.getByRole('button', {name: 'Run a workflow: Start an agent and wait'}).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', {name: 'Run'}).click()
    await dialog.getByRole('alert').getByText('start_agent needs Task.').waitFor()
    await dialog.getByLabel('Task').fill('Write the release notes')
    await dialog.getByLabel('Person (optional)').selectOption({label: 'Kim Lee'})
    await picture(page, 'steps-1-filled')
    await dialog.getByRole('button', {name: 'Run'}).click()
    await dialog.getByText('The workflow waits for the step').waitFor()
    const event = await eventually(
      () => slack.ledger.deliveries.find(({kind}) => kind === 'events_api')?.payload['event'],
      (found) => found !== undefined,
    )
    expect(event).toMatchObject({
      type: 'function_executed',
      inputs: {channel: 'C0WEB', task: 'Write the release notes', person: 'U0KIM'},
    })
    const {function_execution_id} = event as {function_execution_id: string}
    const outputs = {outcome: 'done', link: 'https://acme.slack.com/1', pull_requests: ''}
    await client.functions.completeSuccess({function_execution_id, outputs})
    await dialog.getByText('https://acme.slack.com/1').waitFor()
    await picture(page, 'steps-2-done')
  })
})
