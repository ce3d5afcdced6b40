import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {ACTIONS} from '../../src/slack/ids.ts'
import {type Modals, createModals} from '../support/modals.ts'
import {turnPage} from '../support/pages.ts'
import {buttonOf} from '../support/start-sight.ts'
import {JANE, KIM, type Place, type World} from '../support/world.ts'
import {startInside} from './open-world.ts'

const WEB = 'C0WEB'
let world: World
let at: Modals

beforeAll(async () => {
  world = await startInside({
    pace: 0.05,
    settings: {PLATFORM_WEB_URL: 'https://agents.example/t/{threadId}'},
  })
  at = createModals(world)
})
afterAll(() => world[Symbol.asyncDispose]())

/** Types a command; the answer that only this person sees. */
async function ask(text: string, {as = JANE, channel = WEB} = {}) {
  const before = world.slack.ephemerals(channel, as).length
  await world.slack.people.command({as, channel, command: '/bosun', text})
  return answer(before, {as, channel})
}

async function press(ts: string, actionId: string, {as = JANE, channel = WEB, value = ''} = {}) {
  const before = world.slack.ephemerals(channel, as).length
  const which = value === '' ? {} : {value}
  await world.slack.people.press({as, channel, ts, actionId, ...which})
  return answer(before, {as, channel})
}

function answer(before: number, {as, channel}: {as: string; channel: string}) {
  return world.until('an answer', () => world.slack.ephemerals(channel, as)[before])
}

async function done(text: string, channel = WEB): Promise<Place> {
  const place = await world.say(text, {channel})
  await world.settled(place)
  return place
}

async function startElsewhere(message: string, title: string): Promise<string> {
  const {platform} = world
  const response = await fetch(`${platform.baseUrl}/threads`, {
    method: 'POST',
    headers: {authorization: `Bearer ${platform.keys.human}`, 'content-type': 'application/json'},
    body: JSON.stringify({
      ...{requestId: title, projectId: platform.projectIds[0], message, title},
    }),
  })
  return ((await response.json()) as {id: string}).id
}

describe('/bosun find', () => {
  test('finds work by its title and its task, here and on the platform, page by page', async () => {
    const channel = await at.channel('finding', [JANE, KIM])
    expect((await ask('find', {channel})).text).toContain('/bosun find words')
    const nothing = await ask('find zebra <!channel>', {channel})
    expect(nothing.text).toContain('I found nothing with “zebra &lt;!channel&gt;”')

    const place = await done('@Bosun a quick check of the giraffe house', channel)
    const threadId = await startElsewhere('a quick check', 'Feed the GIRAFFE <!here>')
    const found = await ask('find Giraffe', {channel, as: KIM})
    expect(found.text).toContain(`/p${place.ts.replace('.', '')}|`)
    expect(found.text).toContain('*Feed the GIRAFFE &lt;!here&gt;*')
    expect(found.text).toContain('on the agent platform')
    const byId = await ask(`find ${threadId}`, {channel})
    expect(byId.text).toContain('Feed the GIRAFFE')
    expect((await ask('find giraffe zebra', {channel})).text).toContain('I found nothing')

    const here = await press(found.ts, ACTIONS.findFollow, {channel, as: KIM})
    expect(here.text).toContain('Here it is: <')
    const again = await ask('find giraffe feed', {channel})
    expect(again.text).not.toContain('on the agent platform')

    for (let index = 0; index < 12; index += 1) {
      await startElsewhere('a quick check', `Walrus number ${index}`)
    }
    const first = await ask('find walrus', {channel})
    expect(first.text.match(/Walrus number/g)).toHaveLength(10)
    const page = {as: JANE, channel, ts: first.ts}
    const second = await turnPage(world, page, ACTIONS.findMore)
    expect(second.text.match(/Walrus number/g)).toHaveLength(2)
    expect(JSON.stringify(second.blocks)).not.toContain(`"${ACTIONS.findMore}"`)
    const back = buttonOf(second.blocks, 'Back to the start')
    expect((await turnPage(world, page, back)).text.match(/Walrus number/g)).toHaveLength(10)
  })

  test('shows nobody the work of other channels that is not theirs', async () => {
    const channel = await at.channel('secret', [JANE])
    await done('@Bosun a quick check of the okapi papers', channel)
    const elsewhere = await ask('find okapi papers', {as: KIM})
    expect(elsewhere.text).not.toContain(`<#${channel}>`)
    expect(elsewhere.text).not.toContain(`/archives/${channel}`)
    expect((await ask('find okapi papers')).text).toContain(`/archives/${channel}`)
  })

  test('shows what it knows itself while the platform declines', async () => {
    await done('@Bosun a quick check of the lemur')
    const fault = {kind: 'answer' as const, status: 403, applied: false}
    const rule = world.platform.control.faults.add({
      ...{match: {method: 'GET', path: '/threads\\?'}, times: null, fault},
    })
    const found = await ask('find lemur')
    expect(found.text).toContain('The agent platform could not be searched')
    expect(found.text).toContain(`/archives/${WEB}`)
    world.platform.control.faults.remove(rule)
  })
})

