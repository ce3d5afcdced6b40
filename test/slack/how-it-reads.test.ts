import {describe, expect, test} from 'vitest'
import {toSeen} from '../../src/features/watch/sightings.ts'
import {threadSchema} from '../../src/platform/model.ts'
import {decide} from '../../src/relay/notifications/who-is-needed.ts'
import {wantedPosts} from '../../src/relay/posts/posts.ts'
import {createTimeline} from '../../src/relay/timeline/timeline.ts'
import {drawAnnouncement} from '../../src/features/watch/views/announcement.ts'
import {drawCaptains} from '../../src/features/captains/views/list.ts'
import {drawEntity} from '../../src/features/unfurls/views/entity.ts'
import {drawUnfurl} from '../../src/features/unfurls/views/unfurl.ts'
import {draw} from '../../src/slack/draw/draw.ts'
import {drawFound} from '../../src/features/browse/find/views/found.ts'
import {drawRow} from '../../src/slack/draw/list.ts'
import {drawManage} from '../../src/features/conversation/views/manage.ts'
import {createHome} from '../../src/features/home/home.ts'
import {createOwnWork} from '../../src/slack/own-work.ts'
import {workText} from '../../src/slack/texts.ts'
import type {Link} from '../../src/store/tables/work/link.ts'
import type {Store} from '../../src/store/store.ts'
import {newLink, temporaryStore} from '../store/temporary-store.ts'
import {FRESH_LINK, NOTHING_BESIDE} from '../support/fresh-link.ts'
import {SILENT_LOG} from '../support/silent-log.ts'

type Read =
  'Working' | 'Waiting' | 'Needs you' | 'Ready for review' | 'Done' | 'Failed' | 'Archived'

/**
 * What a person reads, by hand from the table of states: the platform's word in either vocabulary, what is read of it
 * alone, and with `needsYou` beside it. Archived work is Archived, whatever else is said of it.
 */
const READS: readonly [word: string, alone: Read | 'dreaming' | 'constructor', needed: Read][] = [
  ['active', 'Working', 'Needs you'],
  ['working', 'Working', 'Needs you'],
  ['waiting', 'Waiting', 'Needs you'],
  ['pending_user', 'Needs you', 'Needs you'],
  ['ready_for_review', 'Ready for review', 'Ready for review'],
  ['idle', 'Done', 'Needs you'],
  ['failed', 'Failed', 'Failed'],
  ['error', 'Failed', 'Failed'],
  ['archived', 'Archived', 'Archived'],
  ['dreaming', 'dreaming', 'Needs you'],
  ['constructor', 'constructor', 'Needs you'],
]

/** Who is called by it, how a channel that watches hears of it, and under which head of App Home it stands. */
const MEANS: Readonly<Record<string, {calls?: string; watched?: RegExp; home: string}>> = {
  Working: {home: '🔵 Running'},
  Waiting: {home: '🔵 Running'},
  'Needs you': {calls: 'needs-you', watched: / needs an answer$/m, home: '🟠 Needs you'},
  'Ready for review': {calls: 'review', watched: / is ready for review$/m, home: '🟠 Needs you'},
  Done: {calls: 'done', home: '⚪️ Done today'},
  Failed: {calls: 'failed', watched: / failed$/, home: '🟠 Needs you'},
  Archived: {home: '⚪️ Done today'},
  dreaming: {home: '⚪️ Done today'},
  constructor: {home: '⚪️ Done today'},
}

const EVERY_STATE = READS.flatMap(([word, alone, needed]) => [
  {word, needsYou: false, archived: false, reads: alone},
  {word, needsYou: true, archived: false, reads: needed},
  {word, needsYou: false, archived: true, reads: 'Archived'},
  {word, needsYou: true, archived: true, reads: 'Archived'},
])

const CAPTAIN = {
  ...{threadId: 't1', face: {name: 'Ada'}, link: undefined, personal: false},
  ...{ownerId: undefined, projectId: undefined, createdAt: undefined},
}

const rules = {nameOf: (id: string) => id, webUrl: undefined}

