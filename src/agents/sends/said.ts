import {setTimeout as delay} from 'node:timers/promises'
import {PlatformError, PlatformRefused} from '../../platform/errors.ts'
import type {Entry} from '../../platform/model.ts'
import type {Link} from '../../store/tables/work/link.ts'
import {type Send, tokenMark} from '../../store/tables/work/send.ts'
import {type WorkDeps, throwIfPassing} from '../lifecycle.ts'

type Reader = Pick<WorkDeps, 'clientOf'>

/** How often, and how far apart, the transcript is searched for a message before a person is asked. */
const LOOKS = 3
const BETWEEN_LOOKS_MS = 2000

/** Whether its entry is in the transcript, also if that is just being written. */
export async function isInTranscript(
  deps: Reader,
  link: Link,
  send: Send,
  signal: AbortSignal,
  looks = LOOKS,
): Promise<boolean> {
  for (let look = 1; look < looks; look += 1) {
    if (await stands(deps, link, send, signal)) return true
    await delay(BETWEEN_LOOKS_MS, undefined, {signal})
  }
  return stands(deps, link, send, signal)
}

async function stands(deps: Reader, link: Link, send: Send, signal: AbortSignal): Promise<boolean> {
  for (const {text} of await saidSince(deps, link, send.cursor, signal)) {
    if (text.includes(tokenMark(send.token))) return true
  }
  return false
}

/** The last that the agent was told behind a cursor. */
export async function lastSaid(
  deps: Reader,
  link: Link,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<Entry | undefined> {
  return (await saidSince(deps, link, cursor, signal)).at(-1)
}

/** What the agent was told behind a cursor. */
async function saidSince(
  {clientOf}: Reader,
  link: Link,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<Entry[]> {
  const read = async (after: string | undefined): Promise<Entry[]> => {
    const said: Entry[] = []
    for await (const entry of clientOf(link).listMessages(link.threadId ?? '', after, signal)) {
      if (entry.source === 'user') said.push(entry)
    }
    return said
  }
  try {
    return await read(cursor)
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    // Whether a stream's cursor is good for paging is only implied.
    if (error instanceof PlatformRefused && cursor !== undefined) return read(undefined)
    throwIfPassing(error)
    throw error
  }
}
