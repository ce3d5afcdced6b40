import {describe, expect, test} from 'vitest'
import {createArchiveActs} from '../../../src/features/conversation/archiving.ts'
import {createNotificationActs} from '../../../src/features/conversation/calls/answering.ts'
import {createListActs} from '../../../src/features/conversation/lists.ts'
import {createManageActs} from '../../../src/features/conversation/manage.ts'
import {createManageModal} from '../../../src/features/conversation/manage-modal.ts'
import {createStopActs} from '../../../src/features/conversation/stops.ts'
import {conversationTexts} from '../../../src/features/conversation/texts.ts'
import {PlatformForbidden} from '../../../src/platform/errors.ts'
import {ACTIONS, FORMS, HOME} from '../../../src/slack/ids.ts'
import type {Form} from '../../../src/slack/incoming/form.ts'
import type {Press} from '../../../src/slack/incoming/press.ts'
import {moment} from '../../../src/slack/markup/lines.ts'
import {texts} from '../../../src/slack/texts.ts'
import {pressOf} from '../../support/presses.ts'
import {openDesk} from '../../support/desk.ts'

const {done} = conversationTexts.manage
const who = {team: 'T1', user: 'U1', userTeam: 'T1'}
const AT_WORK = {status: 'active'}

/** Everything that is done to work, with the views that it opens and the lists that it asks for. */
async function setUp(...change: Parameters<typeof openDesk>) {
  const desk = await openDesk(...change)
  const views: string[] = []
  const listed: unknown[] = []
  let isTriggerDead = false
  let areClosed = false
  const forms = {
    open: async (_trigger: string, view: object) => {
      if (isTriggerDead) return undefined
      views.push(JSON.stringify(view))
      return 'V1'
    },
    update: async (_id: string, view: object) => {
      if (!areClosed) views.push(JSON.stringify(view))
      return !areClosed
    },
  } as never
  const tools = {...desk.tools, forms, zoneOf: async () => 'Europe/Berlin'}
  const manageModal = createManageModal({...tools, offersRoom: async () => true})
  const acts = [
    ...createArchiveActs({...tools, manageModal}),
    ...createManageActs({...tools, manageModal}),
    ...createListActs({...tools, list: async (...asked) => (listed.push(asked), {})}),
    ...createStopActs({...tools, posts: desk.store.posts}),
    ...createNotificationActs({...tools, onSnoozed: () => undefined}),
  ]
  const {id} = await desk.link()
  const metadata = JSON.stringify({channel: 'C1', slackThread: '1.0', link: id})
  const modal = {id: 'V1', hash: 'h', callbackId: 'bosun:manage', metadata}
  return {
    ...desk,
    ...{views, listed, acts, id},
    dieTriggers: () => void (isTriggerDead = true),
    closeModals: () => void (areClosed = true),
    press: async (actionId: string, more: Partial<Press> = {}) =>
      desk.run(acts, pressOf({actionId, value: id, threadTs: '1.0', ...more}), {id: 900}),
    /** The same, in the modal that has all about the work. */
    pressInModal: async (actionId: string) =>
      desk.run(acts, pressOf({actionId, value: id, channel: undefined, view: modal}), {id: 900}),
    submit: async (callbackId: string, of: object, values: Record<string, string>) => {
      const view = {...modal, callbackId, metadata: JSON.stringify({channel: 'C1', ...of})}
      const entered = {values: new Map(Object.entries(values)), blocks: new Set<string>()}
      const form = {kind: 'form', ...who, callbackId, view, ...entered} as unknown as Form
      await desk.run(acts, form, {id: 900})
    },
    call: async (words = {}) => {
      const call = {linkId: id, key: 'k', kind: 'needs-you', person: 'U1', words} as const
      const notification = await desk.store.notifications.add({...call, remindAtMs: 5}, 0)
      return notification?.id ?? ''
    },
  }
}

