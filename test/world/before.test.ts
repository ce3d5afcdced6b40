import {readdirSync} from 'node:fs'
import {join} from 'node:path'
import Database from 'better-sqlite3'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import type {StoredMessage} from '../../local/slack/messages/messages.ts'
import {type Before, findPressable, readBefore} from '../support/before.ts'
import {JANE, KIM, type Place, type World} from '../support/world.ts'
import {startInside} from './open-world.ts'

// What is pressed here is called as it stands in the stored messages: no id is taken from `src/`.
const ASKED_OF_ALL = 'This is asked of all work from this channel:\nBe brief.'
const SAM = 'U0SAM'

let world: World
let before: Before

beforeAll(async () => {
  before = readBefore()
  const {settings, plant} = before
  world = await startInside({pace: 0.05, slackOnDisk: true, settings, plant})
})
afterAll(() => world[Symbol.asyncDispose]())

describe('what an earlier version has written', () => {
  describe.concurrent('goes on', () => {
    test('in tables that are brought up to date', () => {
      const database = new Database(join(world.folder, 'bosun.db'), {readonly: true})
      const done = database.prepare('select name from kysely_migration order by name').pluck().all()
      const starts = database.prepare('select * from starts limit 1').get()
      database.close()
      const files = readdirSync(join(import.meta.dirname, '..', '..', 'migrations'))
      const all = files.filter((name) => /^\d{4}-/.test(name))
      expect(done).toEqual(all.map((name) => name.replace(/\.ts$/, '')).sort())
      expect(done.length).toBeGreaterThan(13)
      expect(Object.keys(starts ?? {})).not.toContain('opening')
    })

    test('with a card that is working, which is stopped under its old ts', async () => {
      const place = before.place('working')
      await press('Stop', {place, as: KIM})
      await cardSays(place, '⏹ Stopped by @Kim')
      expect(acts(place)).toEqual(['interrupt'])
    })

    test('with a reply that was half told, which says so, and the whole one below it', async () => {
      const place = before.place('story')
      await cardSays(place, '⚪️ Done')
      const all = 'Once there was a cart that rounded up.'
      await world.until('it is told', () => world.ours(place).some(({text}) => text === all))
      const half = stored(place).find(({text}) => text.startsWith('Once'))
      await world.until('the half says so', () =>
        textAt(half).includes('⏹ Stopped before it was finished.'),
      )
    })

    test('with a message at the head of new work that was about to stand, and stands', async () => {
      const place = before.place('late')
      const {text} = stored(place)[0] ?? {}
      await world.until('its card stands below', () =>
        world.ours(place)[0]?.text.includes('⚪️ Done'),
      )
      const heads = world.slack.messages(place.channel).filter((one) => one.text === text)
      expect(heads.map(({ts}) => ts)).toEqual([place.ts])
      expect(creations('a quick look at the wheel')).toHaveLength(1)
    })

    test('with a card and an announcement that were about to stand, and stand', async () => {
      const card = before.place('keyed')
      const posts = `select ts from posts join links on links.id = link_id
        where key = 'card' and posts.state = 'placed' and channel = ? and slack_thread = ?`
      const cardTs = await world.until('it is found', () => read(posts, card.channel, card.ts))
      expect(cardTs).toBe(stored(card).find(({metadata}) => isCard(metadata))?.ts)
      const {channel, ts} = before.place('watchedHush')
      const announcements = `select ts from announcements
        where state != 'intended' and channel = ? and words like '%lost records%'`
      expect(await world.until('it is found', () => read(announcements, channel))).toBe(ts)
    })

    test('with one that stood already: a reply below it is answered', async () => {
      const place = before.place('opened')
      const count = world.ours(place).length
      await world.reply(place, 'a quick word more')
      await world.until('it is answered', () => world.ours(place).length > count)
      expect(acts(place)).toEqual(['message'])
      expect(stored(place)[0]?.text).toBe(at(place)?.text)
    })

    test('with work that is followed, whose card says what becomes of it', async () => {
      const place = before.place('followed')
      world.platform.control.setState(before.threads['followed'] ?? '', 'error')
      await cardSays(place, '🔴')
    })

    test('with a review, which is found where it stands', async () => {
      const place = before.place('review')
      const text = 'acme/web#12'
      const said = await told('Already reviewed at this commit.', {as: KIM, channel: 'C0WEB'}, () =>
        world.slack.people.command({as: KIM, channel: 'C0WEB', command: '/review', text}),
      )
      expect(said).toContain(`/p${place.ts.replace('.', '')}|`)
    })

    test('with a channel that is home to a captain', async () => {
      const place = before.place('captain')
      const {channel} = place
      const mention = await world.say('@Bosun a quick question', {channel})
      await world.until('all read who answers', () =>
        world.ours(mention)[0]?.text.startsWith('*Ada* answers here: <'),
      )
      const quote = await world.until('the question stands there', () =>
        world.ours(place).find(({text}) => text.includes('a quick question')),
      )
      expect(quote.persona?.username).toBe('Ada')
    })

    test('with a hook, which knows its secret and what it was sent, until it is off', async () => {
      const {path, secret} = before.hook
      const port = /port (\d+)/.exec(world.bot.output())?.[1] ?? ''
      const send = async (): Promise<unknown[]> => {
        const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
          method: 'POST',
          headers: {'content-type': 'application/json', authorization: `Bearer ${secret}`},
          body: '{"deployed":"v1"}',
        })
        return [answer.status, (await answer.json()) as unknown]
      }
      expect(await send()).toEqual([202, {outcome: 'duplicate'}])
      const list = stored().find(({text}) => text.startsWith('*Hooks of this channel*'))
      const place = {channel: list?.channel ?? '', ts: list?.ts ?? ''}
      const by = {place, as: JANE}
      const to = {as: JANE, channel: place.channel}
      const log = await told('*Deliveries to Deploy watch*', to, () => press('Log', by))
      expect(log).toContain('✅ ran')
      await told('*Deploy watch* is off', to, () => press('Disable', by))
      expect(await send()).toEqual([403, {error: 'disabled'}])
    })
  })

  describe.concurrent('is pressed', () => {
    test('[Archive], [Unarchive], and [Unarchive and send]', async () => {
      const done = before.place('done')
      await press('Archive', {place: done, as: JANE})
      await cardSays(done, '📦 Archived')
      expect(acts(done)).toEqual(['archive'])
      const archived = before.place('archived')
      await press('Unarchive', {place: archived, as: JANE})
      await cardSays(archived, '⚪️ Done')
      await press('Unarchive and send', {place: archived, as: KIM})
      await world.until('it is sent', () => saidIn(archived).includes('a quick look at the roof'))
      expect(acts(archived)).toContain('unarchive')
    })

    test('[Try again]', async () => {
      const place = before.place('failed')
      await press('Try again', {place, as: JANE})
      await world.until('it was tried again', () =>
        saidIn(place).includes('The last run failed. Please try again.'),
      )
      await world.until('the call is over', () =>
        textOf(place, 'this failed').includes('@Jane got it going again'),
      )
    })

    test('[Send now] and [Cancel] of what waits', async () => {
      const place = before.place('waiting')
      await press('Cancel', {place, as: KIM, row: 'the hedge'})
      // What is sent now ends the run, and then whatever still waits goes, too.
      await world.until('it is cancelled', () => acts(place).includes('cancel'))
      await press('Send now', {place, as: KIM, row: 'the gate'})
      await world.until('it is sent', () => saidIn(place).includes('a quick look at the gate'))
      await world.until('nothing waits', () => !listIn(place))
      // Again where the platform was slow to answer.
      expect(new Set(acts(place))).toEqual(new Set(['cancel', 'send-now']))
      expect(saidIn(place)).not.toContain('the hedge')
    })

    test('[Send] and [Discard] of what was held', async () => {
      const place = before.place('held')
      await press('Discard', {place, as: JANE, row: 'the thin ones'})
      await press('Send', {place, as: JANE, row: 'the thick ones'})
      await world.until('it is sent', () => saidIn(place).includes('the thick ones'))
      await world.until('nothing is held', () => !listIn(place))
      expect(saidIn(place)).not.toContain('the thin ones')
    })

    test('[Check again] and [Send again] of what may not have arrived, and [Stop] of a list', async () => {
      const place = before.place('unsure')
      const by = {place, as: JANE}
      const to = {as: JANE, channel: place.channel}
      await told('I still can’t find it.', to, () => press('Check again', by))
      await press('Send again', by)
      await world.until('it is sent', () => acts(place).includes('message'))
      await world.until('nobody is asked', () => textOf(place, 'Not sure this arrived') === '')
      const list = stored().find(({text}) => text.startsWith('*Running here*'))
      const {channel = '', ts = ''} = list ?? {}
      await press('Stop', {place: {channel, ts}, as: SAM, row: 'write the long report'})
      await cardSays(place, '⏹ Stopped by @Sam')
    })

    test('an option in place of a wrong one', async () => {
      await press('api', {place: before.place('project'), as: JANE})
      await press('medium', {place: before.place('size'), as: KIM})
      await world.until('both begin', () =>
        ['of appi', 'of giants'].every((words) => creations(words).length === 1),
      )
      expect(creations('of appi')[0]?.body).toMatchObject({projectId: 'project_api'})
      expect(creations('of giants')[0]?.body).toMatchObject({machineSize: 'medium'})
      for (const name of ['project', 'size']) await cardSays(before.place(name), 'Done')
    })

    test('[Follow here] and [Not this one] of what a watch tells', async () => {
      const follow = before.place('watchedFollow')
      await press('Follow here', {place: follow, as: KIM})
      await world.until('the work stands below', () => world.ours(follow).length > 1)
      const hush = before.place('watchedHush')
      await press('Not this one', {place: hush, as: KIM})
      await world.until('it is heard of no more', () =>
        at(hush)?.text.includes('This channel won’t hear about this work again.'),
      )
    })

    test('[Snooze], by who is called alone', async () => {
      const place = before.place('snoozed')
      const {channel} = place
      const only = 'Only the person who is mentioned can snooze this.'
      await told(only, {as: KIM, channel}, () => press('1 hour', {place, as: KIM}))
      await told('I’ll remind you', {as: JANE, channel}, () => press('1 hour', {place, as: JANE}))
    })

    test('[Answer] where somebody is called and of a watch, and [Review] and [Ask for changes]', async () => {
      const asked = before.place('asked')
      await press('Answer', {place: asked, as: JANE})
      await fillIn(JANE, 'answer', 'quick: A')
      await callSays(asked, '✅ Answered by @Jane')
      const watched = before.place('watchedAnswer')
      await press('Answer', {place: watched, as: JANE})
      await fillIn(JANE, 'text', 'quick: B')
      await world.until('it is answered', () =>
        at(watched)?.text.includes(' · ✅ Answered by @Jane'),
      )

      const pull = before.place('pull')
      await told('Already reviewed at this commit.', {as: JANE, channel: pull.channel}, () =>
        press('Review', {place: pull, as: JANE}),
      )
      await press('Ask for changes', {place: pull, as: JANE})
      await fillIn(JANE, 'changes', 'a quick other name')
      await world.until('it is sent', () => saidIn(pull).includes('a quick other name'))
    })

    test('a form that stood open for an answer, and [Ask] of a captain', async () => {
      await fillIn(KIM, 'answer', 'quick: A')
      await callSays(before.place('form'), '✅ Answered by @Kim')
      const place = before.place('captain')
      await press('Ask', {place, as: KIM})
      await told('Asked. *Ada* answers here', {as: KIM, channel: place.channel}, () =>
        fillIn(KIM, 'text', 'a quick way?'),
      )
    })

    test('the settings form of a channel that has a key of its own', async () => {
      const {channel} = before.place('keyed')
      await fillIn(SAM, 'instructions', 'Be brief.')
      const modals = () => JSON.stringify(world.slack.views(SAM).modals)
      await world.until('it is kept', () => modals().includes('✅'))
      const place = await world.say('@Bosun a quick check of the key', {channel})
      await cardSays(place, '⚪️ Done')
      const [order, ...more] = creations('a quick check of the key')
      expect(order).toMatchObject({
        key: 'readWrite',
        body: {message: `a quick check of the key\n\n---\n\n${ASKED_OF_ALL}`},
      })
      expect(more).toEqual([])
    })

    test('the form that starts work', async () => {
      const task = 'a quick look at the pond'
      const form = before.views.find((view) => JSON.stringify(view).includes(task))
      await world.slack.people.submitView({as: form?.userId ?? ''})
      await world.until('its head stands', () =>
        world.slack.messages('C0WEB').some(({text}) => text === `@Lee asked for: ${task}`),
      )
      await world.until('it begins', () => creations(task).length === 1)
    })
  })

  // Whoever has a modal open presses there, and not in App Home.
  describe('is pressed when no modal is open', () => {
    test('[Stop] and a choice in App Home', async () => {
      const {definition} = before.views.find((view) => view.definition.type === 'home') ?? {}
      const blocks = definition?.blocks ?? []
      const stop = findPressable(blocks, 'Stop', 'bale the straw')
      await world.slack.people.useView({as: JANE, actionId: '', ...stop})
      await cardSays(before.place('atHome'), '⏹ Stopped by @Jane')
      const everything = findPressable(blocks, 'Everything')
      await world.slack.people.useView({as: JANE, actionId: '', ...everything})
      const home = () => JSON.stringify(world.slack.views(JANE).home)
      await world.until('it is kept', () =>
        /"initial_option":\{"text":\{[^}]*"text":"Everything"/.test(home()),
      )
    })
  })

  test('stays as it was said where nothing has become of it', () => {
    const calls = stored(before.place('snoozed')).filter(({text}) => text.includes('your answer'))
    const cards = stored(before.place('pull')).filter(({text}) => text.startsWith('🔀'))
    const said = [...calls, ...cards]
    expect(said).toHaveLength(2)
    for (const message of said) expect(textAt(message)).toBe(message.text)
  })

  test('stands once, and where it stood', () => {
    const marks = new Map<string, string>()
    for (const channel of new Set(before.messages.map((one) => one.channel))) {
      for (const {ts, userId, metadata} of world.slack.messages(channel)) {
        if (userId !== world.slack.botUserId) continue
        const mark = JSON.stringify(metadata?.event_payload)
        expect(marks.get(mark), `a second ${mark}`).toBeUndefined()
        marks.set(mark, ts)
      }
    }
    const kept = stored().filter(
      ({userId, ephemeralTo, metadata}) =>
        userId === world.slack.botUserId &&
        ephemeralTo === undefined &&
        !/^(?:waiting|held|unsure)/.test(String(metadata?.event_payload['key'])),
    )
    expect(kept.length).toBeGreaterThan(35)
    for (const {ts, metadata} of kept) {
      expect(marks.get(JSON.stringify(metadata?.event_payload))).toBe(ts)
    }
  })
})

