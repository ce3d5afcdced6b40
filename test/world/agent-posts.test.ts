import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {MAX_POSTS} from '../../src/features/agent-posts/agent-posts.ts'
import {type Ask, openMachine, postFrom} from '../support/agent-machine.ts'
import {createModals} from '../support/modals.ts'
import {sessionTokenOf} from '../support/sessions.ts'
import {JANE, KIM, type Place, type World} from '../support/world.ts'
import {startInside} from './open-world.ts'

let world: World

beforeAll(async () => {
  world = await startInside({pace: 0.1})
})
afterAll(() => world[Symbol.asyncDispose]())

const post = (body: unknown, ask?: Ask) => postFrom(world, body, ask)
const work = (task?: string) => openMachine(world, task)

const saying = (place: Place, words: string) =>
  world.ours(place).filter(({text}) => text.includes(words))

describe('code on an agent’s machine', () => {
  test('shows text in the Slack thread of its work, once for each key, and calls nobody', async () => {
    const {place, thread, token} = await work()
    const text = '**Built** in 12 s <!channel> <@U0KIM> [bank.example](https://evil.example/x)'
    const first = await post({thread, text}, {token, key: 'build-1'})
    expect(first).toMatchObject({status: 200, said: {state: 'posted'}})
    const again = await post({thread, text}, {token, key: 'build-1'})
    expect(again).toMatchObject({status: 200, said: first.said})
    const [shown, ...others] = saying(place, 'Built')
    expect(others).toEqual([])
    const drawn = JSON.stringify(shown?.blocks)
    expect(drawn).toContain('**Built** in 12 s')
    expect(drawn + (shown?.text ?? '')).not.toMatch(/<!channel>|<@U0KIM>/)
    expect(drawn).toContain('bank.example (https://evil.example/x)')

    const other = await post({thread, text: 'Something else'}, {token, key: 'build-1'})
    expect(other).toMatchObject({status: 422, said: {error: 'idempotency_key_reused'}})
    const without = [
      await post({thread, text: 'Ran'}, {token}),
      await post({thread, text: 'Ran'}, {token}),
    ]
    expect(without.map(({status}) => status)).toEqual([200, 200])
    expect(saying(place, 'Ran')).toHaveLength(2)
    expect(world.bot.output()).not.toContain(token)
  })

  test('shows long text in several messages and a file behind them', async () => {
    const {place, thread, token} = await work()
    const text = Array.from({length: 200}, (_, index) => `Line ${index} of the report.`).join(
      '\n\n',
    )
    const file = {name: '../../report.json', content: '{"lines": 200, "über": "ü"}'}
    const answer = await post({thread, text, file}, {token, key: 'report'})
    expect(answer.status).toBe(200)
    const parts = saying(place, 'of the report.')
    expect(parts.length).toBeGreaterThan(1)
    expect(parts.map(({text: shown}) => shown).join('\n')).toContain('Line 199')
    const fileId = await world.until(
      'the file stands',
      () => world.ours(place).flatMap(({fileIds = []}) => fileIds)[0],
    )
    expect(world.slack.fileText(fileId)).toBe(file.content)
    const uploads = world.slack.ledger.calls.filter(
      ({method}) => method === 'files.getUploadURLExternal',
    )
    expect(uploads.at(-1)?.args['filename']).toBe('report.json')
    const bytes = Buffer.from([0, 255, 1, 254]).toString('base64')
    const binary = await post({thread, file: {name: 'a.bin', base64: bytes}}, {token})
    expect(binary.status).toBe(200)
  })

  test('of a thread that two channels show posts into the first', async () => {
    const {place, thread, token} = await work()
    const {id: channel} = await world.slack.people.createChannel({
      name: 'second',
      memberIds: ['U0JANE'],
    })
    await world.slack.people.inviteBot(channel)
    await world.slack.people.command({
      as: 'U0JANE',
      channel,
      command: '/bosun',
      text: `follow ${thread}`,
    })
    const head = await world.until('it is followed', () =>
      world.slack.messages(channel).find(({text}) => text.startsWith('👀')),
    )
    await world.until('its card stands', () => world.ours({channel, ts: head.ts}).length > 0)
    expect((await post({thread, text: 'Only once'}, {token})).status).toBe(200)
    expect(saying(place, 'Only once')).toHaveLength(1)
    expect(saying({channel, ts: head.ts}, 'Only once')).toEqual([])
  })
})

