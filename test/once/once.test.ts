import {setTimeout as delay} from 'node:timers/promises'
import {expect, test} from 'vitest'
import {createPacer} from '../../src/relay/pace/pacer.ts'
import {Secret} from '../../src/security/secret.ts'
import {createSlackClient} from '../../src/slack/api/slack-client.ts'
import {createSlackLogger} from '../../src/slack/api/log.ts'
import {createAgentPoster} from '../../src/features/agent-posts/poster.ts'
import {createAnnouncer} from '../../src/slack/posts/announcer.ts'
import {createWriter} from '../../src/slack/posts/writer.ts'
import {answerJson, serve} from '../platform/http-server.ts'
import {createManualClock} from '../relay/manual-clock.ts'
import {newLink, temporaryStore} from '../store/temporary-store.ts'
import {openHouse} from '../support/open-house.ts'
import {SILENT_LOG} from '../support/silent-log.ts'

/** What Slack answers to a post, and how long after that it makes the message all the same. */
interface Mishap {
  status: number
  body: string
  madeAfterMs?: number
}

const FAILED = {status: 200, body: '{"ok":false,"error":"internal_error"}'}
const FAILED_500 = {status: 500, body: '{"ok":false,"error":"fatal_error"}'}
const PROXY = {status: 502, body: '<html>Bad Gateway</html>'}
const PROXY_JSON = {status: 503, body: '{"error":"upstream"}'}

/** A Slack that lists what was posted, and the times of all calls, in ms from the first. */
async function openSlack(mishaps: readonly Mishap[]) {
  const clock = createManualClock()
  const left = [...mishaps]
  const messages: {ts: string; user: string; metadata: unknown}[] = []
  const calls: string[] = []
  let beganMs: number | undefined
  const slack = await serve((response, {url, body}) => {
    const method = url.replace('/api/', '')
    const nowMs = clock.nowMs()
    beganMs ??= nowMs
    calls.push(`${method === 'chat.postMessage' ? 'post' : 'look'} ${nowMs - beganMs}`)
    if (method !== 'chat.postMessage') {
      answerJson(response, 200, {ok: true, messages})
      return
    }
    const said = new URLSearchParams(body)
    const message = {
      ...{ts: `1700000000.00000${calls.length}`, user: 'UBOT'},
      metadata: JSON.parse(said.get('metadata') ?? '{}') as unknown,
    }
    const mishap = left.shift()
    if (mishap === undefined) {
      messages.push(message)
      answerJson(response, 200, {ok: true, ts: message.ts})
      return
    }
    const {status, body: page, madeAfterMs} = mishap
    if (madeAfterMs !== undefined) clock.after(madeAfterMs, () => void messages.push(message))
    response.writeHead(status, {'content-type': 'application/json'}).end(page)
  })
  const client = createSlackClient(async () => new Secret('xoxb-1'), {
    slackApiUrl: `${slack.origin}/api/`,
    logger: createSlackLogger(SILENT_LOG),
  })
  return {clock, client, pacer: createPacer({budgets: {}, clock}), calls, messages}
}

type Opened = Awaited<ReturnType<typeof openSlack>>

/** Time goes on whenever somebody waits for it alone. */
async function passing({clock, calls}: Opened, work: Promise<unknown>): Promise<void> {
  const over = new AbortController()
  const end = (): void => over.abort()
  work.then(end, end)
  while (!over.signal.aborted) {
    const before = calls.length
    await delay(20)
    if (calls.length === before && clock.pending() > 0) clock.advance(250)
  }
  await work
}

const NAMES = {
  user: async (id: string) => id,
  channel: async (id: string) => id,
  place: async (id: string) => id,
}
const nothing = (): void => undefined
const signal = new AbortController().signal

const POSTERS = {
  announcement: async (slack: Opened) => {
    const store = await temporaryStore()
    const head = {id: 'h', team: 'T1', channel: 'C1', threadId: 't', connectionId: undefined}
    const one = await store.announcements.open({...head, words: {title: 'It'}}, Date.now())
    await using announcer = createAnnouncer({
      ...{...store, ...slack, team: 'T1'},
      draw: async () => ({text: 'It', blocks: []}),
      ...{botUserId: 'UBOT', log: SILENT_LOG},
      ...{onLost: async () => undefined, onDigestRefused: async () => undefined},
    })
    return await announcer.settle(one, signal)
  },
  'agent post': async (slack: Opened) => {
    const store = await temporaryStore()
    const {id: linkId} = await store.links.open(newLink, Date.now())
    const post = {linkId, key: undefined, digest: 'd', text: 'From a machine', file: undefined}
    const added = await store.agentPosts.add(post, {most: 9, sinceMs: 0}, Date.now())
    if (added.outcome !== 'added') throw new Error('It was not added.')
    const writer = createWriter({
      ...{client: slack.client, names: NAMES, webUrl: undefined, botUserId: 'UBOT', botId: 'B1'},
      sessions: {} as unknown as Parameters<typeof createWriter>[0]['sessions'],
    })
    const replies = {tell: nothing} as unknown as Parameters<typeof createAgentPoster>[0]['replies']
    const canvases = {make: async () => undefined, share: async () => undefined}
    const access = {mayKnow: async () => true}
    await using poster = createAgentPoster({
      ...{...store, ...slack, writer, canvases, access, replies, team: 'T1', log: SILENT_LOG},
      ...{onPosted: nothing, onSettled: nothing, knowing: openHouse, show: async () => undefined},
    })
    return await poster.settle(added.post, signal)
  },
} as const

