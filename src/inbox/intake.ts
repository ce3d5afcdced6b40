import {backoffMs, isAborted, pause} from '../async/pause.ts'
import {troubleOf} from '../store/database/errors.ts'
import type {InboxStore} from '../store/tables/inbox.ts'

/** What arrived, already named. */
export interface Arrival {
  /** The same for every delivery of one thing that a person did. */
  key: string
  /** Whose owner handles it: a workspace, or an organization. */
  team: string
  lane: string
  body: unknown
}

/**
 * Writes what people did down, before it is acknowledged. Rejects when it could not be written in
 * time, or before its sender hung up: then nobody may acknowledge it, and Slack delivers it again or tells the
 * person. What was refused is not written behind their back: a person who asks once more asks once.
 */
export type Intake = (arrival: Arrival, hungUp?: AbortSignal) => Promise<void>

/** Nobody may acknowledge it. The message says why, and quotes nothing of what was sent. */
export class UntakenError extends Error {
  override name = 'UntakenError' as const
}

/** Slack waits 3 s for an acknowledgement, the way there and back included. */
const WRITE_WITHIN_MS = 2500
/** A server that starts again, or whose connections were cut, may be back by then. */
const RETRY = {baseMs: 100, maxMs: 800}

interface IntakeOptions {
  inbox: InboxStore
  /** Something of this workspace waits. */
  onAdded: (team: string) => void
}

export function createIntake({inbox, onAdded}: IntakeOptions): Intake {
  return async ({key, team, lane, body}, hungUp) => {
    const inTime = AbortSignal.timeout(WRITE_WITHIN_MS)
    // A process that stood still hears first of what was sent to it, and then that nobody waits for it.
    const late = hungUp === undefined ? inTime : AbortSignal.any([inTime, hungUp])
    const row = {key, team, lane, body: JSON.stringify(body)}
    for (let failures = 0; ; failures += 1) {
      try {
        await inbox.add(row, Date.now(), late)
        onAdded(team)
        return
      } catch (error) {
        if (!late.aborted && troubleOf(error) !== 'away') throw error
        await pause(backoffMs(failures, RETRY), late)
        if (!isAborted(late)) continue
        const message = inTime.aborted
          ? `The inbox row could not be written in ${WRITE_WITHIN_MS} ms`
          : 'The inbox row was not written before its sender hung up'
        throw new UntakenError(message, {cause: error})
      }
    }
  }
}