/** Messages as they were stored: all, or of one Slack thread. */
function stored(place?: Place): StoredMessage[] {
  return before.messages.filter(
    ({channel, ts, threadTs}) =>
      place === undefined ||
      (channel === place.channel && (ts === place.ts || threadTs === place.ts)),
  )
}

/** Presses what is called so in a stored message of the place, or in a stored whisper to this person. */
async function press(
  label: string,
  {place, as, row}: {place: Place; as: string; row?: string},
): Promise<void> {
  const whispers = before.messages.filter(
    ({channel, ephemeralTo}) => channel === place.channel && ephemeralTo === as,
  )
  for (const {channel, ts, blocks = []} of [...stored(place), ...whispers]) {
    const found = findPressable(blocks, label, row)
    if (found === undefined) continue
    // What was redrawn since has the same buttons in other blocks.
    const now = findPressable(at({channel, ts})?.blocks ?? blocks, label, row)
    const {blockId} = now ?? found
    const where = {as, channel, ts, ...(blockId !== undefined && {blockId})}
    await world.slack.people.press({...found, ...where})
    return
  }
  throw new Error(`Nothing that was stored is called ${label}.`)
}

/** The next thing that somebody is told with these words. */
async function told(
  words: string,
  {as, channel}: {as: string; channel: string},
  act: () => Promise<unknown>,
): Promise<string> {
  const look = () => world.slack.ephemerals(channel, as).filter(({text}) => text.includes(words))
  const count = look().length
  await act()
  return (await world.until(`${as} is told ${words}`, () => look()[count])).text
}