test('/bosun tasks counts the tasks of what runs here, and opens them', async () => {
  // Slow enough to be met at work.
  await using slow = await startInside({pace: 1})
  const list = async () => {
    const before = slow.slack.ephemerals(WEB, KIM).length
    await slow.slack.people.command({as: KIM, channel: WEB, command: '/bosun', text: 'tasks'})
    return slow.until('an answer', () => slow.slack.ephemerals(WEB, KIM)[before])
  }
  expect((await list()).text).toContain('Nothing is running in this channel')
  const place = await slow.say('@Bosun split the rounding into tasks')
  await slow.until('the plan stands', () =>
    slow.ours(place).some(({text}) => text.startsWith('*Tasks · ')),
  )
  const {text, ts} = await list()
  expect(text).toMatch(/\d of \d tasks done/)
  await slow.slack.people.press({as: KIM, channel: WEB, ts, actionId: ACTIONS.tasks})
  await createModals(slow).reads(KIM, 'Read the call sites')
})

describe('/bosun usage', () => {
  test('tells admins what was billed, by member and model, and reads dates', async () => {
    await done('@Bosun a quick check')
    const now = await ask('usage')
    expect(now.text).toMatch(/^\*What was billed\* · this month until now/)
    expect(now.text).toMatch(/Total \$\d+\.\d\d \([\d,]+ credits\)/)
    expect(now.text).toMatch(/\*By member\*\n• Jane Doe · Total \$/)
    expect(now.text).toMatch(/\*By model\*\n• standard · Total \$/)
    expect(now.text).toContain('input tokens')
    expect(JSON.stringify(now.blocks)).toMatch(/"type":"table".*"Member".*"Jane Doe"/)
    const past = await ask('usage 2020-02')
    expect(past.text).toContain('2020-02-01 to 2020-02-29 (UTC)')
    expect(past.text).toContain('$0.00')
    expect((await ask('usage yesterdya')).text).toContain('I can’t read *yesterdya* as a date')
    expect((await ask('usage 2026-11-15 2026-11-01')).text).toMatch(
      /ends before it begins|not begun/,
    )
    expect((await ask('usage', {as: KIM})).text).toContain('admin')
  })

  test('shows a report of another shape, and one that nobody understands', async () => {
    const {faults} = world.platform.control
    const say = (body: object) =>
      faults.add({
        ...{match: {path: '/usage'}, times: 1},
        fault: {kind: 'answer', status: 200, body: body as never, applied: true},
      })
    say({
      billed: {llm: 1.5, total: 'Infinity', machine: 'NaN'},
      members: Object.fromEntries(
        Array.from({length: 40}, (_, index) => [`user_${index}`, {total_credits: index * 1000}]),
      ),
      weather: 'nice <!here>',
    })
    const odd = await ask('usage')
    expect(odd.text).toContain('Total unlimited · LLM $1.50 · Machines unknown')
    expect(odd.text).toContain('weather nice &lt;!here&gt;')
    expect(odd.text).toContain('• user_39 · Total $39.00 (39,000 credits)')
    say({byModel: Array.from({length: 16}, (_, at) => ({model: `m${at}`, cost: 1 + at}))})
    const page = {as: JANE, channel: WEB, ts: odd.ts}
    const more = await turnPage(world, page, ACTIONS.usageMore)
    expect(more.text).toContain('What was billed')
    expect(more.text).toContain('• m0 · Total $1.00 (1,000 credits)')
    say({hello: {there: ['nothing', true]}})
    const unknown = await ask('usage')
    expect(unknown.text).toContain('I don’t know the format of the agent platform’s report')
    expect(unknown.text).toContain('nothing')
  })
})

