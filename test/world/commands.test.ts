import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {OPTION_NAMES} from '../../src/agents/start-options.ts'
import {permits} from '../../src/app/features.ts'
import {ACTIONS} from '../../src/slack/ids.ts'
import {turnPage} from '../support/pages.ts'
import {buttonOf} from '../support/start-sight.ts'
import {FAULTLESS, isWelcome, verdict} from '../support/verdict.ts'
import {JANE, KIM, type Place, type World} from '../support/world.ts'
import {startInside} from './open-world.ts'

const WEB = 'C0WEB'

let world: World

beforeAll(async () => {
  world = await startInside({
    pace: 0.2,
    settings: {PLATFORM_WEB_URL: 'https://agents.example/t/{threadId}?tab=chat'},
  })
})
afterAll(() => world[Symbol.asyncDispose]())

/** What the person is answered, newest last. */
function answersTo(user: string, channel: string) {
  return world.slack.ephemerals(channel, user)
}

/** Types a command; the answer that only this person sees. */
async function ask(text: string, {as = JANE, channel = WEB} = {}) {
  const before = answersTo(as, channel).length
  await world.slack.people.command({as, channel, command: '/bosun', text})
  return world.until(`an answer to /bosun ${text}`, () => answersTo(as, channel)[before])
}

describe('/bosun', () => {
  test('alone is help: what a newcomer needs, in five lines, and a way to the rest', async () => {
    const [alone, help] = [await ask(''), await ask('help')]
    expect(alone.text).toBe(help.text)
    const lines = help.text.split('\n')
    expect(lines.map((line) => /^\*([\w ]+):\*/.exec(line)?.[1])).toEqual([
      ...['Start', 'Follow up', 'Stop', 'Answer', 'Find'],
    ])
    for (const word of ['new', 'mine', 'find', 'status']) {
      expect(help.text).toContain(`\`/bosun ${word}`)
    }
    const direct = await ask('', {channel: 'D0KIM', as: KIM})
    expect(direct.text).toContain('write me a task')
  })

  test('shows all commands, and to nobody else what only admins may do', async () => {
    const typed = Object.keys(permits).filter((event) => /^\/bosun \w/.test(event))
    const allOf = async (as: string): Promise<string> => {
      const {ts} = await ask('', {as})
      const before = answersTo(as, WEB).length
      // It may be opened again and again.
      for (let index = 1; index <= 2; index += 1) {
        await world.slack.people.press({...{as, channel: WEB, ts}, actionId: ACTIONS.allCommands})
        await world.until('they see all', () => answersTo(as, WEB).length === before + index)
      }
      return answersTo(as, WEB).at(-1)?.text ?? ''
    }
    const [admins, members] = [await allOf(JANE), await allOf(KIM)]
    // What stands in front of a task, and in a Slack thread, is no command, and can be found nowhere else.
    for (const option of OPTION_NAMES) expect(members).toContain(`\`${option}=`)
    for (const word of [
      'stop',
      '!now',
      '!steer',
      '!aside',
      '!model',
      '!review',
      'mute',
      'unmute',
    ]) {
      expect(members).toContain(`\`${word}\``)
    }
    for (const event of typed) {
      // Where there are no rooms, as here, nothing offers them.
      if (event === '/bosun help' || event === '/bosun room') continue
      expect(admins).toContain(`\`${event}`)
      expect(members.includes(`\`${event}`)).toBe(permits[event] !== 'administer')
    }
    expect(members).not.toContain('dmins')
    expect(members).toContain(':robot_face:')
    expect((await ask('help all', {as: KIM})).text).toBe(members)
    const review = async (as: string) => {
      const before = answersTo(as, WEB).length
      await world.slack.people.command({as, channel: WEB, command: '/review', text: 'help'})
      return (await world.until('it answers', () => answersTo(as, WEB)[before])).text
    }
    expect(await review(JANE)).toContain('`/review billing')
    expect(await review(KIM)).not.toContain('`/review billing')
  })

  test('answers a word that it does not know with the nearest one', async () => {
    expect((await ask('statsu')).text).toContain('Did you mean `/bosun status`?')
    expect((await ask('Unwach now')).text).toContain('Did you mean `/bosun unwatch`?')
    expect((await ask('sandwich')).text).not.toContain('Did you mean')
    expect((await ask('auditt')).text).toContain('Did you mean `/bosun audit`?')
    expect((await ask('R&amp;D')).text).toContain('`/bosun r&amp;d`')
    const hostile = (await ask('`<!channel>`*')).text
    expect(hostile).not.toContain('<!channel>')
  })
})

