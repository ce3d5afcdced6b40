import {describe, expect, test} from 'vitest'
import {PlatformNotFound} from '../../../src/platform/errors.ts'
import type {Frame} from '../../../src/platform/stream/frame.ts'
import type {LinkKeeper} from '../../../src/relay/link-keeper.ts'
import {createNotifying} from '../../../src/relay/notifications/notifying.ts'
import {createNaming} from '../../../src/relay/posts/pull-request.ts'
import {createTimeline, fold} from '../../../src/relay/timeline/timeline.ts'
import type {Link, LinkChange} from '../../../src/store/tables/work/link.ts'
import type {Notification, NotificationStore} from '../../../src/store/tables/work/notifications.ts'
import type {PostRow, PostStore} from '../../../src/store/tables/work/posts.ts'
import type {SendStore} from '../../../src/store/tables/work/sends.ts'
import {FRESH_LINK} from '../../support/fresh-link.ts'
import {createManualClock} from '../manual-clock.ts'
import {clientOf} from '../relay-options.ts'

/** The calls of one link. */
function callsInMemory(): NotificationStore {
  const rows: Notification[] = []
  const change = (id: string, to: Partial<Notification>): Notification | undefined => {
    const at = rows.findIndex((row) => row.id === id)
    const row = rows[at]
    if (row === undefined) return undefined
    rows[at] = {...row, ...to}
    return rows[at]
  }
  const store: Pick<NotificationStore, 'ofLink' | 'placeOf' | 'add' | 'reopen' | 'end'> = {
    ofLink: async () => [...rows],
    placeOf: async () => FRESH_LINK.id,
    add: async (call, madeAtMs) => {
      if (rows.some(({key}) => key === call.key)) return undefined
      const fresh = {
        id: `n${rows.length}`,
        state: 'open',
        endedBy: undefined,
        reminders: 0,
      } as const
      rows.push({...call, ...fresh, madeAtMs})
      return rows.at(-1)
    },
    reopen: async ({id, ...to}) => change(id, {...to, state: 'open', endedBy: undefined}),
    end: async (id, state, endedBy) => void change(id, {state, endedBy}),
  }
  return store as NotificationStore
}

interface Setting {
  link?: LinkChange
  /** The messages of a reply, as our table has them. */
  parts?: readonly Partial<PostRow>[]
  /** Of ours, in the same Slack thread. */
  others?: readonly string[]
  isSpokenBehind?: boolean
  /** What the transcript holds from before we listened; without it there is none. */
  transcript?: readonly object[]
}

/** Work, and the people who are called to it while its stream says this and that. */
function openWork({link: of, parts = [], others = [], ...own}: Setting = {}) {
  let link: Link = {...FRESH_LINK, ...of}
  const clock = createManualClock()
  const told = {changes: 0, notified: [] as string[]}
  const work: Promise<void>[] = []
  const note = (values: LinkChange): void => {
    link = {...link, ...values}
  }
  const keeper = {
    ...{link: () => link, note, change: async (values: LinkChange) => note(values)},
    keep: (one: Promise<void>) => void work.push(one),
  } as unknown as LinkKeeper
  let timeline = createTimeline({...link, cursor: 'c', drafts: []})
  const naming = createNaming(keeper)
  const knownTs = async () => new Set([...parts.flatMap(({ts}) => ts ?? []), ...others])
  const notifications = callsInMemory()
  const notifying = createNotifying({
    ...{keeper, naming, clock, notifications, timeline: () => timeline},
    ...{noiseOf: async () => 'normal', signal: new AbortController().signal},
    sends: {firstSince: async () => undefined} as unknown as SendStore,
    posts: {ofDelivery: async () => parts, knownTs} as unknown as PostStore,
    isSpokenBehind: async () => own.isSpokenBehind === true,
    clientOf: () =>
      clientOf(async () => {
        if (own.transcript === undefined) throw new PlatformNotFound('no such thread')
        return {items: own.transcript, cursor: null}
      }),
    onChanged: async () => void (told.changes += 1),
    onNotified: (_link, {kind}) => void told.notified.push(kind),
  })
  const settled = async (): Promise<void> => {
    // Whatever is begun meanwhile is kept, too.
    for (let done = 0; done < work.length; done += 1) await work[done]
  }
  const hear = async (...frames: Frame[]): Promise<void> => {
    for (const frame of frames) {
      const statusBefore = timeline.status
      timeline = fold(timeline, frame, {nowMs: clock.dateMs(), isOurs: false})
      const {status, statusSinceMs} = timeline
      const isNews = status !== statusBefore
      if (isNews) note({status, statusSinceMs})
      if (frame.type === 'transcript') naming.note(frame.entry, timeline)
      notifying.hear(frame, {isNews, statusBefore})
      await settled()
    }
  }
  const look = async (as: Parameters<typeof notifying.look>[0]): Promise<void> => {
    notifying.look(as)
    await settled()
  }
  /** It came to rest in this way, and was read then. */
  const rests = async (status: string): Promise<void> => {
    await hear({type: 'status', status})
    await look('read')
  }
  const calls = () => notifications.ofLink(link.id)
  return {clock, keeper, told, hear, look, rests, calls, settled, notifying}
}