describe('whoever is not that code', () => {
  test('gets one and the same answer, whatever is wrong', async () => {
    const [mine, theirs] = [await work(), await work()]
    const text = 'Not for you'
    const answers = [
      await post({thread: theirs.thread, text}, {token: mine.token}),
      await post({thread: 'thread_nowhere', text}, {token: mine.token}),
      await post({thread: mine.thread, text}, {token: `${mine.token}x`}),
      await post({thread: mine.thread, text}),
      await post({thread: mine.thread, text}, {headers: {authorization: 'Basic x'}}),
      await post({thread: mine.thread, text}, {token: world.platform.keys.human}),
    ]
    expect(new Set(answers.map(({said}) => JSON.stringify(said))).size).toBe(1)
    expect(answers.map(({status}) => status)).toEqual(answers.map(() => 401))
    // One that is of the past may hear that.
    await world.press(mine.place, 'bosun:archive')
    await world.until('it is archived', () => world.threadIn(mine.place)?.archived === true)
    const late = await post({thread: mine.thread, text}, {token: mine.token})
    expect(late.status).toBe(401)
    expect([...saying(mine.place, text), ...saying(theirs.place, text)]).toEqual([])
    const said = world.slack.ephemerals(mine.place.channel, 'U0JANE').map((it) => it.text)
    expect(said.join()).not.toContain('no longer accepts the key')
  })

  test('posts no text that shows its token, however it is drawn', async () => {
    const {place, thread, token} = await work()
    const spread = (mark: string): string => Array.from(token).join(mark)
    const ways: Record<string, string> = {
      'with backslashes': token.replaceAll(/[_.-]/g, String.raw`\$&`),
      'in bold in the middle': `${token.slice(0, 20)}**${token.slice(20)}**`,
      'with marks that turn the direction': spread('\u202e'),
      'with spaces of no width': spread('\u200b'),
      'with control characters': spread('\u0007'),
      'with soft hyphens': spread('\u00ad'),
      'in two lines': `${token.slice(0, 30)}\n${token.slice(30)}`,
      'in entities of HTML': token.replaceAll(/[.e]/g, (it) => `&#${it.charCodeAt(0)};`),
      'percent-encoded': token.replaceAll(/[.e]/g, (it) => `%${it.charCodeAt(0).toString(16)}`),
      'in wide letters': token.replaceAll(/[a-z]/g, (it) =>
        String.fromCodePoint(it.charCodeAt(0) + 0xfee0),
      ),
      'as the words of a link': `[${token}](https://example.com)`,
      'in the address of a link': `[here](https://example.com/?t=${token})`,
    }
    const answers = Object.entries(ways).map(async ([way, drawn]) => {
      const {status, said} = await post({thread, text: `Drawn: ${drawn}.`}, {token})
      return [way, status, said.error]
    })
    expect(await Promise.all(answers)).toEqual(
      Object.keys(ways).map((way) => [way, 400, 'invalid_body']),
    )
    expect(saying(place, 'Drawn: ')).toEqual([])
  })

  test('hears what is wrong with a request, and GET does nothing', async () => {
    const {place, thread, token} = await work()
    const text = 'Wrong'
    const refusals: [unknown, Ask, number][] = [
      ['{', {token}, 400],
      ['[]', {token}, 400],
      [{thread}, {token}, 400],
      [{thread, text: ' '}, {token}, 400],
      [{thread, text: 'x'.repeat(12_001)}, {token}, 400],
      [{thread, text, file: {name: 'a'}}, {token}, 400],
      [{thread, text, file: {name: 'a', base64: '!'}}, {token}, 400],
      [{thread, text, file: {name: 'a', content: ''}}, {token}, 400],
      [{thread, text: `${text} ${token}`}, {token}, 400],
      [JSON.stringify({thread, text: token}).replace('eyJ', String.raw`\u0065yJ`), {token}, 400],
      [{thread, text, file: {name: 'a', base64: btoa(`token=${token}`)}}, {token}, 400],
      [{thread, text, file: {name: 'a', content: 'x'.repeat(1_048_576)}}, {token}, 413],
      [{thread, text}, {token, headers: {'content-type': 'text/plain'}}, 415],
      [{thread, text}, {token, headers: {'content-encoding': 'gzip'}}, 415],
      [{thread, text}, {token, key: 'x'.repeat(300)}, 400],
      [{thread, text}, {token, method: 'PUT'}, 405],
      [undefined, {token, method: 'GET'}, 405],
      [undefined, {token, method: 'HEAD'}, 405],
    ]
    for (const [body, ask, status] of refusals) {
      const answer = await post(body, ask)
      expect([JSON.stringify(body ?? null).slice(0, 80), answer.status]).toEqual([
        JSON.stringify(body ?? null).slice(0, 80),
        status,
      ])
    }
    expect(saying(place, text)).toEqual([])
  })

  test('posts no more than twenty a minute', async () => {
    const {place, thread, token} = await work()
    const answers = []
    for (let index = 0; index < MAX_POSTS + 1; index += 1) {
      answers.push(await post({thread, text: `Number ${index}`}, {token, key: `n${index}`}))
    }
    expect(answers.map(({status}) => status)).toEqual([...Array<number>(MAX_POSTS).fill(200), 429])
    expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0)
    // What stands already is no new one.
    expect((await post({thread, text: 'Number 0'}, {token, key: 'n0'})).status).toBe(200)
    expect(saying(place, 'Number ')).toHaveLength(MAX_POSTS)
  })
})

