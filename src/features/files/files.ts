import type {SessionProof, Unproven} from '../../agents/session-proof.ts'
import {createPlaces} from '../../async/places.ts'
import {openSlackFile} from '../../slack/api/file-download.ts'
import type {TokenOf} from '../../slack/api/slack-client.ts'
import type {Secret} from '../../security/secret.ts'
import type {LinkStore} from '../../store/tables/work/links.ts'
import type {SharedFileRow, SharedFileStore} from '../../store/tables/work/shared-files.ts'
import {limited} from './limited.ts'

/** `not-yet`: the work has no thread yet. `gone`: Slack has it no more, or does not let us read it. */
export type FetchOutcome =
  | Unproven
  | {outcome: 'not-yet'; retryAfterMs: number}
  | {outcome: 'gone' | 'too-large'}
  | {
      outcome: 'open'
      name: string
      /** In bytes, where Slack says so. */
      length: number | undefined
      body: ReadableStream<Uint8Array>
    }

/** Opens a file for code that proves by a session token that it works on what the file was shared with. */
export type FetchFile = (
  asked: {id: string; token: Secret},
  signal: AbortSignal,
) => Promise<FetchOutcome>

interface FetchFileOptions {
  sharedFiles: Pick<SharedFileStore, 'byId'>
  links: Pick<LinkStore, 'byRequest'>
  proof: Pick<SessionProof, 'prove'>
  /** `undefined` for a workspace that has the app no more. */
  tokenOf: (team: string) => TokenOf | undefined
  apiUrl: string
  /** Of one file. */
  maxBytes: number
}

const BUSY_MS = 2000
/** Files that are on their way, each with a few hundred kilobytes of memory; and those of one piece of work. */
const PLACES = {most: 24, mostOfOne: 8}
/** Of the slowest machine, for the largest file. */
const WITHIN_MS = 900_000
/** In which something of it has to move. */
const IDLE_MS = 30_000

export function createFetchFile(options: FetchFileOptions): FetchFile {
  const {sharedFiles, links, proof, maxBytes} = options
  const take = createPlaces(PLACES)

  return async ({id, token}, asking) => {
    const row = await sharedFiles.byId(id)
    const link = row && (await links.byRequest(row.requestId))
    if (row === undefined) return {outcome: 'denied', isExpired: false}
    if (link === undefined || link.state === 'starting') {
      return {outcome: 'not-yet', retryAfterMs: BUSY_MS}
    }
    // What is over, or archived, has no machine that could ask.
    if (link.place.team !== row.team || link.state !== 'open') {
      return {outcome: 'denied', isExpired: false}
    }
    const proved = await proof.prove(token, [link], asking)
    if ('outcome' in proved) return proved
    const tokenOf = options.tokenOf(row.team)
    if (tokenOf === undefined) return {outcome: 'gone'}
    const close = take(link.id)
    if (close === undefined) return {outcome: 'busy', retryAfterMs: BUSY_MS}
    const signal = AbortSignal.any([asking, AbortSignal.timeout(WITHIN_MS)])
    signal.addEventListener('abort', close, {once: true})
    const outcome = await openRow(row, {...options, tokenOf}, signal).catch((error: unknown) => {
      close()
      throw error
    })
    if (outcome.outcome !== 'open') close()
    return outcome.outcome === 'open'
      ? {...outcome, body: limited(outcome.body, {maxBytes, idleMs: IDLE_MS}, close)}
      : outcome
  }
}

async function openRow(
  {slackFile, name, url, mimetype}: SharedFileRow,
  {maxBytes, ...slack}: {maxBytes: number; tokenOf: TokenOf; apiUrl: string},
  signal: AbortSignal,
): Promise<FetchOutcome> {
  const isPage = mimetype === 'text/html'
  const opened = await openSlackFile({id: slackFile, url, isPage}, slack, signal)
  if (opened === 'later') return {outcome: 'busy', retryAfterMs: BUSY_MS}
  if (opened === 'gone') return {outcome: 'gone'}
  const {length, body} = opened
  if (length === undefined || length <= maxBytes) return {outcome: 'open', name, length, body}
  await body.cancel()
  return {outcome: 'too-large'}
}
