import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {ACTIONS} from '../../src/slack/ids.ts'
import {type GithubEvent, deliver, github, shaOf} from '../support/github.ts'
import {type Hooks, createHooks} from '../support/hooks.ts'
import {type Modals, createModals} from '../support/modals.ts'
import {JANE, KIM, type Place, type World} from '../support/world.ts'
import {startInside} from './open-world.ts'

let world: World
let at: Modals
let hooks: Hooks
let hook: {path: string; secret: string}

beforeAll(async () => {
  world = await startInside({pace: 0.05, settings: {BOSUN_HOOKS_PER_MINUTE: '6000'}})
  at = createModals(world)
  hooks = createHooks(world, at)
  hook = await hooks.makeGithub('C0WEB', 'acme')
})
afterAll(() => world[Symbol.asyncDispose]())

const T0 = Date.parse('2026-01-05T10:00:00Z')
let numbers = 2000
let runs = 100

const sends = (event: GithubEvent, to = hook) =>
  deliver(`${hooks.origin()}${to.path}`, to.secret, event)

/** Work whose agent names these. */
async function named(numbersOf: readonly number[], channel = 'C0WEB'): Promise<Place> {
  const task = `quick work on ${numbersOf.join(' and ')}`
  const addresses = numbersOf.map((number) => `https://github.com/acme/web/pull/${number}`)
  const text = `I opened ${addresses.join(' and ')}.`
  const say = {kind: 'say', fragments: [text], delayMs: 0} as const
  world.platform.control.planScript({when: {text: task}, steps: [say]})
  const place = await world.say(`@Bosun ${task}`, {channel})
  await world.settled(place)
  for (const number of numbersOf) {
    await world.until('its card stands', () => cardOf(place, number))
  }
  return place
}

const cardOf = (place: Place, number: number) =>
  world.ours(place).find(({text}) => text.startsWith('🔀') && text.includes(`#${number}`))

const labelsOf = (place: Place, number: number): string[] =>
  [
    ...JSON.stringify(cardOf(place, number)?.blocks).matchAll(
      /"text":\{"type":"plain_text","text":"([^"]+)"/g,
    ),
  ].map(([, label = '']) => label)

async function shows(place: Place, number: number, words: string): Promise<void> {
  await world.until(`its card shows: ${words}, not ${cardOf(place, number)?.text}`, () =>
    cardOf(place, number)?.text.includes(words),
  )
}

const number = (): number => (numbers += 1)
const run = (): number => (runs += 1)