describe('what goes wrong on the way', () => {
  test('a platform that verifies nothing is told as 501, one that is silent as 503', async () => {
    const {place, thread, token} = await work()
    const {faults} = world.platform.control
    for (const status of [404, 405, 410, 501]) {
      const fault = {kind: 'answer' as const, status, applied: false}
      const rule = faults.add({match: {path: '/sessions/verify'}, times: null, fault})
      const answer = await post({thread, text: 'Unverified'}, {token})
      expect(answer).toMatchObject({status: 501, said: {error: 'verification_unavailable'}})
      faults.remove(rule)
    }
    const fault = {kind: 'answer' as const, status: 503, applied: false}
    const rule = faults.add({match: {path: '/sessions/verify'}, times: null, fault})
    expect((await post({thread, text: 'Unverified'}, {token})).status).toBe(503)
    faults.remove(rule)
    const denial = {kind: 'answer' as const, status: 401, body: {reason: 'expired'}, applied: false}
    faults.add({match: {path: '/sessions/verify'}, times: 1, fault: denial})
    const expired = await post({thread, text: 'Unverified'}, {token})
    expect(expired).toMatchObject({status: 401, said: {error: 'expired'}})
    expect(saying(place, 'Unverified')).toEqual([])
  })

  test('an answer of Slack that is lost, and a kill, leave one message', async () => {
    await world.moveOut()
    const {place, thread, token} = await work()
    world.slack.faults.failNext('chat.postMessage', {
      times: 1,
      error: 'internal_error',
      applied: true,
    })
    const unsure = await post({thread, text: 'Exactly once'}, {token, key: 'once'})
    expect([200, 202]).toContain(unsure.status)
    await world.bot.kill()
    await world.startBot()
    await world.until('it stands', () => saying(place, 'Exactly once').length > 0)
    const again = await post({thread, text: 'Exactly once'}, {token, key: 'once'})
    expect([200, 202]).toContain(again.status)
    expect(saying(place, 'Exactly once')).toHaveLength(1)
  })

  test('what Slack refuses is told, and may be asked once more', async () => {
    const {place, thread, token} = await work()
    world.slack.faults.failNext('chat.postMessage', {
      times: 1,
      error: 'is_archived',
      applied: false,
    })
    const refused = await post({thread, text: 'Another time'}, {token, key: 'later'})
    expect(refused).toMatchObject({status: 502, said: {error: 'refused_by_slack'}})
    expect((await post({thread, text: 'Another time'}, {token, key: 'later'})).status).toBe(200)
    expect(saying(place, 'Another time')).toHaveLength(1)
  })

  test('a file that Slack does not take now is brought when Slack says, and not asked for before', async () => {
    const {place, thread, token} = await work()
    const method = 'files.getUploadURLExternal'
    const asked = () => world.slack.ledger.calls.filter((call) => call.method === method).length
    const before = asked()
    world.slack.faults.storm(method, {ms: 1000, retryAfterSeconds: 2})
    const file = {name: 'late.txt', content: 'late'}
    expect((await post({thread, file}, {token, key: 'late-file'})).status).toBe(200)
    await world.until('it stands', () => world.ours(place).some(({fileIds = []}) => fileIds[0]))
    expect(asked() - before).toBe(2)
    expect(world.slack.lints().filter(({kind}) => kind === 'impatient')).toEqual([])
  })

  const told = () => world.slack.messages('D0JANE').filter(({text}) => text.includes('machine of'))

  test('what Slack refuses when nobody waits for it any more is told to whoever asked for the work, once', async () => {
    await world.moveOut()
    const {place, thread, token} = await work('@Bosun title="Fix login" a quick check')
    const slow = {times: 1, status: 429, retryAfterSeconds: 10, applied: false}
    world.slack.faults.failNext('chat.postMessage', slow)
    world.slack.faults.failNext('chat.postMessage', {
      ...{times: 1, error: 'is_archived', applied: false},
    })
    const accepted = await post({thread, text: 'Too late to tell'}, {token, key: 'late'})
    expect(accepted).toMatchObject({status: 202, said: {state: 'accepted'}})
    const [line] = await world.until('it is told', () => told().length > 0 && told())
    expect(line?.text).toContain(`*Fix login* in <#${place.channel}>`)
    expect(line?.text).toContain('is_archived')
    expect(line?.text).not.toContain('Too late to tell')
    await world.bot.kill()
    await world.startBot()
    // It may be asked for again, and who waits for a refusal is told it and nobody else.
    world.slack.faults.failNext('chat.postMessage', {
      ...{times: 1, error: 'is_archived', applied: false},
    })
    const refused = await post({thread, text: 'Too late to tell'}, {token, key: 'late'})
    expect(refused).toMatchObject({status: 502, said: {error: 'refused_by_slack'}})
    const again = await post({thread, text: 'Too late to tell'}, {token, key: 'late'})
    expect(again.status).toBe(200)
    expect(told()).toHaveLength(1)
  })

  test('whoever has left the channel since reads nothing of its work in what they are told', async () => {
    await world.moveOut()
    const {people, botUserId} = world.slack
    const memberIds = [JANE, KIM, botUserId]
    const {id: channel} = await people.createChannel({name: 'merger', memberIds, isPrivate: true})
    const place = await world.say('@Bosun title="Buy Initech" a quick check', {channel})
    await world.settled(place)
    const thread = world.threadIn(place)?.id ?? ''
    const token = await sessionTokenOf(world, thread)
    await people.kick(channel, JANE)
    const before = told().length
    const slow = {times: 1, status: 429, retryAfterSeconds: 10, applied: false}
    world.slack.faults.failNext('chat.postMessage', slow)
    world.slack.faults.failNext('chat.postMessage', {
      ...{times: 1, error: 'restricted_action', applied: false},
    })
    expect((await post({thread, text: 'Too late'}, {token, key: 'left'})).status).toBe(202)
    await world.until('it is told', () => told().length > before)
    expect(told().at(-1)?.text).toContain(`your work in <#${channel}> (`)
    expect(told().at(-1)?.text).not.toContain('Initech')
  })

  test('what Slack refuses after a kill is told, too', async () => {
    await world.moveOut()
    const {thread, token} = await work()
    const before = told().length
    const slow = {times: 1, status: 429, retryAfterSeconds: 30, applied: false}
    world.slack.faults.failNext('chat.postMessage', slow)
    const asked = post({thread, text: 'Cut off'}, {token, key: 'cut'}).catch(() => undefined)
    await world.until('Slack was asked', () =>
      world.slack.ledger.calls.some(({args}) => JSON.stringify(args).includes('Cut off')),
    )
    await world.bot.kill()
    await asked
    world.slack.faults.failNext('chat.postMessage', {
      ...{times: 1, error: 'is_archived', applied: false},
    })
    await world.startBot()
    await world.until('it is told', () => told().length > before)
    expect(told()).toHaveLength(before + 1)
  })
})

