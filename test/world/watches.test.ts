import {join} from 'node:path'
import Database from 'better-sqlite3'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {ACTIONS, KEY_INPUT} from '../../src/slack/ids.ts'
import {createModals} from '../support/modals.ts'
import {JANE, KIM, type World} from '../support/world.ts'
import {startInside} from './open-world.ts'

let world: World

beforeAll(async () => {
  world = await startInside({
    pace: 0.1,
    settings: {PLATFORM_WEB_URL: 'https://agents.example/t/{threadId}', BOSUN_WATCH_SECONDS: '1'},
  })
})
afterAll(() => world[Symbol.asyncDispose]())

describe.concurrent('a channel that watches a project', () => {
  test('hears once of each state, with who and what, and when it is over', async () => {
    const channel = await watching('needs')
    const threadId = await startElsewhere('ask me about the old records')
    const told = await announcement(channel, threadId)
    expect(told.text).toMatch(/^🟠 \*.*old records.*\* needs an answer$/m)
    const drawn = JSON.stringify(told.blocks)
    expect(drawn).toContain('Jane Doe’s work')
    expect(drawn).toContain('Before I start on')
    expect(buttonsOf(told)).toEqual(['Answer', 'Follow here', 'Open', 'Not this one'])
    expect(drawn).toContain(`https://agents.example/t/${threadId}`)

    world.platform.control.setState(threadId, 'ready_for_review')
    const next = await announcement(channel, threadId, 1)
    expect(next.text).toMatch(/ is ready for review$/m)
    await world.until('the first says that it is over', () =>
      ofThread(channel, threadId)[0]?.text.includes(' · ✅ Answered'),
    )
    expect(buttonsOf(ofThread(channel, threadId)[0])).toEqual([])
    expect(JSON.stringify(ofThread(channel, threadId)[0])).not.toMatch(/🟠|Before I start on/u)
    world.platform.control.setState(threadId, 'active')
    await world.until('so does the second', () =>
      ofThread(channel, threadId)[1]?.text.includes(' · ↪️ Went on'),
    )
    expect(ofThread(channel, threadId)).toHaveLength(2)
  })

  test('reads of work that began in another channel who answered it, and that it was stopped', async () => {
    const channel = await watching('others')
    const place = await world.say('@Bosun ask me about the far records')
    await world.until('it asks', () => world.threadIn(place)?.status === 'pending_user')
    const threadId = world.threadIn(place)?.id ?? ''
    const ending = () =>
      ofThread(channel, threadId).map(({text}) => text.split('\n', 1)[0]?.split(' · ')[1])
    await announcement(channel, threadId)
    await world.reply(place, 'quick: A', KIM)
    await world.until('it says who', () => ending()[0] === '✅ Answered by @Kim')

    world.platform.control.setState(threadId, 'pending_user')
    await announcement(channel, threadId, 1)
    markStopped(threadId)
    world.platform.control.setState(threadId, 'idle')
    await world.until('it says that', () => ending()[1] === '⏹ Stopped')
  })

  test('hears no more of what has become nobody’s business but another channel’s', async () => {
    const channel = await watching('outer')
    const inner = await channelOf('inner')
    const place = await world.say('@Bosun ask me about the sealed records', {channel: inner})
    await world.until('it asks', () => world.threadIn(place)?.status === 'pending_user')
    const threadId = world.threadIn(place)?.id ?? ''
    const {ts} = await announcement(channel, threadId)
    const database = new Database(join(world.folder, 'bosun.db'))
    const settings = JSON.stringify({allowed: {who: 'list', users: [JANE, KIM]}})
    database
      .prepare('insert into bindings values (?, ?, ?, ?, ?)')
      .run(world.slack.teamId, inner, settings, JANE, 1)
    database.close()
    for (const actionId of [ACTIONS.answerWatched, ACTIONS.followHere]) {
      const before = world.slack.ephemerals(channel, KIM).length
      await world.slack.people.press({as: KIM, channel, ts, actionId})
      const heard = await world.until('Kim hears why not', () =>
        world.slack.ephemerals(channel, KIM).at(before),
      )
      expect(heard.text).toContain('begun in a place that is not open to everyone')
    }
    await world.reply(place, 'quick: A', KIM)
    await world.until('it is over, and nobody is named', () =>
      ofThread(channel, threadId)[0]?.text.split('\n', 1)[0]?.endsWith(' · no longer current'),
    )
    expect(JSON.stringify(ofThread(channel, threadId)[0])).not.toContain('Before I start on')
  })

  test('can answer, which brings the work under the message', async () => {
    const channel = await watching('answers')
    const threadId = await startElsewhere('ask me about the new records')
    const {ts} = await announcement(channel, threadId)
    await world.slack.people.press({as: KIM, channel, ts, actionId: ACTIONS.answerWatched})
    await world.until('the form is open', () => world.slack.views(KIM).modals.length === 1)
    expect(JSON.stringify(world.slack.views(KIM).modals)).toContain('Before I start on')
    await world.slack.people.submitView({as: KIM, values: {text: {text: '  '}}})
    expect(world.slack.views(KIM).modals[0]?.errors).toEqual({text: 'Write an answer first.'})
    await world.slack.people.submitView({
      as: KIM,
      values: {text: {text: 'B, <at once> & for good'}},
    })

    await world.until('it is answered', () =>
      ofThread(channel, threadId)[0]?.text.includes(' · ✅ Answered by @Kim'),
    )
    expect(JSON.stringify(ofThread(channel, threadId)[0]?.blocks)).toContain(
      '>B, &lt;at once&gt; &amp; for good',
    )
    const sent = sentTo(threadId)
    expect(sent).toHaveLength(1)
    expect(sent[0]?.body).toEqual({
      text: expect.stringMatching(
        /^Kim in #answers \(slack:[0-9a-z]{8}\):\nB, <at once> & for good$/,
      ) as string,
      delivery: 'queue',
    })
    const place = {channel, ts}
    await world.until('the agent goes on below', () => world.ours(place).length >= 3)
    expect(world.ours(place)[0]?.text).toContain('records')
  })

  test('answers the work that asks, also where somebody has begun other work below the message', async () => {
    const channel = await watching('crossed')
    const threadId = await startElsewhere('ask me about the torn records')
    const {ts} = await announcement(channel, threadId)
    const place = {channel, ts}
    await world.reply(place, '@Bosun a quick look at the shelf', KIM)
    await world.until('other work stands below', () => world.ours(place).length >= 2)
    await world.slack.people.press({as: JANE, channel, ts, actionId: ACTIONS.answerWatched})
    await world.until('the form is open', () => world.slack.views(JANE).modals.length === 1)
    await world.slack.people.submitView({as: JANE, values: {text: {text: 'B, mended'}}})
    await world.until('it is answered', () =>
      ofThread(channel, threadId)[0]?.text.includes(' · ✅ Answered by @Jane'),
    )
    expect(sentTo(threadId).map(({body}) => JSON.stringify(body))).toEqual([
      expect.stringContaining('B, mended'),
    ])
    const others = world.platform.threads().filter(({id}) => id !== threadId)
    const told = others.flatMap(({id}) => sentTo(id)).map(({body}) => JSON.stringify(body))
    expect(told.filter((body) => body.includes('B, mended'))).toEqual([])
  })

  test('can follow, sees it below, and hears no more of it outside its Slack thread', async () => {
    const channel = await watching('follows')
    const threadId = await startElsewhere('ask me about the lost records')
    const {ts} = await announcement(channel, threadId)
    const press = {as: JANE, channel, ts, actionId: ACTIONS.followHere}
    const whispers = () => world.slack.ephemerals(channel, JANE).length
    const before = whispers()
    await world.slack.people.press(press)
    await world.until('the work stands below', () => world.ours({channel, ts}).length === 2)
    world.platform.control.setState(threadId, 'error')
    await readings(2)
    // Nothing that the channel shows is whispered besides.
    expect(whispers()).toBe(before)
    expect(ofThread(channel, threadId)).toHaveLength(1)
  })

  test('hears no news of what stood before it began to watch', async () => {
    const before = await startElsewhere('ask me about the ancient records')
    const statusOf = (id: string) => world.platform.threads().find((one) => one.id === id)?.status
    await world.until('it stands before', () => statusOf(before) === 'pending_user')
    const channel = await watching('late')
    const after = await startElsewhere('ask me about the modern records')
    await announcement(channel, after)
    expect(JSON.stringify(world.slack.messages(channel))).not.toContain('ancient')
    world.platform.control.setState(before, 'error')
    await world.until('what comes of it is', () =>
      world.slack.messages(channel).some(({text}) => text.includes('ancient')),
    )
    expect((await ask('unwatch', channel)).text).toContain('no longer watches')
    watchers.delete(channel)
    await world.until('what stands there says that it is looked at no more', () =>
      world.slack
        .messages(channel)
        .filter(({text}) => /ancient|modern/.test(text))
        .every(({text}) => text.includes('no longer watches that project')),
    )
  })

  test('hears no more of what it does not want', async () => {
    const channel = await watching('hushes')
    const threadId = await startElsewhere('ask me about the old cart')
    const {ts} = await announcement(channel, threadId)
    await world.slack.people.press({as: JANE, channel, ts, actionId: ACTIONS.notThisOne})
    await world.until('it says so', () =>
      ofThread(channel, threadId)[0]?.text.includes(
        'This channel won’t hear about this work again.',
      ),
    )
    world.platform.control.setState(threadId, 'error')
    await readings(2)
    expect(ofThread(channel, threadId)).toHaveLength(1)
  })

  test('can be told once more to follow what it did not let us write', async () => {
    const {id: channel} = await world.slack.people.createChannel({
      ...{name: 'uninvited', memberIds: [JANE, KIM]},
    })
    const threadId = await startElsewhere('ask me about the stairs')
    expect((await ask(`follow ${threadId}`, channel)).text).toContain('/invite @Bosun')
    await world.slack.people.inviteBot(channel)
    expect((await ask(`follow ${threadId}`, channel)).text).toMatch(/^Here it is: </)
  })

  test('says what it watches, cannot watch, and watches no more', async () => {
    const channel = await channelOf('words')
    expect((await ask('watch wbe', channel)).text).toContain('Did you mean *web*?')
    expect((await ask('watch R&amp;D', channel)).text).toContain('*R&amp;D*')
    expect((await ask('unwatch', channel)).text).toContain('watches no project')
    expect((await ask('watch API', channel)).text).toContain('work in *api* needs somebody')
    expect((await ask('watch api', channel)).text).toContain('already watches *api*')
    expect((await ask('unwatch web', channel)).text).toContain('It watches *api*.')
    expect((await ask('unwatch', channel)).text).toContain('no longer watches *api*')
    expect((await ask('watch', 'C0RANDOM')).text).toContain('/invite @Bosun')
  })
})