describe('the card of a pull request', () => {
  test('is told by the digest of its channel once it was merged, and by no other one', async () => {
    const pr = number()
    const {id: other} = await world.slack.people.createChannel({name: 'else', memberIds: [KIM]})
    await world.slack.people.inviteBot(other)
    const place = await named([pr])
    const of = {number: pr, head: shaOf(`${pr}a`)}
    await sends(github.pullRequest({...of, merged: true, atMs: Date.now() - 60_000}))
    await shows(place, pr, 'Merged')
    // What is said of it later merges it no second time.
    await sends(github.pullRequest({...of, merged: true, atMs: Date.now() + 60_000}))
    const told = async (channel: string): Promise<string> => {
      const heard = () => world.slack.ephemerals(channel, KIM)
      const asked = heard().length
      await world.slack.people.command({as: KIM, channel, command: '/bosun', text: 'digest'})
      const {ts} = await world.until('it is answered', () => heard()[asked])
      const actionId = ACTIONS.digestShow
      await world.slack.people.press({as: KIM, channel, ts, actionId})
      return (await world.until('it is shown', () => heard()[asked + 1])).text
    }
    expect(await told('C0WEB')).toMatch(
      new RegExp(`🟣 \\*Merged\\* \\(1\\)\\n• <https://github.com/acme/web/pull/${pr}\\|`),
    )
    expect(await told(other)).not.toContain(String(pr))
  })

  test('lives from its draft to its merge', async () => {
    const pr = number()
    const place = await named([pr])
    const before = cardOf(place, pr)
    expect(before?.text).toBe(
      `🔀 Pull request <https://github.com/acme/web/pull/${pr}|acme/web#${pr}>`,
    )
    const [first, second] = [shaOf(`${pr}a`), shaOf(`${pr}b`)]
    const of = {number: pr, title: 'Fix <!channel> & the cart'}
    expect(await sends(github.ping())).toEqual({status: 202, body: {outcome: 'ignored'}})
    const opened = github.pullRequest({...of, head: first, draft: true, atMs: T0, action: 'opened'})
    expect(await sends(opened)).toEqual({status: 202, body: {outcome: 'accepted'}})
    expect(await sends(opened)).toEqual({status: 202, body: {outcome: 'duplicate'}})
    await shows(place, pr, ' · Fix &lt;!channel&gt; &amp; the cart · Draft')
    await sends(github.pullRequest({...of, head: first, atMs: T0 + 1000}))
    await shows(place, pr, ' · Open')
    const [lint, unit] = [run(), run()]
    await sends(github.checkRun({sha: first, name: 'lint', id: lint}))
    await sends(github.checkRun({sha: first, name: 'unit (20)', id: unit}))
    await shows(place, pr, ' · ⏳ 2 of 2 checks running')
    expect(labelsOf(place, pr)).toEqual(['Review', 'Ask for changes'])
    const failed = {sha: first, name: 'lint', id: lint, conclusion: 'failure', atMs: T0 + 9000}
    await sends(github.checkRun(failed))
    await shows(place, pr, ' · ❌ lint failed · ⏳ 1 of 2 checks running')
    await sends(github.checkRun({...failed, name: 'unit (20)', id: unit, conclusion: 'success'}))
    await shows(place, pr, ' · ❌ lint failed')
    expect(labelsOf(place, pr)).toEqual(['Let the agent fix it', 'Review', 'Ask for changes'])

    const fixing = {kind: 'say', fragments: ['Fixed, and pushed.'], delayMs: 0} as const
    world.platform.control.planScript({when: {text: 'these checks failed'}, steps: [fixing]})
    await Promise.all([world.press(place, ACTIONS.fix, KIM), world.press(place, ACTIONS.fix, JANE)])
    await shows(place, pr, 'The agent was told')
    expect(labelsOf(place, pr)).toEqual(['Review', 'Ask for changes'])
    const told = () =>
      world
        .transcriptIn(place)
        .filter(({source, text}) => source === 'user' && text.includes('these checks failed'))
    await world.until('the agent has it', () => told()[0])
    await world.settled(place)
    expect(told()).toHaveLength(1)
    expect(told()[0]?.text).toMatch(/^(Jane|Kim)\b.*in #web \(slack:\w+\):\n/)
    expect(told()[0]?.text).toContain(`- “lint”: https://github.com/acme/web/actions/runs/${lint}`)

    const push = {...of, action: 'synchronize', before: first, head: second, atMs: T0 + 20_000}
    await sends(github.pullRequest(push))
    await shows(place, pr, ' · Open')
    await sends(
      github.status({sha: second, context: 'ci/unit', id: 1, state: 'success', atMs: T0 + 21_000}),
    )
    await shows(place, pr, ' · ✅ 1 check')
    // What fails at another commit is another thing: whoever pressed before presses again.
    const broken = {sha: second, context: 'ci/unit', id: 2, state: 'failure'} as const
    await sends(github.status({...broken, atMs: T0 + 22_000}))
    await shows(place, pr, ' · ❌ ci/unit failed')
    await Promise.all([world.press(place, ACTIONS.fix, KIM), world.press(place, ACTIONS.fix, JANE)])
    await world.until('the agent has that, too', () => told()[1])
    await world.settled(place)
    expect(told()).toHaveLength(2)
    const mended = {...broken, id: 3, state: 'success'} as const
    await sends(github.status({...mended, atMs: T0 + 23_000}))
    await shows(place, pr, ' · ✅ 1 check')
    const review = {...of, head: second, atMs: T0 + 30_000}
    await sends(github.review({...review, by: 'octocat', id: 7, opinion: 'changes_requested'}))
    await shows(place, pr, 'octocat wants changes')
    await sends(
      github.review({...review, atMs: T0 + 31_000, by: 'octocat', id: 8, opinion: 'approved'}),
    )
    await shows(place, pr, 'approved by octocat')
    await sends(github.pullRequest({...of, head: second, atMs: T0 + 32_000, mergeable: 'dirty'}))
    await shows(place, pr, 'conflicts with its base')
    await sends(github.pullRequest({...of, head: second, atMs: T0 + 33_000, mergeable: 'clean'}))
    await sends(
      github.pullRequest({...of, head: second, atMs: T0 + 40_000, merged: true, action: 'closed'}),
    )
    await shows(place, pr, ' · 🟣 Merged')
    expect(cardOf(place, pr)?.text).not.toContain('check')
    expect(labelsOf(place, pr)).toEqual(['Ask for changes'])
    // Whatever comes late has been overtaken.
    await sends(github.pullRequest(push))
    await sends(opened)
    expect(cardOf(place, pr)?.ts).toBe(before?.ts)
    await world.until('the card of the work shows it', () =>
      JSON.stringify(world.ours(place)[0]?.blocks).includes(`PR #${pr}> 🟣 merged`),
    )
  })
  test('is one for each of several, and other projects and channels stay as they are', async () => {
    const [one, two, three] = [number(), number(), number()]
    const place = await named([one, two, three])
    const elsewhere = await at.channel('api', [JANE, KIM])
    const settings = {project: world.platform.projectIds[1] ?? ''}
    await at.connect(elsewhere, {key: {}, settings}, JANE)
    const other = await named([one], elsewhere)
    const [otherHook, wideHook] = [
      await hooks.makeGithub(elsewhere, 'acme in api'),
      await hooks.makeGithub(elsewhere, 'acme everywhere', 'wide'),
    ]
    const draws = (pr: number, atMs: number, to: typeof hook, stage: 'draft' | 'merged' | 'open') =>
      sends(
        github.pullRequest({
          ...{number: pr, head: shaOf(pr), atMs},
          ...{draft: stage === 'draft', merged: stage === 'merged'},
        }),
        to,
      )
    await draws(one, T0, hook, 'draft')
    await shows(place, one, ' · Draft')
    await draws(two, T0, hook, 'merged')
    await shows(place, two, ' · 🟣 Merged')
    expect(cardOf(place, three)?.text).not.toContain(' · ')
    expect(cardOf(other, one)?.text).not.toContain(' · ')

    // Whoever has the secret of the other channel changes nothing here.
    await draws(one, T0 + 1000, otherHook, 'merged')
    await shows(other, one, ' · 🟣 Merged')
    await draws(one, T0 + 2000, hook, 'open')
    await shows(place, one, ' · Open')
    // What counts everywhere and is newer counts here, too; what is older does not.
    await draws(three, T0, wideHook, 'open')
    await shows(place, three, ' · Open')
    await draws(one, T0 + 3000, wideHook, 'draft')
    await shows(place, one, ' · Draft')
    await shows(other, one, ' · Draft')
    await draws(one, T0 + 500, wideHook, 'merged')
    await draws(two, T0 - 1000, wideHook, 'open')
    await draws(three, T0 + 1000, wideHook, 'merged')
    await shows(place, three, ' · 🟣 Merged')
    expect(cardOf(place, one)?.text).toContain(' · Draft')
    expect(cardOf(place, two)?.text).toContain(' · 🟣 Merged')
  })

  test('shows what was said before anybody named it, and after a kill, also where the work is put away', async () => {
    await world.moveOut()
    const [pr, put] = [number(), number()]
    const head = shaOf(pr)
    await sends(github.checkRun({sha: head, name: 'build', id: run(), conclusion: 'success'}))
    await sends(github.pullRequest({number: pr, head, atMs: T0}))
    const place = await named([pr])
    await shows(place, pr, ' · Open · ✅ 1 check')
    const away = await named([put])
    await world.press(away, ACTIONS.archive)
    await world.until('it is put away', () => /📦/u.test(world.ours(away)[0]?.text ?? ''))
    world.slack.faults.storm('chat.update', {ms: 600_000})
    await sends(github.pullRequest({number: pr, head, atMs: T0 + 1000, draft: true}))
    await sends(github.pullRequest({number: put, head: shaOf(put), atMs: T0, merged: true}))
    await world.bot.kill()
    world.slack.faults.calm()
    await world.startBot()
    await shows(place, pr, ' · Draft · ✅ 1 check')
    await shows(away, put, ' · 🟣 Merged')
  })

  test('loses what a deleted hook has said', async () => {
    const pr = number()
    const place = await named([pr])
    const channel = await at.channel('awhile', [JANE, KIM])
    await at.connect(
      channel,
      {key: {}, settings: {project: world.platform.projectIds[0] ?? ''}},
      JANE,
    )
    const own = await hooks.makeGithub(channel, 'for a while')
    await sends(github.pullRequest({number: pr, head: shaOf(pr), atMs: T0, merged: true}), own)
    await shows(place, pr, ' · 🟣 Merged')
    await at.command('hooks', {as: JANE, channel})
    const list = await at.hears(JANE, channel, '*for a while* · 🟢 on · GitHub last spoke')
    const press = {as: JANE, channel, ts: list.ts, actionId: ACTIONS.hookDelete}
    await world.slack.people.press(press)
    await at.hears(JANE, channel, 'The webhook of *for a while* is deleted.')
    await world.until('it is as before', () => cardOf(place, pr)?.text.includes(' · ') === false)
    expect((await sends(github.ping(), own)).status).toBe(401)
  })
})

describe('an agent', () => {
  test('is told by itself where its channel wants it, once for each state, and three times at most', async () => {
    await world.moveOut()
    const channel = await at.channel('alone', [JANE, KIM])
    const settings = {project: world.platform.projectIds[0] ?? '', fixPullRequests: 'yes'}
    await at.connect(channel, {key: {}, settings}, JANE)
    await at.command('channel', {as: JANE, channel})
    const {text} = await at.hears(JANE, channel, 'When a pull request fails')
    expect(text).toContain('the agent is told at once, three times at most · _this channel_')
    const pr = number()
    const say = {kind: 'say', fragments: ['Fixed, and pushed.'], delayMs: 0} as const
    for (let times = 0; times < 3; times += 1) {
      world.platform.control.planScript({when: {text: `/pull/${pr}: `}, steps: [say]})
    }
    const place = await named([pr], channel)
    const told = () =>
      world
        .transcriptIn(place)
        .filter(({source, text: said}) => source === 'user' && said.includes(`/pull/${pr}: `))
    const fails = async (round: number): Promise<void> => {
      const head = shaOf(`${pr}-${round}`)
      const atMs = T0 + round * 60_000
      await sends(github.pullRequest({number: pr, head, atMs, action: 'synchronize'}))
      const [lint, unit] = [run(), run()]
      await sends(github.checkRun({sha: head, name: 'unit', id: unit}))
      await sends(github.checkRun({sha: head, name: 'lint', id: lint, conclusion: 'failure', atMs}))
      await shows(place, pr, ' · ❌ lint failed · ⏳ 1 of 2 checks running')
      // Half of it is known.
      expect(told()).toHaveLength(Math.min(round, 3))
      const last = github.checkRun({sha: head, name: 'unit', id: unit, conclusion: 'failure', atMs})
      await Promise.all([sends(last), sends(last)])
      await sends(github.checkRun({sha: head, name: 'unit', id: unit}))
    }
    for (const round of [0, 1, 2]) {
      await fails(round)
      await world.until('the agent was told', () => told().length === round + 1)
      await shows(place, pr, 'The agent was told')
      await world.settled(place)
      if (round === 1) {
        await world.bot.kill()
        await world.startBot()
      }
    }
    expect(told()[0]?.text).toMatch(/^@?Bosun\b.*\(slack:\w+\):\n/i)
    await fails(3)
    await shows(place, pr, 'The agent has tried 3 times')
    expect(labelsOf(place, pr)).toContain('Let the agent fix it')
    await world.settled(place)
    expect(told()).toHaveLength(3)
    world.platform.control.planScript({when: {text: `/pull/${pr}: `}, steps: [say]})
    await world.press(place, ACTIONS.fix)
    await world.until('somebody told it', () => told().length === 4)

    // Admins read what was told by nobody's hand, each once, and of which commit.
    await at.command('audit', {as: JANE, channel})
    const audit = await at.hears(JANE, channel, 'Who did what')
    const entries = audit.text
      .split('\n')
      .filter((line) => line.includes('told an agent by itself'))
    expect(entries).toHaveLength(3)
    expect(entries[0]).toContain(
      `Bosun, as the channel is set, told an agent by itself of *checks* · in <#${channel}> · on \`github.com/acme/web#${pr} checks:`,
    )
  })
})

describe('what GitHub sends', () => {
  test('is refused without its signature, in another form, or too large, and says how it is set right', async () => {
    const address = `${hooks.origin()}${hook.path}`
    const {body} = github.ping()
    const json = JSON.stringify(body)
    const post = async (headers: Record<string, string>, text = json) => {
      const answer = await fetch(address, {method: 'POST', headers, body: text})
      return {status: answer.status, body: (await answer.json()) as Record<string, unknown>}
    }
    const type = {'content-type': 'application/json'}
    const wrong = {'x-hub-signature-256': `sha256=${'0'.repeat(64)}`}
    expect((await post(type)).status).toBe(401)
    expect((await post({...type, ...wrong})).status).toBe(401)
    // A token proves nothing of who has signed what.
    expect((await post({...type, authorization: `Bearer ${hook.secret}`})).status).toBe(401)
    expect(await sends(github.ping(), {...hook, secret: `${hook.secret}x`})).toMatchObject({
      status: 401,
    })
    const form = {'content-type': 'application/x-www-form-urlencoded', ...wrong}
    const told = await post(form, `payload=${encodeURIComponent(json)}`)
    expect(told.status).toBe(415)
    expect(told.body['fix']).toBe(
      'At GitHub, set the content type of this webhook to application/json.',
    )
    const huge = {...body, words: 'x'.repeat(25_000_000)}
    const refused = sends({event: 'ping', delivery: 'd', body: huge}).catch(() => ({status: 413}))
    expect((await refused).status).toBe(413)
  })
})