describe('archiving', () => {
  test('puts away what rests at once, and asks about what works', async () => {
    const rests = await setUp()
    await rests.press(ACTIONS.archive)
    expect([rests.calls, rests.views, rests.said]).toEqual([['archive'], [], []])
    expect(await rests.link()).toMatchObject({state: 'archived', status: 'archived'})
    const works = await setUp(AT_WORK)
    await works.press(ACTIONS.archive)
    expect([works.calls, works.views.length]).toEqual([[], 1])
    expect(works.views[0]).toContain(conversationTexts.archiving.question)
    expect(works.views[0]).not.toContain('still waiting')
    await works.message('waiting')
    await works.press(ACTIONS.archive)
    expect(works.views[1]).toContain(conversationTexts.archiving.waiting(1))
    works.dieTriggers()
    await works.press(ACTIONS.archive)
    expect(works.said).toEqual([texts.tooLateToOpen])
  })

  test('asks in the modal where it was pressed', async () => {
    const {pressInModal, views, calls, said} = await setUp(AT_WORK)
    await pressInModal(ACTIONS.archive)
    expect(views).toHaveLength(1)
    expect(views[0]).toContain(conversationTexts.archiving.question)
    expect([calls, said]).toEqual([[], []])
  })

  test('of what is put away already, though it still works, asks nothing', async () => {
    const {press, calls, views, link} = await setUp({...AT_WORK, state: 'archived'})
    await press(ACTIONS.archive)
    expect([calls, views]).toEqual([[], []])
    expect((await link()).state).toBe('archived')
  })

  test.each([
    [ACTIONS.stopAndArchive, ['interrupt', 'archive']],
    [ACTIONS.archiveOnly, ['archive']],
  ])('by %s', async (action, asked) => {
    const {press, calls, link} = await setUp(AT_WORK)
    await press(action)
    expect(calls).toEqual(asked)
    expect(await link()).toMatchObject({state: 'archived'})
  })
})

describe('what came of a press', () => {
  test('is seen on the card, or stands in the modal where it was pressed', async () => {
    const {press, pressInModal, views, said, link} = await setUp()
    await press(ACTIONS.mute)
    expect([(await link()).muted, views, said]).toEqual([true, [], []])
    await press(ACTIONS.mute)
    expect(said).toEqual([conversationTexts.words.alreadyMuted])
    await pressInModal(ACTIONS.unmute)
    expect((await link()).muted).toBe(false)
    expect(views).toEqual([expect.stringContaining(done.unmute)])
    expect(said).toHaveLength(1)
  })

  test('stands in the modal beside all that it told before', async () => {
    const {press, pressInModal, views} = await setUp(AT_WORK)
    await press(ACTIONS.details)
    const room = '"action_id":"bosun:room-open"'
    const before = views.at(-1)
    expect(before).toContain(room)
    await pressInModal(ACTIONS.mute)
    expect(views.at(-1)).toContain(room)
    expect(views.at(-1)).toContain(done.mute)
  })

  test('that was refused is told where the modal was opened, if it is closed by then', async () => {
    const {pressInModal, closeModals, said} = await setUp({state: 'ended', threadId: undefined})
    closeModals()
    await pressInModal(ACTIONS.stop)
    expect(said).toHaveLength(1)
  })

  test('is seen by itself in App Home, which is no modal', async () => {
    const {run, acts, id, views, said} = await setUp(AT_WORK)
    const view = {id: 'V', hash: 'h', callbackId: HOME, metadata: ''}
    const press = pressOf({actionId: ACTIONS.stop, value: id, channel: undefined, view})
    await run(acts, press, {id: 900})
    expect([views, said]).toEqual([[], []])
    await run(acts, press, {id: 901})
    expect(said).toEqual([])
  })

  test('is a title, the new one or the same', async () => {
    const {press, pressInModal, answers, link, said, views} = await setUp({title: 'Old'})
    await press(ACTIONS.newTitle)
    expect([(await link()).title, said]).toEqual(['Newer', []])
    for (const title of ['Newer', undefined]) {
      answers.title = title
      await press(ACTIONS.newTitle)
    }
    expect([(await link()).title, said]).toEqual(['Newer', [done.sameTitle, done.sameTitle]])
    answers.title = 'Newest'
    await pressInModal(ACTIONS.newTitle)
    expect(views).toEqual([expect.stringContaining(done.newTitle('Newest'))])
  })

  test('is all about it where that is asked for, unless Slack opens nothing any more', async () => {
    const {press, views, said, dieTriggers} = await setUp({title: 'Prices'})
    await press(ACTIONS.details)
    expect(views[0]).toContain('Prices')
    dieTriggers()
    await press(ACTIONS.details)
    expect(said).toEqual([texts.tooLateToOpen])
  })

  test('is a refusal, with the platform’s words', async () => {
    const {press, answers, said} = await setUp(AT_WORK)
    answers.interrupt = new PlatformForbidden('no', {status: 403, fields: {message: 'Not now'}})
    await press(ACTIONS.stop)
    expect(said).toEqual([expect.stringContaining('Not now')])
  })
})