test('however many channels watch, a project is read once', async () => {
  expect(watchers.size).toBeGreaterThan(3)
  const from = world.requests().length
  await readings(2)
  const asked = (status: string): number =>
    listed(from).filter((path) => path.includes(`status=${status}`)).length
  expect(asked('error')).toBeLessThanOrEqual(4)
  expect(Math.abs(asked('pending_user') - asked('error'))).toBeLessThanOrEqual(1)
  for (const channel of watchers) await ask('unwatch', channel)
})

test('what Slack answered too late, or to a bot that was killed, stands once', async () => {
  await world.moveOut()
  const channel = await watching('kills')
  const threadId = await startElsewhere('ask me about the gift cards')
  const {slack, bot} = world
  slack.faults.failNext('chat.postMessage', {times: 1, applied: true})
  await announcement(channel, threadId)
  const other = await startElsewhere('ask me about the vouchers')
  slack.faults.failNext('chat.postMessage', {times: 1, applied: true, delayMs: 1500})
  await announcement(channel, other)
  await bot.kill()
  const later = await startElsewhere('ask me about the returns')
  await world.startBot()
  await announcement(channel, later)
  await readings(2)
  for (const id of [threadId, other, later]) expect(ofThread(channel, id)).toHaveLength(1)
  world.platform.control.setState(other, 'active')
  await world.until('it is over', () =>
    ofThread(channel, other)[0]?.text.includes(' · ✅ Answered'),
  )
})

