import {existsSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import type {Store, openStore as openStoreOfToday} from '../../../src/store/store.ts'
import {Secret as SecretOfToday} from '../../../src/security/secret.ts'
import {editRaw} from '../raw-database.ts'
import {RELEASED_KEY, SCENE} from './versions.ts'

/** What a version's own test of all tables offers. */
interface Traces {
  leaveTraces(store: Store, by: {team: string; user: string; atMs: number}): Promise<void>
  /** Rows that no method of a store leaves alone: as that test writes them. */
  statements: readonly string[]
}

const TEAMS = ['T1', 'T2']
/** A test of the scene puts its own moment for it. */
const AT_MS = SCENE.atMs
/** Some versions make the number of a pull request of it, which has no more digits. */
const TRACES_AT_MS = 86_400_000
/** As far as the bot that was killed had told the reply. */
const DELIVERY = 'call_of-the-scene'

/**
 * Fills a database by the code that stands in `tree`: opened, migrated and sealed by its own store, all rows written
 * by its own methods.
 */
export async function fill(tree: string, path: string): Promise<void> {
  const own = async <Module>(file: string): Promise<Module> =>
    (await import(join(tree, 'src', file))) as Module
  const {openStore} = await own<{openStore: typeof openStoreOfToday}>('store/store.ts')
  const {Secret} = await own<{Secret: typeof SecretOfToday}>('security/secret.ts')
  const sealingKeys = [{id: RELEASED_KEY.id, key: new Secret(RELEASED_KEY.text)}]
  const store = await openStore({path, sealingKeys})
  try {
    await stopHalfway(store)
    const traces = await readTraces(tree)
    for (const team of traces === undefined ? [] : TEAMS) {
      for (const user of ['U0KIM', 'U0JANE']) {
        await traces?.leaveTraces(store, {team, user, atMs: TRACES_AT_MS})
      }
    }
    for (const statement of traces?.statements ?? []) await editRaw(path, statement)
  } finally {
    await store[Symbol.asyncDispose]()
  }
}

/**
 * A bot that died with its hands full: the card and a part of the reply are about to be posted, another part stands
 * half told, one message is on its way to the agent, and of two that people wrote it has done nothing yet.
 */
async function stopHalfway(store: Store): Promise<void> {
  const {team, channel, user, askTs, replyTs, threadId, projectId} = SCENE
  const place = {team, channel, slackThread: askTs}
  const request = {requestId: `slack:${team}:${channel}:${askTs}`, projectId, startedBy: user}
  const {id} = await store.links.open({place, ...request}, AT_MS)
  await store.links.change(id, {state: 'open', threadId, title: 'A kite', status: 'active'})
  await store.posts.intend(id, {key: 'card', delivery: undefined, draft: undefined}, AT_MS)
  const part = {delivery: DELIVERY, draft: 'Once there was'}
  await store.posts.intend(id, {key: `say:${DELIVERY}:0`, ...part}, AT_MS)
  await store.posts.intend(id, {key: `say:${DELIVERY}:1`, ...part, draft: ' a kite'}, AT_MS)
  await store.posts.confirm(id, {
    ...{key: `say:${DELIVERY}:0`, ts: '1700000000.000200', hash: 'h'},
    ...{final: false, draft: 'Once there was'},
  })
  const written = keyOf(replyTs)
  const send = {linkId: id, inboxKey: written, messageTs: replyTs, sender: user}
  const toText = (token: string): string => `Jane Doe in #web (slack:${token}):\nand a longer tail`
  await store.sends.open({...send, cursor: undefined, toText}, AT_MS)
  const lane = askTs
  const reply = {ts: replyTs, thread_ts: askTs, text: 'and a longer tail'}
  await store.inbox.add({team, key: written, lane, body: bodyOf(reply)}, AT_MS)
  const mention = {ts: askTs.replace('.0001', '.0009'), text: `<@U0BOSUN> a quick second task`}
  const key = keyOf(mention.ts)
  await store.inbox.add({team, key, lane: key, body: bodyOf(mention)}, AT_MS)
  // Other work of that time, in every other state that it can be in.
  for (const state of ['starting', 'ended', 'archived'] as const) {
    const other = {place: {team: 'T1', channel, slackThread: state}, requestId: `r-${state}`}
    const link = await store.links.open({...other, projectId, startedBy: user}, AT_MS)
    await store.links.change(link.id, {state, notice: {code: 'refused', detail: 'No such model.'}})
    if (state === 'archived') await sendInEveryState(store, link.id)
  }
}

async function sendInEveryState(store: Store, linkId: string): Promise<void> {
  for (const state of ['unsent', 'sent', 'unsure', 'refused'] as const) {
    const {send} = await store.sends.open(
      {
        ...{linkId, inboxKey: `send-${state}`, messageTs: '1.0', sender: SCENE.user},
        ...{cursor: undefined, toText: (token: string) => `${token} ${state}`},
      },
      AT_MS,
    )
    await store.sends.move(send.id, ['open'], state, `receipt-${state}`)
  }
}

const keyOf = (ts: string): string => JSON.stringify(['message', SCENE.team, SCENE.channel, ts])

/** As Slack delivers what somebody says. */
function bodyOf(message: {ts: string; thread_ts?: string; text: string}): string {
  const {team, channel, user} = SCENE
  const event = {type: 'message', channel, user, channel_type: 'channel', ...message}
  return JSON.stringify({type: 'event_callback', team_id: team, api_app_id: 'A0BOSUN', event})
}

/**
 * That version's test of what is forgotten fills every table in a function of its own, which the test does not offer to
 * others: it is taken out of the file. 0.1.0 had five tables, and no such test.
 */
async function readTraces(tree: string): Promise<Traces | undefined> {
  const folder = join(tree, 'test', 'store', 'forget')
  const file = join(folder, 'tables.test.ts')
  if (!existsSync(file)) return undefined
  const text = readFileSync(file, 'utf8')
  const take = (start: string, end: string): string => {
    const from = text.indexOf(start)
    const to = text.indexOf(end, from)
    return from < 0 || to < 0 ? '' : text.slice(from, to + end.length)
  }
  const parts = [
    "import {Secret} from '../../../src/security/secret.ts'",
    "const [JANE, KIM] = ['U0JANE', 'U0KIM']",
    take('const saidBy', '\n'),
    take('const SHARED', '\n'),
    take('const sighting', '\n\n'),
    take('const handovers', '\n\n') || 'const handovers = () => ""',
    `export ${take('async function leaveTraces', '\n}\n')}`,
    `export const statements = ['T1', 'T2'].flatMap((team) => [sighting(team), handovers(team, ${TRACES_AT_MS})])`,
  ]
  const taken = join(folder, 'traces.ts')
  writeFileSync(taken, parts.join('\n'))
  const traces = (await import(taken)) as Traces
  return {...traces, statements: traces.statements.filter((statement) => statement !== '')}
}
