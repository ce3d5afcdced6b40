import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {ACTIONS} from '../../src/slack/ids.ts'
import {createHooks} from '../support/hooks.ts'
import {type Modals, createModals} from '../support/modals.ts'
import {turnPage} from '../support/pages.ts'
import {buttonOf} from '../support/start-sight.ts'
import {JANE, KIM, type Place, type World} from '../support/world.ts'
import {startInside} from './open-world.ts'

let world: World
let at: Modals

beforeAll(async () => {
  world = await startInside({pace: 0.05})
  at = createModals(world)
})
afterAll(() => world[Symbol.asyncDispose]())

async function whisper(by: {as: string; channel: string}, act: () => Promise<unknown>) {
  const before = world.slack.ephemerals(by.channel, by.as).length
  await act()
  return world.until('an answer', () => world.slack.ephemerals(by.channel, by.as)[before])
}

/** Types a search; the answer that only this person sees. */
function find(text: string, {as = JANE, channel}: {as?: string; channel: string}) {
  const command = {as, channel, command: '/bosun', text: `find ${text}`}
  return whisper({as, channel}, () => world.slack.people.command(command))
}

async function done(text: string, by: {as?: string; channel: string}): Promise<Place> {
  const place = await world.say(text, by)
  await world.settled(place)
  return place
}

/** Where its row leads. */
const rowOf = (place: Place) => `/p${place.ts.replace('.', '')}|`

async function startElsewhere(title: string, more: object = {}): Promise<string> {
  const {platform} = world
  const response = await fetch(`${platform.baseUrl}/threads`, {
    method: 'POST',
    headers: {authorization: `Bearer ${platform.keys.human}`, 'content-type': 'application/json'},
    body: JSON.stringify({
      ...{requestId: title, projectId: platform.projectIds[0], message: 'a quick check', title},
      ...more,
    }),
  })
  return ((await response.json()) as {id: string}).id
}

/** A press that is answered in a whisper of its own. */
function press(ts: string, actionId: string, {as = JANE, channel}: {as?: string; channel: string}) {
  return whisper({as, channel}, () => world.slack.people.press({as, channel, ts, actionId}))
}

const turn = (ts: string, channel: string, label: string, blocks: unknown) =>
  turnPage(world, {as: JANE, channel, ts}, buttonOf(blocks, label))

