import {expect, test} from 'vitest'
import {createDigestLook} from '../../../src/features/digests/teller.ts'
import {SlackError, type SlackErrorKind} from '../../../src/once/slack-error.ts'
import {temporaryStore} from '../../store/temporary-store.ts'
import {SILENT_LOG} from '../../support/silent-log.ts'

const NOON_MS = Date.UTC(2026, 0, 5, 12)
const at = {team: 'T1', target: 'U1'}

/** Somebody's own digest of nine o'clock, at noon; Slack opens their direct messages after it has said this. */
async function openDigest(kind: SlackErrorKind, code: string) {
  const {digests, announcements} = await temporaryStore()
  const from = {untilMs: NOON_MS - 86_400_000, dayMicros: 0}
  const schedule = {every: 'day', minute: 540, zone: 'UTC'} as const
  await digests.choose(at, schedule, {sinceMs: undefined, from, passed: undefined})
  const errors = [new SlackError(kind, code)]
  const look = createDigestLook({
    ...{digests, team: 'T1', nowMs: () => NOON_MS, log: SILENT_LOG},
    reading: {person: async () => [{}]},
    access: {denialOf: async () => undefined},
    people: {roleOf: async () => 'member', zoneOf: async () => 'UTC'},
    client: {
      conversations: {
        open: async () => {
          const error = errors.shift()
          if (error !== undefined) throw error
          return {channel: {id: 'D1'}}
        },
      },
    },
    announcer: {wake: () => undefined},
  } as never)
  return {
    look: async () => look(new AbortController().signal),
    told: async () => (await announcements.due('T1', NOON_MS)).map(({channel}) => channel),
    refused: async () => digests.refused('T1'),
  }
}

test.for<[SlackErrorKind, string]>([
  ['retry', 'internal_error'],
  ['dead', 'token_revoked'],
])('a digest is told later where Slack says %s for now', async ([kind, code]) => {
  const {look, told, refused} = await openDigest(kind, code)
  await look()
  expect([await told(), await refused()]).toEqual([[], []])
  await look()
  expect([await told(), await refused()]).toEqual([['D1'], []])
})

test('and not on that day where it lets nobody be told', async () => {
  const {look, told, refused} = await openDigest('refused', 'user_disabled')
  await look()
  await look()
  expect([await told(), await refused()]).toEqual([[], [{target: 'U1', code: 'user_disabled'}]])
})