test('a report in Markdown is a canvas where the channel wants that, once, and holds no token', async () => {
  await using at = await startInside({pace: 0.1, slackProxy: true})
  const settings = {project: at.platform.projectIds[0] ?? '', longReplies: 'canvas'}
  await createModals(at).connect('C0WEB', {key: {}, settings}, JANE)
  const {place, thread, token} = await openMachine(at)
  const canvasesIn = () => at.ours(place).filter(({text}) => text.includes('/docs/'))
  const report = (key: string, content: string, name = `${key}.md`) =>
    postFrom(at, {thread, file: {name, content}}, {token, key})

  expect((await report('tests', '# All is well\n\n318 tests pass.')).status).toBe(200)
  const [shown] = canvasesIn()
  expect(shown?.text).toContain('*tests.md*')
  const address = /<(\S+\/docs\/[^|>]+)/.exec(shown?.text ?? '')?.[1] ?? ''
  expect(await (await fetch(address)).text()).toContain('318 tests pass.')

  // As it would be read in a canvas: marks that do not show hide nothing.
  const hidden = `${token.slice(0, 20)}**${token.slice(20)}**`
  expect((await report('leak', `The key is ${hidden}`)).status).toBe(400)
  // What is no Markdown stays a file.
  expect((await report('data', '{"tests": 318}', 'data.json')).status).toBe(200)
  expect(canvasesIn()).toHaveLength(1)

  for (const [index, moment] of (['before', 'at', 'after'] as const).entries()) {
    await at.moveOut()
    at.slackProxy.strikeAt(/canvases\.access\.set/, moment, () => void at.bot.kill())
    const end = at.bot.ended()
    const asked = report(`kill-${index}`, `# Report ${index}`).catch(() => undefined)
    await end
    await asked
    await at.startBot()
    await at.until('it stands', () => canvasesIn().length === index + 2)
    await report(`kill-${index}`, `# Report ${index}`)
    expect(canvasesIn()).toHaveLength(index + 2)
  }
  // Nobody's machine is asked for what an address in a post shows.
  expect(at.slack.lints().filter(({kind}) => kind === 'unfurl-flags')).toEqual([])
})