const run = (phase: string): Frame => ({type: 'run', phase})
const HEARTBEAT: Frame = {type: 'heartbeat'}
const WORKS: Frame[] = [{type: 'status', status: 'active'}, run('start')]
let entries = 0
const entry = (source: string, text: string, callId?: string): Frame => {
  const nothing = {tool: undefined, model: undefined, authorName: undefined, attachments: undefined}
  const id = `e${(entries += 1)}`
  return {type: 'transcript', cursor: id, entry: {id, source, text, callId, ...nothing}}
}
const asks = (question: string, callId?: string) => entry('assistant', question, callId)

describe('a question', () => {
  test('calls whoever asked for the work, once, and reminds them after half an hour', async () => {
    const {hear, rests, calls, clock, told} = openWork()
    await hear(...WORKS, asks('I looked around.\n\nShall I go on?', 'A'))
    await rests('pending_user')
    expect(await calls()).toMatchObject([
      {
        ...{kind: 'needs-you', person: 'U1', state: 'open', reminders: 0},
        remindAtMs: clock.dateMs() + 1_800_000,
      },
    ])
    const [call] = await calls()
    // It is about to stand right above.
    const question = 'I looked around.\n\nShall I go on?'
    expect(call?.words).toEqual({cards: [], question, ranMs: 0, mark: 'A'})
    await rests('pending_user')
    expect(await calls()).toHaveLength(1)
    expect(told).toEqual({changes: 1, notified: ['needs-you']})
  })

  test('is what was said last in words, and not what showed nothing', async () => {
    const {hear, rests, calls} = openWork()
    await hear(...WORKS, asks('Shall I go on?', 'A'), asks(' \n ', 'B'))
    await rests('pending_user')
    expect(await calls()).toMatchObject([{words: {question: 'Shall I go on?', mark: 'A'}}])
  })

  test('from before we listened is read in the transcript', async () => {
    const transcript = [
      {id: 'm1', source: 'assistant', text: 'Hello.'},
      {id: 'm2', source: 'assistant', text: 'Which one?\n\n1. Red\n2. Blue'},
    ]
    const {rests, calls} = openWork({transcript})
    await rests('pending_user')
    expect(await calls()).toMatchObject([
      {words: {question: 'Which one?\n\n1. Red\n2. Blue', offers: ['1. Red', '2. Blue']}},
    ])
  })

  test.for<[string, Setting, boolean]>([
    ['right above', {parts: [{ts: '1.9'}]}, false],
    ['right above, whatever part our table names last', {parts: [{ts: '1.9'}, {ts: '1.5'}]}, false],
    ['above another message of ours', {parts: [{ts: '1.5'}], others: ['1.7']}, true],
    ['below other messages of ours', {parts: [{ts: '1.5'}], others: ['1.3']}, false],
    ['above what somebody wrote', {parts: [{ts: '1.5'}], isSpokenBehind: true}, true],
    ['at the end of a file', {parts: [{ts: '1.5'}, {ts: '1.9', file: 'F1'}]}, true],
    ['behind a file', {parts: [{ts: '1.5', file: 'F1'}, {ts: '1.9'}]}, false],
  ])('that stands %s', async ([, setting, isQuoted]) => {
    const {hear, rests, calls} = openWork(setting)
    await hear(...WORKS, asks('Shall I go on?', 'A'))
    await rests('pending_user')
    const [call] = await calls()
    expect(call?.words.isQuoted === true).toBe(isQuoted)
  })

  test('is answered when the agent works again, which the message then says', async () => {
    const {hear, rests, calls, told} = openWork()
    await hear(...WORKS, asks('Shall I go on?', 'A'))
    await rests('pending_user')
    // The end of the run may be told behind the status that it led to.
    await hear(run('end'), HEARTBEAT)
    expect(await calls()).toMatchObject([{state: 'open'}])
    expect(told.changes).toBe(1)
    await hear(run('start'))
    expect(await calls()).toMatchObject([{state: 'answered'}])
    expect(told).toEqual({changes: 2, notified: ['needs-you']})
  })

  test('that follows another one while the agent is not heard to work is another call', async () => {
    const {hear, rests, calls, clock, keeper} = openWork()
    await hear(...WORKS, asks('Red or blue?', 'A'))
    await rests('pending_user')
    clock.advance(1000)
    await hear(entry('user', 'Blue.'), asks('Light or dark?', 'B'))
    const states = (await calls()).map(({state, words}) => [state, words.question])
    expect(states).toEqual([
      ['answered', 'Red or blue?'],
      ['open', 'Light or dark?'],
    ])
    expect(keeper.link().runSinceMs).toBeUndefined()
  })
})

