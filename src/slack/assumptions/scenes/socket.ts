import {SocketModeClient} from '@slack/socket-mode'
import {z} from 'zod'
import {createSlackLogger} from '../../api/log.ts'
import {QUIET, callSlack} from '../../api/slack-client.ts'
import type {Bench} from '../bench.ts'
import {differs, untried} from '../finding.ts'
import type {Scene} from '../scene.ts'
import {checkTexts} from '../texts.ts'
import {section} from './blocks.ts'

/** Slack waits three seconds for an acknowledgement, and then tries again. */
const ARRIVES_WITHIN_MS = 15_000
const LOOK_EVERY_MS = 100

const helloSchema = z.looseObject({type: z.literal('hello'), num_connections: z.number()})
/** A message, or what became of one. */
const deliverySchema = z.looseObject({
  event_id: z.string(),
  event: z.looseObject({
    type: z.literal('message'),
    subtype: z.string().optional(),
    channel: z.string(),
    ts: z.string(),
    thread_ts: z.string().optional(),
    message: z.looseObject({ts: z.string()}).optional(),
  }),
})
type Delivery = z.infer<typeof deliverySchema>

/** What arrives of what happens, by Socket Mode. */
export const socket: Scene = {
  ids: ['socket-opens', 'event-arrives', 'event-again', 'edit-comes-back'],
  without: ({place}) => (place.appToken === undefined ? checkTexts.noSocket : undefined),
  play: async (bench) => {
    const ear = createEar(bench)
    try {
      if (await bench.attempt('socket-opens', ear.open)) await listen(bench, ear)
    } finally {
      await ear.close()
    }
  },
}

type Ear = ReturnType<typeof createEar>

async function listen(bench: Bench, {heard, until}: Ear): Promise<void> {
  const {place, caller, attempt, post} = bench
  const {channel} = place
  const ts = await post({text: 'Does this arrive?'})
  const postedMs = performance.now()
  const isOurs = ({event}: Delivery): boolean => event.ts === ts && event.channel === channel
  const arrived = await attempt('event-arrives', async () => {
    await until(() => heard.some(isOurs))
    if (!heard.some(isOurs)) return differs('no event of it arrived')
    return `it arrived within ${Math.ceil((performance.now() - postedMs) / 1000)} s`
  })
  if (!arrived) return
  await attempt('event-again', async () => {
    await until(() => heard.filter(isOurs).length > 1)
    const ids = heard.filter(isOurs).map(({event_id: id}) => id)
    if (ids.length < 2) return differs('it did not come again')
    return new Set(ids).size === 1 ? 'it came again' : differs('it came again under another id')
  })
  await attempt('edit-comes-back', async () => {
    const text = 'Does the edit arrive?'
    await caller.call('chat.update', {channel, ts, text, blocks: [section(text)]})
    const isEdit = ({event}: Delivery): boolean => event.message?.ts === ts
    await until(() => heard.some(isEdit))
    const edit = heard.find(isEdit)
    if (edit === undefined) return untried('no event of it arrived')
    const {subtype = 'none'} = edit.event
    return subtype === 'message_changed' ? subtype : differs(`its subtype is ${subtype}`)
  })
}

/**
 * A connection that acknowledges nothing at first, and nothing of what is not this check's: Slack brings that to another one,
 * or again.
 */
function createEar({place, pause}: Bench) {
  const {appToken, apiUrl} = place
  const heard: Delivery[] = []
  const hellos: number[] = []
  const client = new SocketModeClient({
    appToken: appToken?.reveal() ?? '',
    autoReconnectEnabled: false,
    clientOptions: {slackApiUrl: apiUrl, ...QUIET},
    logger: createSlackLogger({info: ignore, warn: ignore, error: ignore}),
  })
  client.on('ws_message', (frame: unknown) => {
    const hello = helloSchema.safeParse(parsed(String(frame))).data
    if (hello !== undefined) hellos.push(hello.num_connections)
  })
  client.on('slack_event', ({body, ack}: {body: unknown; ack: () => Promise<void>}) => {
    const delivery = deliverySchema.safeParse(body).data
    if (delivery === undefined || !isIn(place.root, delivery)) return
    const isAgain = heard.some(({event_id: id}) => id === delivery.event_id)
    heard.push(delivery)
    // Once is left unanswered.
    if (isAgain) ack().catch(ignore)
  })
  const until = async (isThere: () => boolean): Promise<void> => {
    for (let look = 0; look < ARRIVES_WITHIN_MS / LOOK_EVERY_MS && !isThere(); look += 1) {
      await pause(LOOK_EVERY_MS)
    }
  }
  const open = async () => {
    await callSlack(() => client.start())
    await until(() => hellos.length > 0)
    const [connections = 1] = hellos
    if (connections > 1) return untried(checkTexts.notAlone(connections - 1))
    return 'it stands'
  }
  return {heard, until, open, close: () => client.disconnect().catch(ignore)}
}

function isIn(root: string, {event}: Delivery): boolean {
  const {thread_ts: thread, message} = event
  return thread === root || message?.['thread_ts'] === root
}

function parsed(frame: string): unknown {
  try {
    return JSON.parse(frame)
  } catch {
    return undefined
  }
}

function ignore(): void {}
