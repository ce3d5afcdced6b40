import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {questionIn} from '../../../src/markdown/question.ts'
import {type Scene, decide} from '../../../src/relay/notifications/who-is-needed.ts'
import {notificationPosts} from '../../../src/relay/posts/notification-posts.ts'
import type {Notification, NotificationKind} from '../../../src/store/tables/work/notifications.ts'

const REST: Scene = {
  state: 'open',
  status: 'idle',
  statusSinceMs: 200_000,
  needsYou: false,
  runSinceMs: 100_000,
  stoppedBy: undefined,
  as: 'read',
  noise: 'normal',
}

function notification(kind: NotificationKind, more: Partial<Notification> = {}): Notification {
  return {
    ...{id: kind, linkId: 'l', key: `${kind}:100000`, kind, person: 'U1', words: {}},
    ...{state: 'open', endedBy: undefined, reminders: 0, remindAtMs: undefined, madeAtMs: 0},
    ...more,
  }
}

const callOf = (change: Partial<Scene>, notifications: Notification[] = []) =>
  decide({...REST, ...change}, notifications).wanted?.kind

describe('whom a state calls', () => {
  test.for([
    ['a question', {status: 'pending_user'}, 'needs-you'],
    ['a question in the other vocabulary', {needsYou: true}, 'needs-you'],
    ['a wait that needs somebody', {status: 'waiting', needsYou: true}, 'needs-you'],
    ['a plan that stands', {needsYou: true, isPlanned: true}, 'needs-you'],
    ['a plan that is called ready', {status: 'ready_for_review', isPlanned: true}, 'needs-you'],
    ['work that is ready', {status: 'ready_for_review'}, 'review'],
    ['a run that failed', {status: 'failed'}, 'failed'],
    ['the same in the other vocabulary', {status: 'error'}, 'failed'],
    ['the end of a long run', {}, 'done'],
    ['the end of a short run', {runSinceMs: 150_000}, undefined],
    ['the end of a run of just a minute', {runSinceMs: 140_000}, undefined],
    ['a run that somebody stopped', {stoppedBy: 'U2'}, undefined],
    [
      'a state that was there before we looked',
      {status: 'failed', runSinceMs: undefined},
      undefined,
    ],
    ['a question that was', {status: 'pending_user', runSinceMs: undefined}, 'needs-you'],
    ['work that needs somebody', {status: 'active', needsYou: true}, 'needs-you'],
    ['work', {status: 'active'}, undefined],
    ['a wait', {status: 'waiting'}, undefined],
    ['a word that nobody knows', {status: 'dreaming'}, undefined],
    ['what is archived', {state: 'archived', status: 'pending_user'}, undefined],
    ['what was not read yet', {status: 'pending_user', as: 'heard'}, undefined],
  ] as const)('%s', ([, change, kind]) => {
    expect(callOf(change)).toBe(kind)
  })

  test.for([
    ['quiet', ['needs-you', 'failed']],
    ['normal', ['needs-you', 'review', 'failed', 'done']],
    ['verbose', ['needs-you', 'review', 'failed', 'done', 'done']],
  ] as const)('is for a %s person to say', ([noise, kinds]) => {
    const statuses = ['pending_user', 'ready_for_review', 'failed', 'idle'] as const
    const all = [
      ...statuses.map((status) => callOf({status, noise})),
      callOf({noise, runSinceMs: 199_000}),
    ]
    expect(all.filter((kind) => kind !== undefined)).toEqual(kinds)
  })
})

describe('a call', () => {
  test('is over when a run begins, also where the status has not said so', () => {
    for (const change of [{status: 'active'}, {status: 'pending_user', as: 'begun'}] as const) {
      const {ended} = decide({...REST, ...change}, [notification('needs-you')])
      expect(ended).toMatchObject([{notification: {kind: 'needs-you'}, state: 'answered'}])
    }
  })

  test('is over, and not answered, when the work is put away', () => {
    const {ended} = decide({...REST, state: 'archived'}, [notification('needs-you')])
    expect(ended).toMatchObject([{state: 'over'}])
  })

  test('is not made twice, whether it stands or was answered', () => {
    const scene: Partial<Scene> = {status: 'pending_user'}
    expect(callOf(scene, [notification('needs-you')])).toBeUndefined()
    expect(callOf(scene, [notification('needs-you', {state: 'answered'})])).toBeUndefined()
    expect(
      callOf({...scene, runSinceMs: 170_000}, [notification('needs-you', {state: 'answered'})]),
    ).toBe('needs-you')
  })
})

/** A thread, its stream and its readings, with a bot that dies between any two of its writes. */
interface Step {
  /** How the next run ends. */
  rest: 'pending_user' | 'needsYou' | 'ready_for_review' | 'failed' | 'idle'
  runMs: number
  /** What is said more than once, as after a reconnection. */
  repeats: number
  /** Writes of the bot until it dies, behind the end of the run. */
  diesAfter: number | undefined
}