describe('/bosun find with filters', () => {
  test('finds work by its state, here and on the platform, and knows what was stopped', async () => {
    const channel = await at.channel('states', [JANE, KIM])
    const rests = await done('@Bosun a quick check of the tapir', {channel})
    const stops = await world.say('@Bosun look after the tapir', {channel})
    const {id} = await world.until('it has begun', () => world.threadIn(stops))
    const held = world.platform.control.hold(id)
    await world.until('it can be stopped', () =>
      JSON.stringify(world.ours(stops)).includes(`"${ACTIONS.stop}"`),
    )
    await world.press(stops, ACTIONS.stop)
    held[Symbol.dispose]()
    await world.until('it is stopped', () =>
      world.ours(stops).some(({text}) => text.includes('⏹ Stopped by')),
    )
    await world.settled(stops)
    const elsewhere = await startElsewhere('A tapir that waits')
    await world.until('it rests', () => stateOf(elsewhere) === 'idle')
    world.platform.control.setState(elsewhere, 'active', true)

    const finished = await find('state=done tapir', {channel})
    expect(finished.text).toContain('*Work with “tapir”* · ⚪️ Done')
    expect(finished.text).toContain(rowOf(rests))
    expect(finished.text).not.toContain(rowOf(stops))
    const stopped = await find('tapir state=stopped', {channel, as: KIM})
    expect(stopped.text).toContain(rowOf(stops))
    expect(stopped.text).not.toContain(rowOf(rests))
    expect(stopped.text).toContain('does not say what was stopped')
    const waits = await find('state=needs-you', {channel})
    expect(waits.text).toContain('*A tapir that waits* · 🟠 *Needs you* · on the agent platform')
    expect(waits.text).not.toContain(rowOf(rests))
    expect((await find('state=failed tapir', {channel})).text).toBe(
      'I found nothing with “tapir” (🔴 Failed) in this channel, in your own work or on the agent platform. Fewer words or filters find more.',
    )

    const wrong = await find('state=wating tapir', {channel})
    expect(wrong.text).toBe('No state *wating*. Did you mean *waiting*?')
    const none = await find('state=odd', {channel})
    expect(none.text).toContain('Choose *needs-you*, *working*')
    world.platform.control.setState(elsewhere, 'waiting', false)
    const meant = await turn(wrong.ts, channel, 'waiting', wrong.blocks)
    expect(meant.text).toContain('*A tapir that waits* · 🟡 Waiting · on the agent platform')
  })

  test('asks the platform by status where that tells all, in both of its vocabularies', async () => {
    const channel = await at.channel('statuses', [JANE])
    const asked = () =>
      world
        .requests()
        .filter(({method, path}) => method === 'GET' && /threads\?.*limit=100/.test(path))
        .map(({path}) => new URL(path, 'http://x').searchParams.get('status'))
    const before = asked().length
    await find('state=failed zebu', {channel})
    await find('state=ready zebu', {channel})
    await find('state=needs-you zebu', {channel})
    expect(asked().slice(before)).toEqual(['failed', 'error', 'ready_for_review', null])
  })

  test('finds work by whose it is, in Slack and on the platform', async () => {
    const channel = await at.channel('whose', [JANE, KIM])
    const kims = await done('@Bosun a quick check of the quokka', {channel, as: KIM})
    const janes = await done('@Bosun a quick check of the quokka', {channel})
    await startElsewhere('Kim’s quokka', {authorId: 'user_kim'})
    await startElsewhere('Jane’s quokka')
    const theirs = await find(`by=<@${KIM}|kim> quokka`, {channel})
    expect(theirs.text).toMatch(/^\*Work with “quokka”\* · by @Kim/)
    expect(theirs.text).toContain(rowOf(kims))
    expect(theirs.text).toContain('*Kim’s quokka*')
    expect(theirs.text).not.toContain(rowOf(janes))
    expect(theirs.text).not.toContain('Jane’s quokka')
    expect((await find('by=me quokka', {channel})).text).toContain(rowOf(janes))
    expect((await find('by=kim@acme.test quokka', {channel})).text).toContain('*Kim’s quokka*')

    // Whoever brings work here does not make it theirs alone.
    const found = await find('by=jane quokka', {channel, as: KIM})
    const brought = await press(found.ts, ACTIONS.findFollow, {channel, as: KIM})
    expect(brought.text).toContain('Here it is: <')
    const again = await find('by=jane quokka', {channel, as: KIM})
    expect(again.text).toContain('*Jane’s quokka*')
    expect(again.text).not.toContain('*Jane’s quokka* · ⚪️ Done · on the agent platform')

    const wrong = await find('by=kin quokka', {channel})
    expect(wrong.text).toBe('No person *kin*. Did you mean *Kim Lee*?')
    const meant = await turn(wrong.ts, channel, 'Kim Lee', wrong.blocks)
    expect(meant.text).toContain(rowOf(kims))
  })

  test('brings what was found by its id, whatever characters that holds', async () => {
    const channel = await at.channel('odd-ids', [JANE])
    const id = '<x://odd id/1>'
    const [projectId = ''] = world.platform.projectIds
    const thread = {id, projectId, title: 'A gnu', status: 'idle'}
    world.platform.control.faults.add({
      ...{match: {method: 'GET', path: '/threads\\?.*limit=100'}, times: 1},
      fault: {kind: 'answer', status: 200, body: {items: [thread], cursor: null}, applied: false},
    })
    const found = await find('gnu', {channel})
    expect(found.text).toContain('*A gnu*')
    const gone = await press(found.ts, ACTIONS.findFollow, {channel})
    expect(gone.text).toContain('I find no such work')
    const asked = world.requests().map(({path}) => path)
    expect(asked).toContainEqual(expect.stringContaining(`/threads/${encodeURIComponent(id)}`))
  })

  test('finds work by its repository', async () => {
    const channel = await at.channel('repos', [JANE])
    const place = await done('@Bosun a quick check of the ibex', {channel})
    await startElsewhere('The ibex elsewhere')
    const found = await find('repo=acme/web ibex', {channel})
    expect(found.text).toContain(rowOf(place))
    expect(found.text).toContain('*The ibex elsewhere*')
    expect((await find('repo=acme/api ibex', {channel})).text).toContain('I found nothing')
    const wrong = await find('repo=acme/wbe ibex', {channel})
    expect(wrong.text).toMatch(/^No repository \*acme\/wbe\*\. Did you mean \*acme\/web\*/)
    const meant = await turn(wrong.ts, channel, 'acme/web', wrong.blocks)
    expect(meant.text).toContain('in acme/web')
    expect(meant.text).toContain(rowOf(place))
  })

  test('finds work by its last activity', async () => {
    const channel = await at.channel('age', [JANE])
    const place = await done('@Bosun a quick check of the gnu', {channel})
    await startElsewhere('The gnu elsewhere')
    const found = await find('since=1h gnu', {channel})
    expect(found.text).toMatch(/· since <!date/)
    expect(found.text).toContain(rowOf(place))
    expect(found.text).toContain('*The gnu elsewhere*')
    expect((await find('until=1h gnu', {channel})).text).toContain('I found nothing')
    expect((await find('since=soon gnu', {channel})).text).toContain('Say `since=2026-10-01`')
    expect((await find('since=1d until=2d gnu', {channel})).text).toContain('ends before it begins')
  })
})

