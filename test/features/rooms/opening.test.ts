import {describe, expect, test} from 'vitest'
import {systemClock} from '../../../src/async/clock.ts'
import {createOpening} from '../../../src/features/rooms/opening.ts'
import {TryLater} from '../../../src/inbox/try-later.ts'
import {SlackError, type SlackErrorKind} from '../../../src/once/slack-error.ts'
import {createPacer} from '../../../src/relay/pace/pacer.ts'
import {slackBudgets} from '../../../src/slack/api/budgets.ts'
import type {Link} from '../../../src/store/tables/work/link.ts'
import {newLink, temporaryStore} from '../../store/temporary-store.ts'

/** Work for which a room is asked; Slack answers with these errors, and then with the room. */
async function ask(errors: SlackError[], visibility = 'public') {
  const store = await temporaryStore()
  const {id} = await store.links.open({...newLink, threadId: 'thread'}, 1)
  const link = (await store.links.byId(id)) as Link
  const refused: string[] = []
  const asked: (boolean | undefined)[] = []
  const open = createOpening({
    deps: {
      ...{rooms: store.rooms, announcements: store.announcements, show: async () => undefined},
    },
    membership: {surelyVisibilityOf: async () => visibility},
    support: {hasRooms: async () => true, refused: async (code: string) => void refused.push(code)},
    announcer: {settle: async () => ({ts: '2.0'})},
    client: {
      agents: {
        conversations: {
          create: async (args: {is_private?: boolean}) => {
            asked.push(args.is_private)
            const error = errors.shift()
            if (error !== undefined) throw error
            return {channel_id: 'C0ROOM'}
          },
        },
      },
    },
    pacer: createPacer({budgets: slackBudgets(1000), clock: systemClock}),
    nowMs: () => 1,
  } as never)
  const once = async () => open(link, 'U1', new AbortController().signal)
  const unopened = async () => store.rooms.unopened(link.place.team)
  return {once, refused, asked, unopened, id}
}

test.each([
  ['private', true],
  ['unknown', true],
  ['public', false],
])('a room is as private as its origin: %s', async (visibility, expected) => {
  const {once, asked} = await ask([], visibility)
  await once()
  expect(asked).toEqual([expected])
})

describe('a room that Slack does not open at first', () => {
  test.for<[SlackErrorKind, string]>([
    ['retry', 'internal_error'],
    ['dead', 'token_revoked'],
  ])('is still to be opened where it says %s', async ([kind, code]) => {
    const {once, refused, unopened, id} = await ask([new SlackError(kind, code)])
    await expect(once()).rejects.toBeInstanceOf(TryLater)
    expect([refused, await unopened()]).toEqual([[], [id]])
    expect(await once()).toEqual({outcome: 'opened', channel: 'C0ROOM'})
    expect(await unopened()).toEqual([])
  })

  test('is not asked for again where it is refused', async () => {
    const {once, refused, unopened} = await ask([new SlackError('refused', 'restricted_action')])
    expect(await once()).toEqual({outcome: 'refused', code: 'restricted_action'})
    expect([refused, await unopened()]).toEqual([['restricted_action'], []])
  })
})