test('what is over before it could be posted is not posted', async () => {
  const channel = await watching('quick')
  world.slack.faults.storm('chat.postMessage', {ms: 60_000, retryAfterSeconds: 1})
  const refused = () =>
    world.slack.ledger.calls.filter(
      ({method, answer}) => method === 'chat.postMessage' && answer['error'] === 'ratelimited',
    ).length
  const before = refused()
  const threadId = await startElsewhere('ask me about the short records')
  await world.until('Slack does not take it', () => refused() > before)
  world.platform.control.setState(threadId, 'active')
  await readings(2)
  world.slack.faults.calm()
  const other = await startElsewhere('ask me about the late records')
  await announcement(channel, other)
  expect(JSON.stringify(world.slack.messages(channel))).not.toContain('short')
})

test('a thread is followed in one Slack thread alone, however many ask at once', async () => {
  const channel = await watching('twice')
  const threadId = await startElsewhere('ask me about the twin records')
  const {ts} = await announcement(channel, threadId)
  const read = () =>
    world.requests().filter(({path}) => path.endsWith(`/threads/${threadId}`)).length
  // What other channels are told must not meet the fault that is meant for this one.
  let [calls, looks] = [-1, 0]
  await world.until('Slack is quiet', () => {
    const {length} = world.slack.ledger.calls
    looks = length === calls ? looks + 1 : 0
    calls = length
    return looks > 30
  })
  const before = read()
  world.slack.faults.failNext('chat.postMessage', {times: 1, applied: true, delayMs: 60_000})
  const asked = ask(`follow ${threadId}`, channel)
  await world.until('it is being followed', () => read() > before)
  await world.slack.people.press({as: KIM, channel, ts, actionId: ACTIONS.followHere})
  const card = () => JSON.stringify(world.ours({channel, ts})[0]?.blocks ?? [])
  await world.until('its card names the project', () => card().includes('web · '))
  world.slack.faults.calm()
  expect((await asked).text).toContain('This channel already follows that work')
  await world.until('the head says that it is elsewhere', () =>
    world.slack
      .messages(channel)
      .some(({text}) => text.endsWith('is followed in another Slack thread of this channel.')),
  )
  expect(JSON.stringify(world.slack.messages(channel))).not.toContain('followed here for')
})

