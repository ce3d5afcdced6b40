import {createHash} from 'node:crypto'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {openOwnership} from '../../src/store/ownership/opening.ts'
import type {BotProcess} from '../support/bot.ts'
import {genuine} from '../support/forgeries.ts'
import {startInstances} from '../support/instances.ts'
import type {Many} from '../support/many.ts'
import {onServer} from '../support/postgres-server.ts'
import {sessionTokenOf} from '../support/sessions.ts'
import {until} from '../support/until.ts'

const BETA = 'T0BETA'
const GAMMA = 'T0GAMMA'

/** Three instances for two workspaces and for what one does for all: each works for one of them. */
describe('three instances', () => {
  let all: Awaited<ReturnType<typeof startInstances>>
  let database: string
  let many: Many
  let bots: readonly BotProcess[]
  let origins: readonly string[]

  beforeAll(async () => {
    all = await startInstances({teams: [BETA, GAMMA], count: 3})
    ;({database, many, bots, origins} = all)
  })
  afterAll(() => all[Symbol.asyncDispose]())

  test('know what another one shows, and wait for what it makes of a post', async () => {
    const place = await many.say(BETA, '@Bosun fix the rounding of the cart')
    await many.settled(BETA, place)
    const {id = ''} = many.platform.threads()[0] ?? {}
    await until('the other workspace reads of it', () => readsOfIt(many))

    const token = await sessionTokenOf({platform: many.platform, secrets: {}}, id)
    for (const [index, origin] of origins.entries()) {
      const answer = await post(origin, {token, thread: id, text: `Built by ${index}`})
      expect([answer.status, await answer.json()]).toMatchObject([200, {state: 'posted'}])
      expect(many.ours(BETA, place).map(({text}) => text)).toContain(`Built by ${index}`)
    }

    // Whoever waits for a refusal hears it, on whichever instance, and nobody else does.
    const directs = () =>
      many.slack.ledger.calls.filter(({method, args}) => {
        return method === 'chat.postMessage' && String(args['channel']).startsWith('U')
      })
    const before = directs().length
    for (const origin of origins) {
      const refusal = {times: 1, applied: false, error: 'restricted_action'}
      many.slack.faults.failNext('chat.postMessage', refusal)
      expect((await post(origin, {token, thread: id, text: 'Hidden'})).status).toBe(502)
    }
    await new Promise((resolve) => setTimeout(resolve, 2500))
    expect(directs()).toHaveLength(before)
  })

  test('ask with buttons, and of two presses one counts, whichever instance hears of them', async () => {
    const place = await many.say(BETA, '@Bosun a quick check')
    await many.settled(BETA, place)
    const {id = ''} = many.platform.threads().at(-1) ?? {}
    const token = await sessionTokenOf({platform: many.platform, secrets: {}}, id)
    const pid = await all.ownerOf(BETA)
    const other = origins.find((_, index) => bots[index]?.pid() !== pid) ?? ''
    const asked = {token, thread: id, text: 'Which one?', options: ['This', 'That']}
    expect((await post(other, asked)).status).toBe(200)
    const question = () => many.ours(BETA, place).find(({text}) => text.startsWith('Which one?'))
    const ts = question()?.ts ?? ''
    const people = many.peopleOf(BETA)
    const {id: second} = await people.addMember({name: 'second', realName: 'Second'})
    const press = (as: string, index: number) =>
      people.press({as, channel: place.channel, ts, actionId: `bosun:choose:${index}`})
    await people.invite(place.channel, second)
    await Promise.all([press('U0BETARITA', 0), press(second, 1)])
    await until('it says who chose', () => question()?.text.includes(' chose '))
    const said = many.platform
      .transcript(id)
      .filter(({source}) => source === 'user')
      .slice(1)
    expect(said).toHaveLength(1)
    expect(question()?.text).toMatch(said[0]?.text.endsWith('\nThat') ? /That\*$/ : /This\*$/)
  })

  test('keep a token to themselves that one of them was shown', async () => {
    const place = await many.say(BETA, '@Bosun fix the rounding of the till')
    await many.settled(BETA, place)
    const {id = ''} = many.platform.threads().at(-1) ?? {}
    const token = await sessionTokenOf({platform: many.platform, secrets: {}}, id)
    const pid = await all.ownerOf(BETA)
    const other = origins.find((_, index) => bots[index]?.pid() !== pid) ?? ''
    const answer = await post(other, {token, thread: id, text: 'Built'})
    expect(answer.status).toBe(200)
    many.platform.control.planScript({
      when: {text: 'show me the token'},
      steps: [{kind: 'entry', entry: {source: 'assistant', text: `It is ${token}.`}}],
    })
    const shown = await many.say(BETA, '@Bosun show me the token')
    const words = () => JSON.stringify(many.ours(BETA, shown))
    await until('the reply is shown', () => words().includes('It is'))
    expect(words()).not.toContain(token)
  })

  test('believe at once that a channel is private, whichever instance was told so', async () => {
    const first = bots[0]?.pid()
    const team = (await all.ownerOf(BETA)) === first ? GAMMA : BETA
    expect(await all.ownerOf(team)).not.toBe(first)
    const begin = async (task: string) => {
      const place = await many.say(team, `@Bosun ${task}`)
      await many.settled(team, place)
      const {id = ''} = many.platform.threads().at(-1) ?? {}
      const hash = createHash('sha256').update(id).digest('base64url')
      const of = `select 1 from private_threads where thread_hash = '${hash}'`
      return {channel: place.channel, isPrivate: (await onServer(of, database)).length > 0}
    }
    const {channel, isPrivate} = await begin('a quick look')
    expect(isPrivate).toBe(false)
    const [user, ts] = [`U${team.slice(1)}RITA`, `${Math.floor(Date.now() / 1000)}.000001`]
    const event = {type: 'message', channel, channel_type: 'group', user, text: 'So it is.', ts}
    const told = {type: 'event_callback', team_id: team, event_id: 'Ev0CLOSED', event}
    const {headers, body} = genuine(many.slack.signingSecret, {
      body: Buffer.from(JSON.stringify({...told, api_app_id: 'A0BOSUN', event_time: 1})),
    })
    const sent = {method: 'POST', headers: headers as Record<string, string>, body: body.toString()}
    expect((await fetch(`${many.origin}/slack/events`, sent)).status).toBe(200)
    expect((await begin('another quick look')).isPrivate).toBe(true)
  })

  test('keep the silence that Slack wants of one of them, whoever goes on', async () => {
    const {faults, ledger} = many.slack
    const place = await many.say(BETA, '@Bosun long report of the prices')
    await until('it is being shown', () => many.ours(BETA, place).length > 1)
    const wait = {times: 1, status: 429, applied: false, retryAfterSeconds: 10}
    faults.failNext('chat.update', wait)
    const edits = () => ledger.calls.filter(({method}) => method === 'chat.update')
    const limited = await until('one is limited', () => edits().find(({status}) => status === 429))
    const pid = await all.ownerOf(BETA)
    const owner = bots.find((bot) => bot.pid() === pid)
    await owner?.stop()
    await many.settled(BETA, place)
    expect(await all.ownerOf(BETA)).not.toBe(pid)
    const next = edits().find(({seq}) => seq > limited.seq)
    expect((next?.atMs ?? 0) - limited.atMs).toBeGreaterThan(9900)
    await (owner === many.bot ? many.startBot() : owner?.start())
  })

  test('go on with what one of them did, once: where it stood still, and where it was killed', async () => {
    for (const fault of ['SIGSTOP', 'SIGKILL'] as const) {
      const place = await many.say(BETA, '@Bosun long report of the prices')
      await until('it is being shown', () => many.ours(BETA, place).length > 1)
      const pid = await all.ownerOf(BETA)
      process.kill(pid, fault)
      await until('somebody else works for it', async () => (await all.ownerOf(BETA)) !== pid)
      if (fault === 'SIGSTOP') process.kill(pid, 'SIGCONT')
      await many.settled(BETA, place)
    }
    // Slack delivers to the first one alone: it runs again for what comes next.
    if (!many.bot.isRunning()) await many.startBot()
  })

  test('hand over in time while Slack does not answer', async () => {
    const place = await many.say(BETA, '@Bosun long report of the prices')
    await until('it is being shown', () => many.ours(BETA, place).length > 1)
    const pid = await all.ownerOf(BETA)
    const owner = bots.find((bot) => bot.pid() === pid)
    await new Promise<void>((hangs) => many.slackProxy.strikeAt(/chat\.update/, 'before', hangs))
    const stoppedAtMs = performance.now()
    const stopped = owner?.stop()
    await until('somebody else works for it', async () => {
      const now = await all.ownerOf(BETA)
      return now !== pid && now !== 0
    })
    // Three seconds are promised; one that falls silent is followed after ten.
    expect(performance.now() - stoppedAtMs).toBeLessThan(6000)
    await stopped
    await many.settled(BETA, place)
    await (owner === many.bot ? many.startBot() : owner?.start())
  })

  test('work for nothing that has no install any more, whoever offered it', async () => {
    const names = async () => {
      const jobs = await onServer(`select data->>'name' as name from bosun_jobs.job`, database)
      const claims = await onServer('select name from claims', database)
      return [...jobs, ...claims].map(({name}) => name)
    }
    const instance = 'one that ended'
    const late = await openOwnership({path: database, instance, tell: () => undefined})
    await late.offer(['T0GONE'])
    expect(await names()).toContain('T0GONE')
    await late[Symbol.asyncDispose]()
    await until('it is nobody’s', async () => !(await names()).includes('T0GONE'))
    expect((await names()).filter((name) => name === BETA)).toHaveLength(2)
  })

  const post = (
    origin: string,
    {token, ...body}: {token: string; thread: string; text: string; options?: string[]},
  ) =>
    fetch(`${origin}/agent/posts`, {
      method: 'POST',
      headers: {'content-type': 'application/json', authorization: `Bearer ${token}`},
      body: JSON.stringify(body),
    })
})

async function readsOfIt(many: Many): Promise<boolean> {
  const {slack} = many
  const channel = 'C0GAMMAGENERAL'
  const before = slack.ephemerals(channel, 'U0GAMMARITA').length
  await many
    .peopleOf(GAMMA)
    .command({as: 'U0GAMMARITA', channel, command: '/bosun', text: 'find cart'})
  const told = await until('it is answered', () => slack.ephemerals(channel, 'U0GAMMARITA')[before])
  return told.text.includes('rounding')
}
