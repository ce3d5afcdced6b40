import {join} from 'node:path'
import {App, HTTPReceiver, LogLevel, SocketModeReceiver, type Logger} from '@slack/bolt'
import {WebAPIPlatformError, WebClient} from '@slack/web-api'
import {onTestFinished, test, vi} from 'vitest'
import type {LocalSlackOptions} from '../../../local/slack/options.ts'
import {startLocalSlack, type LocalSlack} from '../../../local/slack/server.ts'
import type {DeliveryRecord} from '../../../local/slack/edge/ledger.ts'
import {temporaryFolder} from '../../support/temporary-folder.ts'

/** A local Slack that ends with the test, and the official client on its bot token. */
export async function openSlack(
  options: LocalSlackOptions = {},
): Promise<{slack: LocalSlack; client: WebClient}> {
  const slack = await startLocalSlack(options)
  onTestFinished(() => slack.close())
  return {slack, client: clientOf(slack)}
}

/** No limit fills again until the test ends, however slow the machine is: the date stands still. */
export function stopDate(): void {
  vi.useFakeTimers({toFake: ['Date']})
  onTestFinished(() => void vi.useRealTimers())
}

/** Where a local Slack can keep its data until the test ends. */
export function temporaryDataFile(): string {
  return join(temporaryFolder(), 'slack.db')
}

export function clientOf(slack: LocalSlack, token = slack.botToken): WebClient {
  return new WebClient(token, {
    slackApiUrl: slack.apiUrl,
    retryConfig: {retries: 0},
    rejectRateLimitedCalls: true,
    logger: quiet,
  })
}

/** The error string that Slack answered a call with. */
export async function refusalOf(call: Promise<unknown>): Promise<string> {
  return (await refusalDataOf(call)).error
}

export async function refusalDataOf(call: Promise<unknown>): Promise<WebAPIPlatformError['data']> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof WebAPIPlatformError) return error.data
  throw new Error('The call was not refused by Slack.', {cause: error})
}

/** What fails here is what the tests provoke: the assertions speak, not the log. */
export const quiet: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  setLevel: () => undefined,
  getLevel: () => LogLevel.ERROR,
  setName: () => undefined,
}

type Event = Record<string, unknown> & {type: string}

/** A real Bolt app: what it hears is kept, in order. */
interface HeardApp {
  app: App
  heard: {event: Event; retryNum: number | undefined; retryReason: string | undefined}[]
}

/** `pingTimeoutMs`: the client gives a connection up after it, and takes as long to come back. */
export async function connectApp(
  slack: LocalSlack,
  notificationTimeoutMs = 5_000,
): Promise<HeardApp> {
  const receiver = new SocketModeReceiver({
    appToken: slack.appToken,
    logger: quiet,
    clientPingTimeout: notificationTimeoutMs,
    installerOptions: {clientOptions: {slackApiUrl: slack.apiUrl}},
  })
  const heardApp = listenWith(slack, receiver)
  await heardApp.app.start()
  onTestFinished(async () => {
    await heardApp.app.stop()
  })
  return heardApp
}

export async function listenOverHttp(slack: LocalSlack): Promise<HeardApp & {url: string}> {
  const receiver = new HTTPReceiver({signingSecret: slack.signingSecret, logger: quiet})
  const heardApp = listenWith(slack, receiver)
  const server = await receiver.start({port: 0, host: '127.0.0.1'})
  onTestFinished(async () => {
    server.closeAllConnections()
    await heardApp.app.stop()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port.')
  const url = `http://127.0.0.1:${address.port}/slack/events`
  slack.setEventsUrl(url)
  return {...heardApp, url}
}

function listenWith(slack: LocalSlack, receiver: SocketModeReceiver | HTTPReceiver): HeardApp {
  const app = new App({
    receiver,
    token: slack.botToken,
    // Known beforehand, so that no test waits for (or trips over) a call of Bolt's own.
    botId: 'B0BOSUN',
    botUserId: slack.botUserId,
    ignoreSelf: false,
    logger: quiet,
    clientOptions: {slackApiUrl: slack.apiUrl, retryConfig: {retries: 0}},
  })
  const heard: HeardApp['heard'] = []
  app.use(async ({payload, context, next}) => {
    if ('type' in payload && typeof payload.type === 'string') {
      const event: Event = {...payload, type: payload.type}
      heard.push({event, retryNum: context.retryNum, retryReason: context.retryReason})
    }
    await next()
  })
  return {app, heard}
}

export function deliveriesOf(slack: LocalSlack, eventType: string): DeliveryRecord[] {
  return slack.ledger.deliveries.filter(({payload}) => {
    const event = payload['event']
    return (
      typeof event === 'object' && event !== null && 'type' in event && event.type === eventType
    )
  })
}

/** One test by each of Slack's ways to an app: whatever an app hears is the same by both. */
export function testOverBoth(
  name: string,
  run: (connect: (slack: LocalSlack) => Promise<HeardApp>) => Promise<void>,
): void {
  test(`${name} (Socket Mode)`, () => run(connectApp))
  test(`${name} (HTTP)`, () => run(listenOverHttp))
}