test('Slack is not asked for a channel before it allows that, however often people press', async () => {
  const channels = [await channelOf('hurried'), await channelOf('hasty')]
  const method = 'conversations.info'
  const limited = () => world.slack.ledger.calls.filter((call) => call.status === 429).length
  const before = limited()
  world.slack.faults.storm(method, {times: 1, retryAfterSeconds: 3})
  for (const channel of channels) await ask('watch web', channel)
  expect(limited()).toBe(before + 1)
  const lints = world.slack.lints().filter(({kind}) => kind === 'impatient')
  expect(lints.filter((lint) => lint.method === method)).toEqual([])
  for (const channel of channels) await ask('unwatch', channel)
})

test('a head that only an operator can let stand is refused with words', async () => {
  const channel = await channelOf('scopeless')
  const threadId = await startElsewhere('ask me about the keys')
  const fault = {times: 1, error: 'missing_scope', applied: false}
  world.slack.faults.failNext('chat.postMessage', fault)
  expect((await ask(`follow ${threadId}`, channel)).text).toContain('(missing_scope)')
  expect((await ask(`follow ${threadId}`, channel)).text).toMatch(/^Here it is: </)
})

describe.concurrent('a watch goes on', () => {
  test('a platform that says "not now" is read again when it may be', async () => {
    const channel = await watching('limits')
    world.platform.control.faults.add({
      match: {path: '^/api/v1/threads\\?'},
      times: 4,
      fault: {
        kind: 'answer',
        status: 429,
        body: {_tag: 'svc/RateLimited', retryAfterSeconds: 1},
        headers: {'retry-after': '1'},
        applied: false,
      },
    })
    const threadId = await startElsewhere('ask me about the shelf')
    expect((await announcement(channel, threadId)).text).toContain('needs an answer')
  })

  test('a channel that Slack closes to us is watched for no more, and whoever asked hears why', async () => {
    const channel = await watching('closed')
    await world.slack.people.kickBot(channel)
    await startElsewhere('ask me about the cellar')
    const told = () =>
      world.slack
        .messages('D0JANE')
        .filter(({text}) => text.startsWith(`I stopped watching for <#${channel}>`)).length
    await world.until('Jane is told', () => told() > 0)
    await startElsewhere('ask me about the attic')
    await readings(2)
    expect(told()).toBe(1)
  })

  test('a channel that works with another key hears nothing more by the former one, nor follows what that told', async () => {
    const channel = await watching('rekeyed')
    const other = await watching('still-watching')
    const before = await startElsewhere('ask me about the rack')
    const {ts} = await announcement(channel, before)
    await world.slack.people.press({as: KIM, channel, ts, actionId: ACTIONS.answerWatched})
    await world.until('the form is open', () => world.slack.views(KIM).modals.length === 1)
    const key = {connection: 'new', [KEY_INPUT]: world.platform.keys.readWrite}
    await createModals(world).connect(channel, {key, settings: {project: 'project_api'}}, JANE)
    const after = await startElsewhere('ask me about the stand')
    await world.until('Jane hears why', () =>
      world.slack
        .messages('D0JANE')
        .some(({text}) => text.startsWith(`I stopped watching for <#${channel}>: it works with`)),
    )
    await announcement(other, after)
    expect(ofThread(channel, after)).toEqual([])
    const heard = () => world.slack.ephemerals(channel, KIM).at(-1)?.text
    await world.slack.people.submitView({as: KIM, values: {text: {text: 'B'}}})
    await world.until('Kim is told', () =>
      heard()?.startsWith('This channel works with another key now'),
    )
    expect(sentTo(before)).toEqual([])
    expect((await ask('watch web', channel)).text).toContain('work in *web* needs somebody')

    // The operator may let it watch by any key.
    const db = new Database(join(world.folder, 'bosun.db'))
    const change = "update watches set made_by = 'operator', connection_id = '' where channel = ?"
    db.prepare(change).run(channel)
    db.close()
    const bench = await announcement(channel, await startElsewhere('ask me about the bench'))
    const press = {as: KIM, channel, ts: bench.ts, actionId: ACTIONS.notThisOne}
    await world.slack.people.press(press)
    await world.until('it is hushed', () =>
      world.slack
        .messages(channel)
        .some((one) => one.ts === bench.ts && buttonsOf(one).length === 0),
    )
  })

  test('a project that nobody watches any more is read no more', async () => {
    const channel = await channelOf('orphans')
    await ask('watch api', channel)
    const [, api = ''] = world.platform.projectIds
    const read = () => listed(0).filter((path) => path.includes(api)).length
    await world.until('it is read', () => read() > 0)
    await world.slack.people.kickBot(channel)
    await startElsewhere('ask me about the roof', api)
    await world.until('it gave up', () =>
      world.slack.messages('D0JANE').some(({text}) => text.includes(channel)),
    )
    await readings(1)
    const before = read()
    await readings(2)
    expect(read()).toBe(before)
  })
})