describe.each(EVERY_STATE)('$word, needsYou $needsYou, archived $archived', (it) => {
  const {word: status, needsYou, archived, reads} = it
  const state: Link['state'] = archived ? 'archived' : 'open'
  const link: Link = {...FRESH_LINK, title: 'It', status, needsYou, state}
  const thread = threadSchema.parse({id: 't1', title: 'It', status, needsYou, archived})
  const means = MEANS[reads]

  test(`reads ${reads} wherever work is shown`, () => {
    const since = {status, statusSinceMs: 0, steps: 2, cursor: undefined, drafts: []}
    const rule = {maxCost: 3600, costOf: (text: string) => text.length}
    const [card] = wantedPosts(link, createTimeline(since), NOTHING_BESIDE, rule)
    if (card === undefined) throw new Error('There is no card.')
    const row = {captain: {...CAPTAIN, state: thread}, owner: undefined, permalink: undefined}
    const detail = {startedBy: '@Jane', said: undefined}
    const shown = {
      card: draw(card.content, rules).text,
      list: drawRow({link, notification: undefined, permalink: undefined, isHere: true}, rules)
        .line,
      found: drawFound(thread, rules).line,
      captains: drawCaptains('All', [row]).text.split('\n')[1],
      details: JSON.stringify(drawManage({link, thread: undefined, ...detail}).blocks[0]),
      asked: JSON.stringify(drawManage({link: FRESH_LINK, thread, ...detail}).blocks[0]),
    }
    const read = Object.entries(shown).map(([where, line = '']) => [where, wordsIn(line)])
    expect(Object.fromEntries(read)).toEqual(
      Object.fromEntries(Object.keys(shown).map((where) => [where, reads])),
    )
  })

  test(`calls ${means?.calls ?? 'nobody'}`, () => {
    const run = {statusSinceMs: 200_000, runSinceMs: 100_000, stoppedBy: undefined}
    const scene = {state, status, needsYou, ...run, as: 'read', noise: 'normal'} as const
    expect(decide(scene, []).wanted?.kind).toBe(means?.calls)
  })

  test('is told to a channel that watches as what it reads', () => {
    const {status: seen, words} = toSeen(thread, undefined)
    const announced = {...{id: 'a1', team: 'T1', channel: 'C1', threadId: 't1'}, words}
    const rest = {connectionId: undefined, state: 'placed', ts: '1.0', madeAtMs: 0} as const
    const told =
      seen === undefined
        ? undefined
        : drawAnnouncement({...announced, ...rest, status: seen, endedBy: undefined}, rules).text
    if (means?.watched === undefined) expect(told).toBeUndefined()
    else expect(told).toMatch(means.watched)
  })

  test(`stands in App Home below ${means?.home ?? ''}`, async () => {
    const store = await temporaryStore()
    const {id} = await store.links.open({...newLink, threadId: 't1', title: 'It'}, Date.now())
    await store.links.change(id, {status, needsYou, state, statusSinceMs: Date.now()})
    const lines = await homeOf(store)
    const at = lines.findIndex((line) => line.startsWith('*It*'))
    expect(lines.slice(0, at).findLast((line) => /^\p{Emoji_Presentation}|^⚪/u.test(line))).toBe(
      means?.home,
    )
    expect(wordsIn(lines[at] ?? '')).toBe(reads)
  })
})

test('work that somebody stopped reads Stopped wherever it is listed', async () => {
  const stopped = {...FRESH_LINK, title: 'It', status: 'idle', stoppedBy: 'U1'}
  const detail = {startedBy: '@Jane', said: undefined}
  expect(workText(stopped)).toBe('⏹ Stopped')
  expect(workText(stopped, '@Jane')).toBe('⏹ Stopped by @Jane')
  expect(workText({...stopped, status: 'ready_for_review'})).toBe('🟢 Ready for review')
  expect(workText({...stopped, state: 'archived'})).toBe('📦 Archived')
  expect(
    drawRow({link: stopped, notification: undefined, permalink: undefined, isHere: true}, rules)
      .line,
  ).toMatch(/^\*It\* · ⏹ Stopped/)
  const state = {status: 'idle', archived: false}
  const row = {captain: {...CAPTAIN, state, link: stopped}, owner: undefined, permalink: undefined}
  expect(drawCaptains('All', [row]).text).toContain('⏹ Stopped')
  const thread = threadSchema.parse({id: 't1', title: 'It', status: 'idle'})
  expect(drawFound(thread, rules, {stoppedBy: 'U1'}).line).toMatch(/^\*It\* · ⏹ Stopped/)
  const elsewhere = {kind: 'work', thread, link: undefined, stoppedBy: 'U1'} as const
  expect(JSON.stringify(drawUnfurl(elsewhere, undefined, rules))).toContain('⏹ Stopped')
  expect(JSON.stringify(drawEntity(elsewhere, 'https://agents.example/t/t1'))).toContain('Stopped')
  const details = drawManage({link: stopped, thread: undefined, ...detail}).blocks[0]
  expect(JSON.stringify(details)).toContain('⏹ Stopped')
  const store = await temporaryStore()
  const {id} = await store.links.open({...newLink, threadId: 't1', title: 'It'}, Date.now())
  await store.links.change(id, {status: 'idle', stoppedBy: 'U1', statusSinceMs: Date.now()})
  expect((await homeOf(store)).find((line) => line.startsWith('*It*'))).toContain('⏹ Stopped')
})

const WORDS =
  /Working|Waiting|Needs you|Ready for review|Done|Failed|Archived|dreaming|constructor/g

/** The one state that a line names; Details say the platform's own word in code behind it. */
function wordsIn(line: string): string {
  return (line.replace(/\(`\w+`\)/, '').match(WORDS) ?? ['nothing']).join(' and ')
}

/** What somebody reads in their App Home, a line for each head and each row. */
async function homeOf(store: Store): Promise<string[]> {
  const lines: string[] = []
  const nothing = async () => undefined
  await using home = createHome({
    store,
    access: {mayKnow: async () => true, isFullMember: async () => true},
    ownWork: createOwnWork({
      ...{store, permalinks: {known: () => undefined}, team: 'T1'},
      placed: async (links) => [...links],
    }),
    forms: {
      ...{open: nothing, push: nothing, update: async () => false},
      publish: async (_user, {blocks}) => {
        const texts = blocks.map((block) => ('text' in block ? block.text : ''))
        lines.splice(0, Infinity, ...texts.map((it) => (typeof it === 'string' ? it : it.text)))
      },
    },
    permalinks: {known: () => undefined, find: nothing},
    zoneOf: async () => 'UTC',
    factsOf: async () => ({}),
    welcomeFor: async () => 'Welcome.',
    ...{team: 'T1', webUrl: undefined, log: SILENT_LOG},
  })
  await home.show('U1')
  return lines
}