describe('a sign of stopping', () => {
  const native = {kind: 'native stop', ...who, channel: 'C1', eventTs: '3.0'} as const
  test.each([
    [{threadTs: '1.0'}, ['interrupt']],
    [{threadTs: '7.0'}, []],
    [{threadTs: undefined}, []],
  ])('of Slack’s own in %o', async (at, asked) => {
    const {run, acts, calls, said} = await setUp(AT_WORK)
    await run(acts, {...native, ...at}, {id: 900})
    expect([calls, said]).toEqual([asked, []])
  })

  test('on work that rests says nothing', async () => {
    const {run, acts, said} = await setUp()
    await run(acts, {...native, threadTs: '1.0'}, {id: 900})
    expect(said).toEqual([])
  })

  test('is an emoji on a message of ours, and nothing on one of others', async () => {
    const {run, acts, calls, store, id} = await setUp(AT_WORK)
    const card = {key: 'card', delivery: undefined, draft: undefined}
    await store.posts.intend(id, card, 0)
    const confirmed = {key: 'card', ts: '1.1', hash: undefined, final: false, draft: undefined}
    await store.posts.confirm(id, confirmed)
    const sign = {
      kind: 'reaction',
      ...who,
      name: 'octagonal_sign',
      channel: 'C1',
      eventTs: '3.0',
    } as const
    await run(acts, {...sign, ts: '1.2'}, {id: 900})
    expect(calls).toEqual([])
    await run(acts, {...sign, ts: '1.1'}, {id: 900})
    expect(calls).toEqual(['interrupt'])
  })
})

describe('a list of work', () => {
  test('pages and filters where it stands, and nowhere without a channel', async () => {
    const {run, acts, listed, said} = await setUp()
    const more = pressOf({actionId: ACTIONS.listMore, value: 'mine.5.l9'})
    await run(acts, more)
    const at = {team: 'T1', channel: 'C1', user: 'U1'}
    const from = {madeAtMs: 5, id: 'l9'}
    expect(listed).toEqual([[{kind: 'mine', filter: 'all', from}, at, from]])
    const filter = pressOf({actionId: ACTIONS.listFilter, value: 'running'})
    await run(acts, filter)
    expect(listed[1]).toEqual([{kind: 'mine', filter: 'running'}, at])
    for (const press of [more, filter]) {
      await run(acts, {...press, channel: undefined})
      await run(acts, {...press, value: 'nonsense'})
    }
    expect(listed).toHaveLength(2)
    expect(said).toEqual(Array.from({length: 4}, () => texts.notHere))
  })

  test.each<[string, Partial<Press>, string | undefined]>([
    ['in its channel', {user: 'U2'}, undefined],
    ['of their own, from elsewhere', {channel: 'C2'}, undefined],
    ['of somebody else elsewhere', {channel: 'C2', user: 'U2'}, texts.commands.list.notYours],
    ['of another workspace', {team: 'T2', userTeam: 'T2'}, texts.notHere],
  ])('stops work %s', async (_which, of, refusal) => {
    const {run, acts, id, calls, said} = await setUp({...AT_WORK, title: 'Prices'})
    await run(acts, pressOf({actionId: ACTIONS.listStop, value: `${id}.stop.here`, ...of}), {id: 9})
    const {stopping} = texts.commands.list
    expect(calls).toEqual(refusal === undefined ? ['interrupt'] : [])
    expect(said).toEqual([refusal ?? stopping('Prices')])
  })
})