test('/bosun channel and App Home call a project by its name', async () => {
  const channel = await channelOf('names')
  expect((await ask('channel', {channel})).text).toContain('*Project:* web · ')
  await world.slack.people.openHome({as: JANE})
  await world.until('so does her App Home', () =>
    JSON.stringify(world.slack.views(JANE).home ?? '').includes('· web'),
  )
})

describe('lists of work', () => {
  test('show what runs here, with a link to its Slack thread and a button that stops it', async () => {
    const channel = await channelOf('lists')
    expect((await ask('status', {channel})).text).toContain('Nothing is under way here')
    const place = await world.say('@Bosun write the long report', {channel})
    await world.until('it works', () => world.ours(place).some(({text}) => /Working/.test(text)))

    // Whoever writes the word beside the Slack thread sees the same.
    await world.say('@Bosun stop', {channel})
    await world.until('it is shown, with its button', () =>
      JSON.stringify(answersTo(JANE, channel).map(({blocks}) => blocks)).includes(ACTIONS.listStop),
    )

    const list = await ask('status', {channel, as: KIM})
    expect(list.text).toContain('🔵 Working')
    expect(list.text).toContain(`/archives/${channel}/p${place.ts.replace('.', '')}|`)
    expect(JSON.stringify(list.blocks)).toContain('https://agents.example/t/')
    await world.slack.people.press({as: KIM, channel, ts: list.ts, actionId: ACTIONS.listStop})
    await world.until('the card says it', () =>
      world.ours(place).some(({text}) => text.includes('Stopped by @Kim')),
    )
    // The list says it by itself: nothing else is whispered.
    await world.until('so does the list', () => {
      const [now, ...others] = answersTo(KIM, channel)
      expect(others).toEqual([])
      return now?.ts === list.ts && !now.text.includes('🔵 Working')
    })
    expect(JSON.stringify(answersTo(KIM, channel))).not.toContain(ACTIONS.listStop)
    await world.settled(place)
    expect((await ask('status', {channel})).text).toContain('Nothing is under way here')
  })

  test('show a person’s own from everywhere, ten on a page', async () => {
    const channel = 'D0SAM'
    const places: Place[] = []
    for (let index = 0; index < 12; index += 1) {
      places.push(await world.say(`a quick check number ${index}`, {as: 'U0SAM', channel}))
    }
    for (const place of places) await world.settled(place)
    const first = await ask('mine', {as: 'U0SAM', channel})
    expect(rowsOf(first)).toHaveLength(10)
    const at = {as: 'U0SAM', channel, ts: first.ts}
    const second = await turnPage(world, at, ACTIONS.listMore)
    expect(rowsOf(second)).toHaveLength(2)
    expect(new Set([...rowsOf(first), ...rowsOf(second)]).size).toBe(12)
    // There and back, as often as one likes.
    for (const page of [first, second]) {
      const id = page === first ? buttonOf(second.blocks, 'Back to the start') : ACTIONS.listMore
      expect(rowsOf(await turnPage(world, at, id))).toEqual(rowsOf(page))
    }
    expect(buttonsIn(second)).not.toContain('More')
  })
})