describe('looking further', () => {
  test('shows nothing twice, whatever is begun meanwhile', async () => {
    const channel = await at.channel('pages', [JANE])
    const titles = Array.from({length: 25}, (_, index) => `Narwhal number ${index}`)
    for (const title of titles) await startElsewhere(title)
    let page = await find('narwhal', {channel})
    const shown: string[] = []
    const note = () => shown.push(...(page.text.match(/Narwhal number \d+/g) ?? []))
    note()
    await startElsewhere('Narwhal number 100')
    page = await turn(page.ts, channel, 'More', page.blocks)
    note()
    await startElsewhere('Narwhal number 101')
    page = await turn(page.ts, channel, 'More', page.blocks)
    note()
    expect(new Set(shown).size).toBe(shown.length)
    expect(shown).toEqual(expect.arrayContaining(titles))
  })

  test('comes past the newest 300, so many at a time, and says how far it is', async () => {
    const channel = await at.channel('far', [JANE])
    await startElsewhere('The one axolotl')
    const held = world.platform.control.hold()
    for (let index = 0; index < 320; index += 1) await startElsewhere(`Something else ${index}`)
    const first = await find('axolotl', {channel})
    expect(first.text).toContain('On the agent platform I looked at 300 so far.')
    expect(first.text).not.toContain('The one')
    const further = await turn(first.ts, channel, 'Look further', first.blocks)
    expect(further.text).toContain('*The one axolotl*')
    expect(JSON.stringify(further.blocks)).not.toContain('Look further')
    held[Symbol.dispose]()
  })

  test('keeps a cursor that no button bears, and says so when it is gone', async () => {
    await world.moveOut()
    const channel = await at.channel('cursors', [JANE])
    const long = `${'/+='.repeat(700)} <b> "x"`
    const list = (title: string, cursor: string | null) => ({
      ...{match: {method: 'GET', path: '/threads\\?.*limit=100'}, times: 1},
      fault: {
        ...{kind: 'answer' as const, status: 200, applied: false},
        body: {items: [{id: title, title, status: 'idle'}], cursor},
      },
    })
    const {faults} = world.platform.control
    for (let call = 0; call < 6; call += 1) faults.add(list(`Call ${call}`, `${long}${call}`))
    const first = await find('okapi-of-the-cursors', {channel})
    expect(first.text).toContain('I looked at 6 so far.')
    faults.add(list('The okapi-of-the-cursors', null))
    const further = await turn(first.ts, channel, 'Look further', first.blocks)
    expect(further.text).toContain('*The okapi-of-the-cursors*')
    const asked = world.requests().findLast(({path}) => path.includes('cursor='))
    expect(new URL(asked?.path ?? '', 'http://x').searchParams.get('cursor')).toBe(`${long}5`)

    for (let call = 0; call < 6; call += 1) faults.add(list(`Call ${call}`, `${long}${call}`))
    const before = await find('okapi-of-the-cursors', {channel})
    await world.bot.kill()
    await world.startBot()
    const lost = await press(before.ts, buttonOf(before.blocks, 'Look further'), {channel})
    expect(lost.text).toBe('I no longer know how far I had looked. Search again.')
    expect(JSON.stringify(lost.blocks)).toContain('Search again')
  })

  test('begins again where the platform no longer knows a cursor, and goes on after its silence', async () => {
    const channel = await at.channel('stale', [JANE])
    for (let index = 0; index < 12; index += 1) await startElsewhere(`Numbat number ${index}`)
    const refuse = (status: number) =>
      world.platform.control.faults.add({
        ...{match: {method: 'GET', path: '/threads\\?.*limit=100'}, times: 1},
        fault: {kind: 'answer', status, body: {_tag: 'svc/InvalidRequest'}, applied: false},
      })
    const first = await find('numbat', {channel})
    refuse(403)
    const declined = await turn(first.ts, channel, 'More', first.blocks)
    expect(declined.text).toContain('The agent platform could not be searched')
    const second = await turn(first.ts, channel, 'Look further', declined.blocks)
    expect(second.text.match(/Numbat number/g)).toHaveLength(2)
  })
})