describe('a call', () => {
  const HOUR_MS = 3_600_000
  const PRESSED_MS = 500_000_000

  test.each([
    ['1h', PRESSED_MS + HOUR_MS],
    ['4h', PRESSED_MS + 4 * HOUR_MS],
    ['whatever', PRESSED_MS + HOUR_MS],
    ['silence', undefined],
  ])('is put off from the press on, by %s', async (choice, untilMs) => {
    const {press, call, said, store} = await setUp()
    const id = await call()
    const actionTs = String(PRESSED_MS / 1000)
    await press(ACTIONS.snooze, {value: `${id}.${choice}`, actionTs})
    const {until, silent} = texts.notifications.snooze
    expect(said).toEqual([untilMs === undefined ? silent : until(moment(untilMs))])
    expect((await store.notifications.byId(id))?.remindAtMs).toBe(untilMs)
  })

  test('is put off by who is called alone, while it is open', async () => {
    const {press, call, said, store} = await setUp()
    const id = await call()
    await press(ACTIONS.snooze, {value: `${id}.1h`, user: 'U2'})
    await store.notifications.end(id, 'over', undefined)
    await press(ACTIONS.snooze, {value: `${id}.1h`})
    expect(said).toEqual([texts.notifications.snooze.notYours, texts.notifications.over])
  })

  test('is answered in a form, unless it is over', async () => {
    const {press, call, said, views, store, dieTriggers} = await setUp()
    const id = await call({question: 'Which database?'})
    await press(ACTIONS.answer, {value: id})
    expect(views).toEqual([expect.stringContaining('Which database?')])
    dieTriggers()
    await press(ACTIONS.answer, {value: id})
    await store.notifications.end(id, 'answered', 'U2')
    await press(ACTIONS.answer, {value: id})
    expect(said).toEqual([texts.tooLateToOpen, texts.notifications.over])
  })

  test('keeps what was answered, and says so to whoever came too late', async () => {
    const {submit, call, said, store, calls} = await setUp()
    const ping = await call()
    await submit(FORMS.answer, {ping}, {answer: ' Postgres '})
    expect([calls, said]).toEqual([['send'], []])
    const answers = [{by: 'U1', text: 'Postgres'}]
    expect((await store.notifications.byId(ping))?.words).toEqual({answers})
    await store.notifications.end(ping, 'answered', 'U2')
    await submit(FORMS.answer, {ping}, {answer: 'SQLite'})
    expect(said).toEqual([texts.notifications.form.alreadyAnswered])
    await submit(FORMS.answer, {ping, channel: 'C2'}, {answer: 'x'})
    expect(said.at(-1)).toBe(texts.notHere)
  })

  test('says nothing to who answered it themselves before a crash, and keeps what was not sent from them', async () => {
    const mine = await setUp()
    const ping = await mine.call()
    await mine.store.notifications.end(ping, 'answered', 'U1')
    await mine.submit(FORMS.answer, {ping}, {answer: 'Postgres'})
    expect(mine.said).toEqual([])
    const gone = await setUp({state: 'ended'})
    const over = await gone.call()
    await gone.submit(FORMS.answer, {ping: over}, {answer: 'Postgres'})
    expect(gone.said).toEqual([expect.stringContaining('Postgres')])
    expect((await gone.store.notifications.byId(over))?.words).toEqual({})
  })
})

describe('trying again', () => {
  const {notFailed, unknown} = texts.notifications.again
  test('tells the agent of a run that failed, once for each failure', async () => {
    const {press, calls, said} = await setUp({status: 'failed', statusSinceMs: 5})
    await press(ACTIONS.tryAgain)
    await press(ACTIONS.tryAgain)
    expect([calls, said]).toEqual([['send'], []])
  })

  test('is nothing where nothing failed', async () => {
    const {press, calls, said} = await setUp()
    await press(ACTIONS.tryAgain)
    expect([calls, said]).toEqual([[], [notFailed]])
  })

  test('starts what ended anew, as if nothing had been', async () => {
    const before = {
      ...{status: 'failed', stoppedBy: 'U2', steps: 7, credits: 3, cursor: 'c', needsYou: true},
      ...{pullRequest: 'https://a.example/1', runSinceMs: 4, plan: 'approved' as const},
    }
    const {press, calls, said, link} = await setUp({state: 'ended', ...before})
    await press(ACTIONS.tryAgain)
    expect([calls, said]).toEqual([['create'], []])
    expect(await link()).toMatchObject({
      ...{state: 'open', threadId: 't2', status: 'active', attempt: 1, plan: 'asked'},
      ...{stoppedBy: undefined, steps: 0, credits: undefined, cursor: undefined, needsYou: false},
      pullRequest: undefined,
    })
  })

  test('asks for a plan only where one was asked for', async () => {
    const {press, link} = await setUp({state: 'ended'})
    await press(ACTIONS.tryAgain)
    expect((await link()).plan).toBeUndefined()
  })

  test('is not possible where nobody knows what it was to do', async () => {
    const {press, calls, said} = await setUp({state: 'ended', ask: undefined} as never)
    await press(ACTIONS.tryAgain)
    expect([calls, said]).toEqual([[], [unknown]])
  })
})