describe('the organization', () => {
  test('/bosun projects lists them; an admin uses one here', async () => {
    const channel = await at.channel('projects', [JANE, KIM])
    const list = await ask('projects', {channel})
    expect(list.text).toContain('*web* · WEB · used here · `project_web`')
    expect(list.text).toContain('acme/api (main)')
    expect(JSON.stringify(list.blocks)).toContain(ACTIONS.useProject)
    const kims = await ask('projects', {channel, as: KIM})
    expect(JSON.stringify(kims.blocks)).not.toContain(ACTIONS.useProject)
    await world.slack.people.press({as: JANE, channel, ts: list.ts, actionId: ACTIONS.useProject})
    // The first one that is not used here.
    await at.reads(JANE, /Project.* \(api\)/)
    await world.slack.people.closeView({as: JANE})
  })

  test('/bosun users says who they are in Slack', async () => {
    const list = await ask('users')
    expect(list.text).toContain(`*Jane Doe* · <@${JANE}>`)
    expect(list.text).not.toContain('Alex')
  })

  test('an unconnected channel says so', async () => {
    await using other = await startInside({
      settings: {PLATFORM_API_KEY: '', PLATFORM_PROJECT_ID: ''},
    })
    for (const word of ['projects', 'users', 'folders', 'usage', 'find x', 'use', 'help']) {
      const before = other.slack.ephemerals(WEB, JANE).length
      await other.slack.people.command({as: JANE, channel: WEB, command: '/bosun', text: word})
      const said = await other.until('an answer', () => other.slack.ephemerals(WEB, JANE)[before])
      expect(said.text).toContain('not connected')
    }
    const whispers = () => other.slack.ephemerals(WEB, JANE)
    const before = whispers().length
    const {people} = other.slack
    await people.command({as: JANE, channel: WEB, command: '/bosun', text: 'mend the door'})
    const offer = await other.until('an offer', () => whispers()[before])
    const press = {as: JANE, channel: WEB, ts: offer.ts, actionId: ACTIONS.offerStart}
    await people.press(press)
    const refused = await other.until('a refusal', () => whispers()[before + 1])
    expect(refused.text).toContain('not connected')
    const place = await other.say('the shop is slow')
    await people.react({as: JANE, ...place, name: 'robot_face'})
    const told = await other.until('the same', () => whispers()[before + 2])
    expect(told.text).toContain('not connected')
    expect(other.posts('/api/v1/threads')).toEqual([])
  })
})

/** From the card's menu over the details of the work. */
async function openForm(place: Place): Promise<void> {
  await world.slack.people.closeView({as: KIM}).catch(() => undefined)
  await world.press(place, ACTIONS.details, KIM)
  await at.reads(KIM, /\$\d/)
  await world.slack.people.useView({as: KIM, actionId: ACTIONS.file})
  await at.reads(KIM, 'Another folder’s id')
}

describe('folders', () => {
  test('are remembered by name, and work is filed in them', async () => {
    const channel = await at.channel('folders', [JANE, KIM])
    expect((await ask('folders', {channel})).text).toContain('does not list them')
    expect((await ask('folders ad x', {channel})).text).toContain(
      'Did you mean `/bosun folders add`',
    )
    const id = 'folder_checkout'
    const kept = await ask(`folders add ${id} Audits &amp; &lt;!here&gt;`, {channel})
    expect(kept.text).toContain('I’ll remember *Audits &amp; &lt;!here&gt;* for everyone')
    const list = await ask('folders', {channel, as: KIM})
    expect(list.text).toContain(`\`${id}\``)

    const place = await done('@Bosun a quick check', channel)
    await openForm(place)
    await at.submit(KIM, {})
    await at.reads(KIM, 'Choose a folder')
    await at.submit(KIM, {folder: id})
    const hears = (words: string) => at.hears(KIM, channel, words)
    await hears('in *Audits &amp; &lt;!here&gt;*.')
    expect(world.posts(`/api/v1/folders/${id}/threads`)).toHaveLength(1)

    await openForm(place)
    await at.submit(KIM, {id: 'folder_nowhere', name: 'Nowhere'})
    await hears('There is no folder *Nowhere* on the agent platform')
    const outcome = async (word: string) => {
      const body = {outcomes: [{threadId: world.threadIn(place)?.id ?? '', outcome: word}]}
      world.platform.control.faults.add({
        ...{match: {path: '/folders/'}, times: 1},
        fault: {kind: 'answer', status: 200, body, applied: false},
      })
      await openForm(place)
      await at.submit(KIM, {folder: id})
    }
    await outcome('not_allowed')
    await hears('can’t go into a shared folder')
    await outcome('not_found')
    await hears('no longer finds this work')
    await outcome('some_day')
    await hears('*some_day*')
    expect((await ask('folders', {channel})).text).not.toContain('Nowhere')
    const gone = await ask('folders forget audits & <!here>', {channel})
    expect(gone.text).toContain('I have forgotten')
  })
})