/** `gapsMs`: from the post to the first look, and from that to the second. */
test.for(
  (Object.keys(POSTERS) as (keyof typeof POSTERS)[]).flatMap((poster) => [
    {poster, name: 'Slack fails', mishaps: [FAILED], posts: 2, gapsMs: [1000, 4000]},
    {poster, name: 'Slack fails with a 500', mishaps: [FAILED_500], posts: 2, gapsMs: [1000, 4000]},
    {
      ...{poster, name: 'Slack fails, and makes it before the second look'},
      ...{mishaps: [{...FAILED_500, madeAfterMs: 4800}], posts: 1, gapsMs: [1000, 4000]},
    },
    {poster, name: 'a proxy answers', mishaps: [PROXY], posts: 2, gapsMs: [0, 15_000]},
    {
      poster,
      name: 'a proxy answers with JSON',
      mishaps: [PROXY_JSON],
      posts: 2,
      gapsMs: [0, 15_000],
    },
    {
      ...{poster, name: 'a proxy answers, and Slack makes it before the second look'},
      ...{mishaps: [{...PROXY, madeAfterMs: 14_500}], posts: 1, gapsMs: [0, 15_000]},
    },
  ]),
)('one $poster where $name', async ({poster, mishaps, posts, gapsMs}) => {
  const slack = await openSlack(mishaps)
  await passing(slack, POSTERS[poster](slack))
  expect(slack.messages).toHaveLength(1)
  const made = slack.calls.filter((call) => call.startsWith('post'))
  expect(made).toHaveLength(posts)
  const atMs = slack.calls.map((call) => Number(call.split(' ')[1]))
  const [first = 0, second = 0] = [1, 2].map((at) => (atMs[at] ?? 0) - (atMs[at - 1] ?? 0))
  expect(slack.calls.map((call) => call.split(' ')[0]).slice(0, 3)).toEqual([
    'post',
    'look',
    'look',
  ])
  const [firstMs = 0, gapMs = 0] = gapsMs
  expect(first).toBeGreaterThanOrEqual(firstMs)
  expect(second).toBeGreaterThanOrEqual(gapMs)
  // The clock goes on while the machine works, too.
  if (firstMs > 0) expect(first + second).toBeLessThan(12_000)
})

test('a digest that could not be posted for a day is not posted beside the next one', async () => {
  const slack = await openSlack([])
  const {digests, announcements} = await temporaryStore()
  const at = {team: 'T1', target: 'C1'}
  const schedule = {every: 'day', minute: 540, zone: 'UTC'} as const
  const dayMs = 24 * 3_600_000
  const from = {untilMs: Date.now() - 2 * dayMs, dayMicros: 0}
  await digests.choose(at, schedule, {sinceMs: undefined, from, passed: undefined})
  const digest = await digests.of(at)
  const tell = async (date: string, nowMs: number): Promise<void> => {
    const until = {untilMs: nowMs, dayMicros: 0}
    const words = {date, sinceMs: from.untilMs, untilMs: nowMs}
    if (digest === undefined) throw new Error('It was chosen')
    await digests.tell(digest, {date, until, announcement: {channel: 'C1', words}}, nowMs)
  }
  await tell('2026-01-30', Date.now() - dayMs)
  await tell('2026-01-31', Date.now())
  const late: string[] = []
  await using announcer = createAnnouncer({
    ...{announcements, ...slack, team: 'T1', botUserId: 'UBOT', log: SILENT_LOG},
    draw: async () => ({text: 'It', blocks: []}),
    onLost: async () => undefined,
    onDigestRefused: async ({words}, code) => {
      late.push(`${words.digest?.date} ${code}`)
      await Promise.resolve()
    },
  })
  const all = await announcements.due('T1', Date.now())
  await passing(slack, Promise.all(all.map((one) => announcer.settle(one, signal))))
  expect(late).toEqual(['2026-01-30 too_late'])
  expect(slack.messages).toHaveLength(1)
})