/** Fills in the form that opens, or stands open, before somebody. */
async function fillIn(as: string, name: string, text: string): Promise<void> {
  await world.until('the form is there', () =>
    JSON.stringify(world.slack.views(as).modals.at(-1) ?? '').includes(`"block_id":"${name}"`),
  )
  expect(await world.slack.people.submitView({as, values: {[name]: {[name]: text}}})).toBe('acked')
}

function at({channel, ts}: Place): StoredMessage | undefined {
  return world.slack.messages(channel).find((message) => message.ts === ts)
}

function textAt(message: StoredMessage | undefined): string {
  return (message && at(message)?.text) ?? ''
}

/** How a message of the place reads now that read so when it was stored. */
function textOf(place: Place, words: string): string {
  return textAt(stored(place).find(({text}) => text.includes(words)))
}

/** The stored one, if there was any. */
async function cardSays(place: Place, words: string): Promise<void> {
  const card = stored(place).find(({metadata}) => isCard(metadata))
  await world.until(`the card says ${words}`, () =>
    (card === undefined ? (world.ours(place)[0]?.text ?? '') : textAt(card)).includes(words),
  )
}

async function callSays(place: Place, words: string): Promise<void> {
  const call = stored(place).find(({metadata}) =>
    String(metadata?.event_payload['key']).startsWith('ping:'),
  )
  await world.until(`the call says ${words}`, () => textAt(call) === words)
}