describe('what else calls', () => {
  test('reminds nobody: the end of a long run, with the time that it took', async () => {
    const {hear, rests, calls, clock, keeper} = openWork()
    await hear(...WORKS, asks('All is done.', 'A'))
    clock.advance(61_000)
    await rests('idle')
    const [call, ...more] = await calls()
    expect([call?.kind, call?.remindAtMs, more]).toEqual(['done', undefined, []])
    expect(call?.words).toEqual({cards: [], ranMs: 61_000, mark: 'A'})
    // Whatever is heard at rest is no run.
    await hear(HEARTBEAT, HEARTBEAT)
    expect(keeper.link().runSinceMs).toBeUndefined()
  })

  test.for<[string, Frame[], object]>([
    ['what it did last', [entry('tool', 'Ran npm test')], {step: 'Ran npm test'}],
    [
      'what the platform says, whatever it did last',
      [entry('system', 'Out of memory'), entry('tool', 'Ran npm test')],
      {said: 'Out of memory'},
    ],
    [
      'nothing of an earlier run',
      [entry('system', 'Out of memory'), run('end'), run('start'), entry('tool', 'Ran npm test')],
      {step: 'Ran npm test'},
    ],
    [
      'nothing of what was before somebody wrote',
      [entry('system', 'Out of memory'), entry('user', 'again'), entry('tool', 'Ran npm test')],
      {step: 'Ran npm test'},
    ],
  ])('says why it failed: %s', async ([, frames, reason]) => {
    const {hear, rests, calls} = openWork()
    await hear(...WORKS, asks('I begin.', 'A'), ...frames)
    await rests('failed')
    const [call] = await calls()
    expect(call).toMatchObject({kind: 'failed', remindAtMs: undefined})
    expect(call?.words.reason).toEqual(reason)
    expect(call?.words.question).toBeUndefined()
  })

  test('bears the cards of five pull requests; others stand by themselves', async () => {
    const {hear, rests, calls, keeper} = openWork()
    const named = [1, 2, 3, 4, 5, 6].map((number) => `https://github.com/acme/web/pull/${number}`)
    await hear(...WORKS)
    for (const half of [named.slice(0, 3), named.slice(3)]) {
      await hear(asks(`Look at ${half.join(' and ')}`, half[0]))
    }
    await rests('ready_for_review')
    expect(await calls()).toMatchObject([{kind: 'review', words: {cards: named.slice(0, 5)}}])
    const cards = keeper.link().pullRequests.map(({card}) => card)
    expect(cards).toEqual(['called', 'called', 'called', 'called', 'called', 'own'])
  })
})

describe('whether somebody is still needed is sure', () => {
  const connects = async (work: ReturnType<typeof openWork>, status: string) => {
    await work.hear({type: 'broken'}, {type: 'connected'}, {type: 'status', status})
    return work.notifying.isSure()
  }

  test('once what rests was read behind each new connection', async () => {
    const work = openWork()
    expect(await connects(work, 'pending_user')).toBe(false)
    await work.look('heard')
    expect(work.notifying.isSure()).toBe(false)
    await work.hear(HEARTBEAT)
    await work.look('read')
    expect(work.notifying.isSure()).toBe(true)
    expect(await connects(work, 'pending_user')).toBe(false)
    await work.hear(HEARTBEAT)
    await work.look('read')
    expect(work.notifying.isSure()).toBe(true)
    work.notifying.doubt()
    expect(work.notifying.isSure()).toBe(false)
  })

  test('at once of what works, unless it needed somebody beside that', async () => {
    expect(await connects(openWork(), 'active')).toBe(true)
    const waiting = openWork()
    expect([await connects(waiting, 'waiting'), await connects(waiting, 'waiting')]).toEqual([
      true,
      true,
    ])
    const asking = openWork({link: {needsYou: true}})
    expect(await connects(asking, 'waiting')).toBe(false)
    await asking.hear(HEARTBEAT)
    await asking.look('read')
    expect(asking.notifying.isSure()).toBe(true)
  })
})