const step = fc.record<Step>({
  rest: fc.constantFrom('pending_user', 'needsYou', 'ready_for_review', 'failed', 'idle'),
  runMs: fc.constantFrom(1000, 59_000, 61_000, 600_000),
  repeats: fc.nat({max: 3}),
  diesAfter: fc.option(fc.nat({max: 3}), {nil: undefined}),
})

test('every state that calls does so exactly once, whenever the bot dies', () => {
  fc.assert(
    fc.property(fc.array(step, {maxLength: 12}), (steps) => {
      const table: {
        notifications: Notification[]
        runSinceMs: number | undefined
        status: string
        sinceMs: number
      } = {notifications: [], runSinceMs: undefined, status: 'idle', sinceMs: 0}
      let nowMs = 0
      let lives = Infinity
      const write = (act: () => void): void => {
        lives -= 1
        if (lives >= 0) act()
      }
      const look = (needsYou: boolean, as: Scene['as']): void => {
        const scene: Scene = {
          ...{state: 'open', status: table.status, statusSinceMs: table.sinceMs, needsYou, as},
          ...{runSinceMs: table.runSinceMs, stoppedBy: undefined, noise: 'normal'},
        }
        const {ended, wanted, isRunOver} = decide(scene, table.notifications)
        for (const {notification: it, state} of ended) {
          write(
            () =>
              (table.notifications = table.notifications.map((one) =>
                one === it ? {...it, state} : one,
              )),
          )
        }
        if (wanted !== undefined) {
          const {kind, key} = wanted
          write(() => {
            if (table.notifications.every((one) => one.key !== key))
              table.notifications.push(notification(kind, {key}))
          })
        }
        if (isRunOver) write(() => (table.runSinceMs = undefined))
      }
      const expected: string[] = []
      for (const {rest, runMs, repeats, diesAfter} of steps) {
        nowMs += 5000
        Object.assign(table, {status: 'active', sinceMs: nowMs, runSinceMs: nowMs})
        look(false, 'begun')
        expect(table.notifications.filter(({state}) => state === 'open')).toEqual([])
        nowMs += runMs
        const needsYou = rest === 'needsYou'
        Object.assign(table, {status: needsYou ? 'idle' : rest, sinceMs: nowMs})
        lives = diesAfter ?? Infinity
        look(needsYou, 'read')
        lives = Infinity // whoever died is back, reads the table, and is told the status again
        for (let again = 0; again <= repeats; again += 1) look(needsYou, 'read')
        const kind = {
          ...{pending_user: 'needs-you', needsYou: 'needs-you', failed: 'failed'},
          ...{ready_for_review: 'review', idle: runMs > 60_000 ? 'done' : undefined},
        }[rest]
        if (kind !== undefined) expected.push(kind)
        expect(table.notifications.map((one) => one.kind)).toEqual(expected)
      }
    }),
  )
})

describe('the messages of a call', () => {
  const posts = (more: Partial<Notification>) =>
    notificationPosts(notification('needs-you', more), {threadId: 't'})

  test('are one for the call and one for each reminder', () => {
    const keys = posts({reminders: 2}).map(({key}) => key)
    expect(keys).toEqual(['ping:needs-you', 'ping:needs-you:1', 'ping:needs-you:2'])
    expect(posts({}).map(({isCreated}) => isCreated)).toEqual([true])
  })

  test('are not made up for: whoever could not be reminded for long is called once', () => {
    expect(posts({reminders: 2}).map(({isCreated}) => isCreated)).toEqual([false, false, true])
  })

  test('are not made any more when it is over', () => {
    for (const {isCreated, isFinal} of posts({state: 'over', reminders: 1})) {
      expect([isCreated, isFinal]).toEqual([false, true])
    }
  })
})

describe('the question', () => {
  test('is the end of what was said, in whole paragraphs', () => {
    const text = `${'Long ago. '.repeat(50)}\n\nA or B?\n\nWhich one?\n`
    expect(questionIn(text)).toBe('A or B?\n\nWhich one?')
    expect(questionIn('Which?')).toBe('Which?')
    expect(questionIn(`${'x'.repeat(5000)}?`)).toHaveLength(1000)
  })
})

test('a call that bears cards is made also when it is over: they stand nowhere else', () => {
  const address = 'https://github.com/acme/web/pull/1'
  const posts = (cards: readonly string[]) => {
    const over = {state: 'over', words: {cards}, reminders: 1} as const
    return notificationPosts(notification('review', over), {threadId: 't'})
  }
  expect(posts([address]).map(({isCreated}) => isCreated)).toEqual([true, false])
  expect(posts([]).map(({isCreated}) => isCreated)).toEqual([false, false])
})

test('who answered is said where somebody can, and as an earlier version has said it', () => {
  const by = {state: 'answered', endedBy: 'U2'} as const
  const endedBy = (kind: NotificationKind, words: Notification['words']) =>
    notificationPosts(notification(kind, {...by, words}), {threadId: 't'}).map(({content}) =>
      content.kind === 'ping' ? content.endedBy : 'nobody',
    )
  expect(endedBy('needs-you', {cards: []})).toEqual(['U2'])
  expect(endedBy('done', {cards: []})).toEqual([undefined])
  expect(endedBy('done', {})).toEqual(['U2'])
})