function isCard(metadata: StoredMessage['metadata']): boolean {
  return metadata?.event_payload['key'] === 'card'
}

function listIn(place: Place): boolean {
  return world.ours(place).some(({text}) => /^[⏳⏸]/u.test(text))
}

/** The first value that the bot's database answers. */
function read(query: string, ...values: string[]): string | undefined {
  const database = new Database(join(world.folder, 'bosun.db'), {readonly: true})
  const value = database
    .prepare<string[], string>(query)
    .pluck()
    .get(...values)
  database.close()
  return value
}

function threadOf({channel, ts}: Place): string {
  const query = 'select thread_id from links where channel = ? and slack_thread = ?'
  return read(query, channel, ts) ?? ''
}

/** What the agent was told. */
function saidIn(place: Place): string {
  return world.platform
    .transcript(threadOf(place))
    .filter(({source}) => source === 'user')
    .map(({text}) => text)
    .join('\n')
}

/** What the platform was asked to do with the thread of a place. */
function acts(place: Place): string[] {
  const id = threadOf(place)
  return world
    .requests()
    .filter(({method, path}) => method === 'POST' && path.includes(`threads/${id}/`))
    .map(({path}) => path.slice(path.lastIndexOf('/') + 1))
}

/** The orders of new work with these words. */
function creations(words: string) {
  return world
    .posts('/api/v1/threads')
    .filter(({body, applied}) => applied && JSON.stringify(body).includes(words))
}
