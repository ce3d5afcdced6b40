import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {createDice} from '../../local/platform/agent/dice.ts'
import {type Reply, askFor, planReply} from './load.ts'
import {type Row, type Writer, measure, startBot, writerSetting} from './row.ts'
import {cutUnevenly, writeReply, writeShortReply} from './texts.ts'
import {type Workspace, startWorkspace} from './workspace.ts'

export interface RunOptions {
  writer: Writer
  threads: number
  seed: string
  /** In what Slack differs from the usual one. */
  slackFlags: readonly string[]
  /** The checkout whose bot is measured; this one without. */
  checkout?: string | undefined
}

const CHARACTERS = 3000
const FRAGMENTS = 300
const WRITING_MS = 20_000
const SPREAD_MS = 2000
const MAX_CHANNELS = 10

/** So many replies at once, in threads of their own. */
export async function measureReplies(options: RunOptions): Promise<Row> {
  const {writer, slackFlags, checkout = ''} = options
  await using opened = new AsyncDisposableStack()
  const folder = await openFolder(opened)
  const workspace = opened.use(await startWorkspace(slackFlags))
  const replies = await planReplies(workspace, options)
  const main = join(checkout, writer === 'naive' ? 'bench/relay/naive.ts' : 'src/main.ts')
  const bot = await startBot(opened, main, settingsIn(workspace, folder, writer))
  return await measure({writer, workspace, bot, replies})
}

/** The same in one of two workspaces that share a process, beside so many threads in the other one. */
export async function measureNeighbour(options: RunOptions & {neighbours: number}): Promise<Row> {
  const {writer, neighbours, slackFlags, seed} = options
  await using opened = new AsyncDisposableStack()
  const [folder, otherFolder] = [await openFolder(opened), await openFolder(opened)]
  const workspace = opened.use(await startWorkspace(slackFlags))
  const other = opened.use(await startWorkspace(slackFlags))
  const replies = await planReplies(workspace, options)
  const others = await planReplies(other, {threads: neighbours, seed: `${seed} beside`})
  const settings = [settingsIn(workspace, folder, writer), settingsIn(other, otherFolder, writer)]
  const bot = await startBot(opened, 'bench/relay/two-bots.ts', {BOTS: JSON.stringify(settings)})
  const asked = Promise.all(others.map((reply) => askFor(other, reply)))
  const row = await measure({writer, workspace, bot, replies})
  await asked
  return row
}

/** Short replies that come complete, one after the other, while `threads` stream without end. */
export async function measureFinals(
  options: RunOptions & {finals: number; everyMs: number},
): Promise<Row> {
  const {writer, slackFlags} = options
  await using opened = new AsyncDisposableStack()
  const folder = await openFolder(opened)
  const workspace = opened.use(await startWorkspace(slackFlags))
  const channels = await workspace.openChannels(MAX_CHANNELS)
  const endless = endlessReplies(options, channels)
  const replies = shortReplies(options, channels)
  for (const reply of [...endless, ...replies]) await planReply(workspace, reply)
  const bot = await startBot(opened, 'src/main.ts', settingsIn(workspace, folder, writer))
  const asked = Promise.all(endless.map((reply) => askFor(workspace, reply)))
  const row = await measure({writer, workspace, bot, replies, isEndless: true})
  await asked
  return row
}

/** Before the first of the short replies, and as long behind the last one. */
const WARM_UP_MS = 30_000
const ENDLESS_PER_SECOND = 50
const ENDLESS_GAP_MS = 200

type FinalsOptions = Parameters<typeof measureFinals>[0]

function endlessReplies(
  {threads, seed, finals, everyMs}: FinalsOptions,
  channels: readonly string[],
): Reply[] {
  const durationMs = finals * everyMs + 2 * WARM_UP_MS
  return Array.from({length: threads}, (_, index) => {
    const dice = createDice(`${seed} endless ${index}`)
    const text = writeReply(dice, (durationMs / 1000) * ENDLESS_PER_SECOND)
    const count = Math.round(durationMs / ENDLESS_GAP_MS)
    const fragments = cutUnevenly(dice, text, {count, durationMs})
    const atMs = (index * 2 * SPREAD_MS) / threads
    return {mark: `endless-${index}-`, channel: pick(channels, index), atMs, files: [], fragments}
  })
}

function shortReplies(
  {seed, finals, everyMs}: FinalsOptions,
  channels: readonly string[],
): Reply[] {
  const dice = createDice(`${seed} short`)
  return Array.from({length: finals}, (_, index) => ({
    mark: `short-${index}-`,
    channel: pick(channels, index),
    atMs: WARM_UP_MS + index * everyMs,
    files: [],
    fragments: [{text: writeShortReply(dice), delayMs: 0}],
  }))
}

async function planReplies(
  workspace: Workspace,
  {threads, seed}: Pick<RunOptions, 'threads' | 'seed'>,
): Promise<Reply[]> {
  const channels = await workspace.openChannels(Math.min(threads, MAX_CHANNELS))
  const replies = Array.from({length: threads}, (_, index): Reply => {
    const dice = createDice(`${seed} ${index}`)
    const text = writeReply(dice, CHARACTERS)
    const fragments = cutUnevenly(dice, text, {count: FRAGMENTS, durationMs: WRITING_MS})
    const atMs = (index * SPREAD_MS) / threads
    const files = ['a', 'b'].map((it) => `src/part-${index}${it}.ts`)
    return {mark: `reply-${index}-`, channel: pick(channels, index), atMs, files, fragments}
  })
  for (const reply of replies) await planReply(workspace, reply)
  return replies
}

function pick(channels: readonly string[], index: number): string {
  return channels[index % channels.length] ?? ''
}

function settingsIn(workspace: Workspace, folder: string, writer: Writer): Record<string, string> {
  return {...workspace.settings(join(folder, 'bosun.db')), ...writerSetting(writer)}
}

async function openFolder(opened: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bosun-relay-'))
  opened.defer(() => rm(folder, {recursive: true, force: true}))
  return folder
}
