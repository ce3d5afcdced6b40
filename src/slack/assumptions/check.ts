import {z} from 'zod'
import {isAborted} from '../../async/pause.ts'
import {SlackError} from '../../once/slack-error.ts'
import {CannotCheck, type Wish, arrive} from './arrival.ts'
import {type Made, createBench, messagesSchema} from './bench.ts'
import {type Finding, differs, holds, untried} from './finding.ts'
import {type Caller, Interrupted, createCaller} from './caller.ts'
import {ASSUMPTIONS, type AssumptionId} from './catalogue.ts'
import {leave} from './leaving.ts'
import type {Scene} from './scene.ts'
import {deleting} from './scenes/deleting.ts'
import {edits} from './scenes/edits.ts'
import {files} from './scenes/files.ts'
import {limits} from './scenes/limits.ts'
import {links} from './scenes/links.ts'
import {messages} from './scenes/messages.ts'
import {pages} from './scenes/pages.ts'
import {rates} from './scenes/rates.ts'
import {signs} from './scenes/signs.ts'
import {socket} from './scenes/socket.ts'
import {streams} from './scenes/streams.ts'
import {whispers} from './scenes/whispers.ts'
import {mark} from './scenes/blocks.ts'
import {checkTexts} from './texts.ts'

/** What makes the most calls at once comes last. */
const SCENES: readonly Scene[] = [
  ...[messages, edits, limits, pages, deleting, streams],
  ...[signs, files, links, whispers, socket, rates],
]

interface CheckOptions extends Wish {
  /** Multiplies the documented rates, as SLACK_RATE_SCALE does for Bosun. */
  rateScale: number
  /** Multiplies all other waits. */
  timeFactor?: number
  /** Those alone, and what they need; absent: all. */
  only?: readonly AssumptionId[]
  /** Somebody wants it to end, or its time is over: what was made goes all the same. */
  signal: AbortSignal
}

/** What a check has come to. */
export interface Outcome {
  findings: ReadonlyMap<AssumptionId, Finding>
  calls: number
  seconds: number
  /** What could not be taken away again. */
  left: readonly string[]
  isCutShort: boolean
}

const LEAVE_WITHIN_MS = 120_000
/** So many messages may have been written since. */
const LOST_AMONG = 20
const rootSchema = z.looseObject({ts: z.string()})

/** Tries in one Slack thread what Bosun relies upon, and takes everything away again. @throws {CannotCheck} */
export async function checkSlack(options: CheckOptions): Promise<Outcome> {
  const {apiUrl, token, rateScale: scale, timeFactor = 1, signal, only} = options
  const startedMs = performance.now()
  const caller = createCaller({apiUrl, token, scale, signal})
  const {findings, ...arrived} = await arrive(caller, options)
  const root = await begin(caller, arrived.channel)
  const place = {...arrived, root, timeFactor}
  const made: Made = {messages: new Set(), streams: new Set(), files: new Set()}
  const found = (id: AssumptionId, finding: Finding): void => void findings.set(id, finding)
  let left: string[]
  try {
    const bench = createBench(place, {caller, made, signal, found})
    for (const scene of SCENES) {
      const isWanted = only === undefined || scene.ids.some((id) => only.includes(id))
      if (isWanted) await play(scene, bench, {found, isFound: (id) => findings.has(id), signal})
    }
  } finally {
    left = await leave(place, made, caller.until(AbortSignal.timeout(LEAVE_WITHIN_MS)))
  }
  found('documented-rates', judgeRates(caller))
  const ids = (Object.keys(ASSUMPTIONS) as AssumptionId[]).filter(
    (id) => only?.includes(id) ?? true,
  )
  return {
    findings: new Map(ids.map((id) => [id, findings.get(id) ?? untried(checkTexts.before)])),
    calls: caller.seen.calls,
    seconds: Math.round((performance.now() - startedMs) / 1000),
    left,
    isCutShort: isAborted(signal),
  }
}

/** The root of the one Slack thread. @throws {CannotCheck} */
async function begin(caller: Caller, channel: string): Promise<string> {
  const silent = {unfurl_links: false, unfurl_media: false}
  const args = {channel, text: checkTexts.root, metadata: mark('root'), ...silent}
  try {
    return rootSchema.parse(await caller.call('chat.postMessage', args)).ts
  } catch (error) {
    if (!(error instanceof SlackError)) throw error
    const {code, isAnswered} = error
    if (code === 'not_in_channel') throw new CannotCheck(checkTexts.notMember(channel))
    if (isAnswered) throw new CannotCheck(checkTexts.noPosting(code))
    const found = await findRoot(caller, channel)
    if (found === undefined) throw new CannotCheck(checkTexts.away)
    return found
  }
}

/** Its answer was lost: it stands all the same, or does not. */
async function findRoot(caller: Caller, channel: string): Promise<string | undefined> {
  try {
    const listed = await caller.call('conversations.history', {channel, limit: LOST_AMONG})
    return messagesSchema.parse(listed).messages.find(({text}) => text === checkTexts.root)?.ts
  } catch (error) {
    if (!(error instanceof SlackError)) throw error
    return undefined
  }
}

interface Playing {
  found: (id: AssumptionId, finding: Finding) => void
  isFound: (id: AssumptionId) => boolean
  signal: AbortSignal
}

async function play(
  {ids, without, play: perform}: Scene,
  bench: Parameters<Scene['play']>[0],
  {found, isFound, signal}: Playing,
): Promise<void> {
  let why = without?.(bench)
  if (why === undefined) {
    why = checkTexts.before
    try {
      await perform(bench)
    } catch (error) {
      if (error instanceof SlackError) why = `${checkTexts.before}: ${error.code}`
      else if (!(error instanceof Interrupted || error instanceof z.ZodError)) throw error
    }
    if (isAborted(signal)) why = whyOf(signal)
  }
  for (const id of ids) if (!isFound(id)) found(id, untried(why))
}

function whyOf({reason}: AbortSignal): string {
  const isLate = reason instanceof DOMException && reason.name === 'TimeoutError'
  return isLate ? checkTexts.late : checkTexts.stopped
}

function judgeRates({seen}: Caller): Finding {
  const methods = [...new Set(seen.limited.map(({method}) => method))]
  if (methods.length === 0) return holds('nothing was')
  return differs(`${seen.limited.length} were: ${methods.join(', ')}`)
}