describe('/bosun find with the name of an automation', () => {
  test('finds what it began, where that may be known', async () => {
    const hooks = createHooks(world, at)
    const memberIds = [JANE, KIM, world.slack.botUserId]
    const open = await at.channel('open-runs', [JANE, KIM])
    const other = await at.channel('other-runs', [JANE, KIM])
    const {id: secret} = await world.slack.people.createChannel({
      ...{name: 'secret-finds', memberIds, isPrivate: true},
    })
    const run = async (channel: string, name: string) => {
      const made = await hooks.make(channel, name, await hooks.automation(name))
      const authorization = `Bearer ${made.secret}`
      const headers = {authorization, 'content-type': 'application/json'}
      await hooks.post(made.path, JSON.stringify({of: name}), headers)
      return world.until('it is found', () =>
        world.slack.messages(channel).find(({text}) => text.includes('▶️ It runs: *')),
      )
    }
    const receipt = await run(open, 'Zebrafinch')
    await run(secret, 'Zebrafish')
    await world.until('they rest', () =>
      world.platform.threads().every(({status}) => status !== 'working' && status !== 'active'),
    )
    const rowsOf = ({text}: {text: string}) =>
      text.split('\n').filter((line) => line.startsWith('*') && !line.startsWith('*Work'))

    // In any case, with other words, and where it did not begin.
    for (const [words, channel] of [
      ['zebraFINCH', open],
      ['zebrafinch quick', open],
      ['zebrafinch state=done', other],
      ['zebra', other],
    ] as const) {
      const rows = rowsOf(await find(words, {channel}))
      expect([words, rows]).toEqual([words, [expect.stringContaining('begun by *Zebrafinch*')]])
      expect(rows[0]).toMatch(
        /^\*.*\* · ⚪️ Done · begun by \*Zebrafinch\* · on the agent platform$/,
      )
    }
    expect(rowsOf(await find('zebrafinch state=failed', {channel: open}))).toEqual([])
    // What a private channel's automation began is found there alone.
    expect(rowsOf(await find('zebrafish', {channel: secret}))).toHaveLength(1)
    expect(rowsOf(await find('zebrafish', {channel: open}))).toEqual([])

    // Followed it stands in the channel, and is found there.
    const follow = {as: KIM, channel: open, ts: receipt.ts, actionId: ACTIONS.runFollow}
    await world.slack.people.press(follow)
    const followed = await at.hears(KIM, open, 'Slack thread')
    expect(followed.text).toContain('<http')
    const [row, ...others] = rowsOf(await find('zebrafinch', {as: KIM, channel: open}))
    expect(others).toEqual([])
    expect(row).not.toContain('on the agent platform')
  })
})

function stateOf(threadId: string): string | undefined {
  return world.platform.threads().find(({id}) => id === threadId)?.status
}