async function channelOf(name: string): Promise<string> {
  const {id} = await world.slack.people.createChannel({name, memberIds: [JANE, KIM]})
  await world.slack.people.inviteBot(id)
  return id
}

const watchers = new Set<string>()

async function watching(name: string): Promise<string> {
  const channel = await channelOf(name)
  expect((await ask('watch', channel)).text).toContain('work in *web* needs somebody')
  watchers.add(channel)
  return channel
}

async function ask(text: string, channel: string) {
  const before = world.slack.ephemerals(channel, JANE).length
  await world.slack.people.command({as: JANE, channel, command: '/bosun', text})
  return world.until(
    `an answer to /bosun ${text}`,
    () => world.slack.ephemerals(channel, JANE)[before],
  )
}

async function startElsewhere(
  message: string,
  projectId = world.platform.projectIds[0],
): Promise<string> {
  const {platform} = world
  const answer = await fetch(`${platform.baseUrl}/threads`, {
    method: 'POST',
    headers: {authorization: `Bearer ${platform.keys.human}`, 'content-type': 'application/json'},
    body: JSON.stringify({requestId: `elsewhere-${message}`, projectId, message}),
  })
  const {id} = (await answer.json()) as {id: string}
  await world.until('it asks', () =>
    platform.threads().some((thread) => thread.id === id && thread.status === 'pending_user'),
  )
  return id
}

/** Our messages in the channel of which a button leads to the thread; over or not, it is the same message. */
function ofThread(channel: string, threadId: string) {
  const {title} = titles.get(threadId) ?? {title: ''}
  return world.slack
    .messages(channel)
    .filter(
      ({botId, threadTs, text, blocks}) =>
        botId !== undefined &&
        threadTs === undefined &&
        (JSON.stringify(blocks).includes(threadId) || (title !== '' && text.includes(title))),
    )
}

/** What stands in bold in the first message of a thread. */
const titles = new Map<string, {title: string}>()

async function announcement(channel: string, threadId: string, index = 0) {
  const message = await world.until('it is announced', () => ofThread(channel, threadId)[index])
  const [, title = ''] = /(\*.+\*)/.exec(message.text) ?? []
  titles.set(threadId, {title})
  return message
}

/** As if Jane had stopped it a moment ago. */
function markStopped(threadId: string): void {
  const db = new Database(join(world.folder, 'bosun.db'))
  db.prepare('update links set stopped_by = ? where thread_id = ?').run(JANE, threadId)
  db.close()
}

function buttonsOf(message: {blocks?: unknown} | undefined): string[] {
  const drawn = JSON.stringify(message?.blocks ?? [])
  return [...drawn.matchAll(/"type":"button".*?"text":"([^"]+)"/g)].map(([, label = '']) => label)
}

function sentTo(threadId: string) {
  return world
    .requests()
    .filter(({method, path}) => method === 'POST' && path.endsWith(`${threadId}/message`))
}

/** So many readings of the project begin and end. */
async function readings(count: number): Promise<void> {
  const read = () => listed(0).filter((path) => path.includes('status=error')).length
  const before = read()
  await world.until('it was read', () => read() > before + count)
}

/** The paths by which threads were listed, with their queries. */
function listed(from: number): string[] {
  return world
    .requests()
    .slice(from)
    .filter(({method, path}) => method === 'GET' && path.startsWith('/api/v1/threads?'))
    .map(({path}) => path)
}