describe('a plan that was asked for', () => {
  const link: LinkChange = {plan: 'asked'}

  test('stands once its run rests, and waits for a word', async () => {
    const {hear, rests, calls, keeper} = openWork({link})
    await hear(...WORKS, asks('Shall it be so?\n\n1. Yes\n2. No', 'A'))
    expect(keeper.link().plan).toBe('asked')
    await rests('ready_for_review')
    expect(keeper.link().plan).toBe('planned')
    const [call] = await calls()
    expect(call).toMatchObject({kind: 'needs-you', words: {plan: true}})
    // There is one button, which goes ahead.
    expect(call?.words.offers).toBeUndefined()
    await hear(run('start'))
    expect(keeper.link().plan).toBe('changed')
  })

  test('stands nowhere as long as nothing was said, or where the run failed', async () => {
    const silent = openWork({link, transcript: []})
    await silent.hear(...WORKS)
    await silent.rests('ready_for_review')
    expect(silent.keeper.link().plan).toBe('asked')
    expect(await silent.calls()).toMatchObject([{kind: 'review'}])

    const failed = openWork({link})
    await failed.hear(...WORKS, asks('First I will look.', 'A'))
    await failed.rests('failed')
    expect(failed.keeper.link().plan).toBe('asked')
  })

  test('is one that waits for a word also in the other vocabulary', async () => {
    const {hear, rests, calls, keeper} = openWork({link: {...link, needsYou: true}})
    await hear(asks('First I will look.', 'A'))
    await rests('idle')
    expect(keeper.link().plan).toBe('planned')
    expect(await calls()).toMatchObject([{kind: 'needs-you', words: {plan: true}}])
  })
})

describe('nobody is called', () => {
  test('before the thread was read', async () => {
    const {hear, look, calls} = openWork()
    await hear(...WORKS, asks('Shall I go on?', 'A'), {type: 'status', status: 'pending_user'})
    await hear(HEARTBEAT)
    await look('heard')
    expect(await calls()).toEqual([])
    await look('read')
    expect(await calls()).toHaveLength(1)
  })

  test('before the thread was read, also while a connection brings what was missed', async () => {
    const {hear, look, calls} = openWork()
    await hear({type: 'connected'}, {type: 'status', status: 'pending_user'})
    await look('heard')
    await hear(asks('Shall I go on?', 'A'), HEARTBEAT)
    expect(await calls()).toEqual([])
  })

  test('in front of the words that a new connection brings', async () => {
    const {hear, rests, calls} = openWork()
    await hear({type: 'connected'})
    await rests('pending_user')
    await hear(asks('Shall I go on?', 'A'))
    expect(await calls()).toEqual([])
    await hear(HEARTBEAT)
    expect(await calls()).toMatchObject([{words: {question: 'Shall I go on?'}}])
  })

  test('while a connection still brings something, and after that once it is silent', async () => {
    const {hear, rests, calls, clock, settled} = openWork()
    await hear({type: 'connected'})
    clock.advance(4000)
    await rests('pending_user')
    await hear(asks('Shall I go on?', 'A'))
    clock.advance(4000)
    await settled()
    expect(await calls()).toEqual([])
    clock.advance(1000)
    await settled()
    expect(await calls()).toHaveLength(1)
  })

  test('while the connection that brings it is broken, for a minute', async () => {
    const {hear, rests, calls, clock, settled} = openWork()
    await hear({type: 'connected'})
    await rests('pending_user')
    await hear({type: 'broken'})
    clock.advance(59_000)
    await settled()
    expect(await calls()).toEqual([])
    clock.advance(1000)
    await settled()
    expect(await calls()).toHaveLength(1)
  })
})

describe('a pull request that is named', () => {
  const address = 'https://github.com/acme/web/pull/1'
  const cardsOf = ({keeper}: ReturnType<typeof openWork>) =>
    keeper.link().pullRequests.map(({card}) => card)

  test('at work has its card once the agent rests', async () => {
    const work = openWork()
    await work.hear(...WORKS, asks(`See ${address}`, 'A'), HEARTBEAT)
    expect(cardsOf(work)).toEqual(['due'])
    await work.rests('idle')
    expect(cardsOf(work)).toEqual(['own'])
  })

  test('at rest has its card at once, and so it has while the agent waits for others', async () => {
    const resting = openWork()
    await resting.hear(...WORKS, asks('All is done.', 'A'))
    await resting.rests('idle')
    await resting.hear(asks(`See ${address}`, 'B'))
    expect(cardsOf(resting)).toEqual(['own'])

    const waiting = openWork()
    await waiting.hear(...WORKS, {type: 'status', status: 'waiting'}, asks(`See ${address}`, 'A'))
    expect(cardsOf(waiting)).toEqual(['own'])
  })
})
