// The usual way to stream into Slack, as a process of its own that takes Bosun's settings: post the first fragment, then
// edit once for each further one, through Slack's SDK with all of its defaults.
import {App, LogLevel} from '@slack/bolt'
import {readConfig} from '../../src/config/config.ts'
import {createPlatformClient} from '../../src/platform/client.ts'
import {follow} from '../../src/platform/stream/reconnecting.ts'
import {createTransport} from '../../src/platform/transport.ts'

const {platform, slack} = readConfig(process.env)
const {standard} = platform
const {botToken, delivery} = slack
if (standard?.projectId === undefined || botToken === undefined || delivery.mode !== 'socket') {
  throw new Error('A setting is missing.')
}
const {apiKey, projectId} = standard
const transport = createTransport(platform.baseUrl)
const client = createPlatformClient({transport, apiKey})
const {signal} = new AbortController()

const app = new App({
  token: botToken.reveal(),
  appToken: delivery.appToken.reveal(),
  socketMode: true,
  clientOptions: {slackApiUrl: slack.apiUrl},
  logLevel: LogLevel.ERROR,
})

app.event('app_mention', async ({event, context}) => {
  const {channel, ts, text} = event
  const requestId = `slack:${context.teamId ?? ''}:${channel}:${ts}`
  const {id} = await client.createThread({requestId, projectId, message: text}, signal)
  // Bolt holds the acknowledgement back no longer than until here.
  void relay(id, {channel, thread_ts: ts}).catch((error: unknown) => console.error(error))
})

async function relay(threadId: string, place: {channel: string; thread_ts: string}): Promise<void> {
  let text = ''
  let shown: Promise<string | undefined> = Promise.resolve(undefined)
  const show = (said: string): void => {
    shown = shown.then(async (ts) => {
      if (ts === undefined) return (await app.client.chat.postMessage({...place, text: said})).ts
      await app.client.chat.update({channel: place.channel, ts, text: said})
      return ts
    })
  }
  for await (const frame of follow({
    transport,
    apiKey,
    client,
    threadId,
    after: undefined,
    signal,
  })) {
    if (frame.type === 'assistant') show((text += frame.text))
    else if (frame.type === 'run' && frame.phase === 'end') break
  }
  await shown
}

await app.start()
console.log('The naive relay is ready')