describe('follow', () => {
  test('brings work from elsewhere here, from its last words on', async () => {
    const channel = await channelOf('follow')
    const threadId = await startElsewhere('a quick check of the taxes')
    await tellElsewhere(threadId, 'and a quick check of the cart')
    const entries = world.platform.transcript(threadId)
    const said = entries.filter(({source}) => source === 'assistant')
    expect(said.length).toBe(2)

    const answer = await ask(`follow <https://agents.example/t/${threadId}?tab=chat>`, {channel})
    expect(answer.text).toContain('Here it is: <')
    const [head, ...others] = headsIn(channel)
    expect(others).toEqual([])
    expect(head?.text).toMatch(/^👀 \*.+\* · followed here for @Jane$/)
    const place = {channel, ts: head?.ts ?? ''}
    const last = said.at(-1)?.text.slice(0, 30) ?? ''
    await world.until('its last words stand', () =>
      world.ours(place).some(({text}) => text.includes(last.split(/[*`\n]/)[0] ?? '')),
    )
    // The card, and what was said last.
    expect(world.ours(place)).toHaveLength(2)
    const card = JSON.stringify(world.ours(place)[0]?.blocks)
    expect(card).toContain('followed by @Jane · begins after 3 earlier messages')

    const again = await ask(`follow ${threadId}`, {channel, as: KIM})
    expect(again.text).toContain('This channel already follows that work: <')
    expect(headsIn(channel)).toHaveLength(1)

    await world.reply(place, 'one more quick check')
    await world.until('it is answered', () => world.ours(place).length === 3)
  })

  test('says what it cannot follow', async () => {
    expect((await ask('follow')).text).toContain('/bosun follow ID or web address')
    expect((await ask('follow thread_nowhere')).text).toContain(
      'I find no such work for this channel',
    )
    expect((await ask('follow <https://elsewhere.example/t/1>')).text).toContain(
      'not one of the agent platform’s',
    )
  })

  test('says so where it may not write', async () => {
    const threadId = await startElsewhere('a quick check')
    const answer = await ask(`follow ${threadId}`, {channel: 'C0RANDOM'})
    expect(answer.text).toContain('Invite me with */invite @Bosun*')
  })
})

test('nothing that was asked for is left unsettled', async () => {
  const place = await world.say('@Bosun a quick check')
  await world.settled(place)
  expect(verdict(world, place)).toEqual(FAULTLESS)
})

async function channelOf(name: string): Promise<string> {
  const {id} = await world.slack.people.createChannel({name, memberIds: [JANE, KIM]})
  await world.slack.people.inviteBot(id)
  return id
}

function buttonsIn({blocks}: {blocks?: unknown}): string[] {
  return [...JSON.stringify(blocks).matchAll(/"type":"plain_text","text":"([^"]+)"/g)].map(
    ([, label = '']) => label,
  )
}

function rowsOf({text}: {text: string}): string[] {
  return text.split('\n').slice(1)
}

function headsIn(channel: string) {
  return world.slack
    .messages(channel)
    .filter(({botId, threadTs}) => botId !== undefined && threadTs === undefined)
    .filter((message) => !isWelcome(message))
}

async function startElsewhere(message: string): Promise<string> {
  const {platform} = world
  const body = {requestId: `elsewhere-${message}`, projectId: platform.projectIds[0], message}
  const {id} = (await post('/threads', body)) as {id: string}
  await atRest(id)
  return id
}

async function tellElsewhere(threadId: string, text: string): Promise<void> {
  const count = saidIn(threadId)
  await post(`/threads/${threadId}/message`, {text, delivery: 'queue'})
  await atRest(threadId, count + 1)
}

async function atRest(threadId: string, said = 1): Promise<void> {
  await world.until(
    'it has said that and rests',
    () => saidIn(threadId) === said && statusOf(threadId) === 'idle',
  )
}

function saidIn(threadId: string): number {
  return world.platform.transcript(threadId).filter(({source}) => source === 'assistant').length
}

function statusOf(threadId: string): string | undefined {
  return world.platform.threads().find(({id}) => id === threadId)?.status
}

async function post(path: string, body: unknown): Promise<unknown> {
  const {platform} = world
  const answer = await fetch(platform.baseUrl + path, {
    method: 'POST',
    headers: {authorization: `Bearer ${platform.keys.human}`, 'content-type': 'application/json'},
    body: JSON.stringify(body),
  })
  expect(answer.status).toBe(200)
  return answer.json()
}
