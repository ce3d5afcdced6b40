import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {ACTIONS, SHORTCUTS, STOP_SIGN} from '../../src/slack/ids.ts'
import {FAULTLESS, verdict} from '../support/verdict.ts'
import {JANE, KIM, type Place, type World} from '../support/world.ts'
import {startInside} from './open-world.ts'

const SAM = 'U0SAM'

let world: World

beforeAll(async () => {
  world = await startInside({
    pace: 0.2,
    settings: {PLATFORM_WEB_URL: 'https://app.example.com/t/{threadId}'},
  })
})
afterAll(() => world[Symbol.asyncDispose]())

describe.concurrent('work is stopped', () => {
  test('by the word alone', async () => {
    const place = await working('rake the leaves')
    await world.reply(place, ' STOP ', KIM)
    await stoppedBy(place, 'Kim')
    expect(saidIn(place)).toBe(1)
    expect(callsIn(place, 'interrupt')).toBe(1)

    await world.reply(place, '@Bosun stop')
    await told(place, JANE, 'It is not working right now')
    expect(cardOf(place)).toContain('Stopped by @Kim')
  })

  test('by a stop sign on any message of ours', async () => {
    const place = await working('stack the wood')
    const ts = world.ours(place)[0]?.ts ?? ''
    await world.slack.people.react({as: KIM, channel: place.channel, ts, name: 'thumbsup'})
    await world.slack.people.react({as: SAM, channel: place.channel, ts, name: STOP_SIGN})
    await stoppedBy(place, 'Sam')
    expect(callsIn(place, 'interrupt')).toBe(1)
  })

  test('by no stop sign that comes too late, and who put it hears that where they put it', async () => {
    const place = await working('bale the hay')
    world.platform.control.faults.add({
      match: {path: `${threadOf(place)}/interrupt`},
      fault: {
        kind: 'answer',
        status: 404,
        body: {_tag: 'svc/ThreadNotFound', threadId: 'x'},
        applied: false,
      },
    })
    const ts = world.ours(place)[0]?.ts ?? ''
    await world.slack.people.react({as: KIM, channel: place.channel, ts, name: STOP_SIGN})
    const whisper = await world.until('she is told', () =>
      world.slack
        .ephemerals(place.channel, KIM)
        .find(({text}) => text.includes('no longer on the agent platform')),
    )
    expect(whisper.threadTs).toBe(place.ts)
  })

  test('by Slack’s own button, which stands while it works', async () => {
    const place = await working('chop the onions')
    const session = () => world.slack.agentThread(place.channel, place.ts).session?.status
    await world.until('Slack shows it', () => session() === 'processing')
    await world.slack.people.stop({as: KIM, channel: place.channel, threadTs: place.ts})
    await stoppedBy(place, 'Kim')
    await world.until('Slack shows that, too', () => session() === 'active')
    expect(callsIn(place, 'interrupt')).toBe(1)
    await world.press(place, ACTIONS.archive)
    await world.until('it is closed', () => session() === 'closed')
  })
})

describe.concurrent('work is archived', () => {
  test('at once when it rests', async () => {
    const place = await resting('a quick look at the shed')
    await world.press(place, ACTIONS.archive)
    await world.until('it is archived', () => cardOf(place).includes('📦 Archived'))
    expect(world.slack.views(JANE).modals.filter((it) => isOf(it, place))).toEqual([])
  })

  test('after a question while it works: stopped, or left to finish', async () => {
    const place = await working('plough the field', KIM)
    await world.reply(place, 'the far one', KIM)
    await world.until('it waits', () =>
      world.ours(place).some(({text}) => text.includes('far one')),
    )
    await world.press(place, ACTIONS.askArchive, KIM)
    const modal = await modalOf(place, KIM)
    expect(modal).toContain('It is still working.')
    expect(modal).toContain('1 message is still waiting for it. Stopping holds it back.')
    expect(modal).toContain('"Back"')
    expect(callsIn(place, 'archive')).toBe(0)
    await world.slack.people.submitView({as: KIM})
    expect(modalNow(place, KIM)).toBe('')
    await world.until('it is archived', () => cardOf(place).includes('📦 Archived'))
    expect([callsIn(place, 'interrupt'), callsIn(place, 'archive')]).toEqual([1, 1])
    expect(world.threadIn(place)).toMatchObject({archived: true})
    expect(saidIn(place)).toBe(1)
  })

  test('and finishes in the drawer when it is left to', async () => {
    const place = await working('shear the sheep', SAM, 50_000)
    await world.press(place, ACTIONS.askArchive, SAM)
    await modalOf(place, SAM)
    await world.slack.people.submitView({as: SAM, values: {how: {how: ACTIONS.archiveOnly}}})
    expect(modalNow(place, SAM)).toBe('')
    await world.until('it is archived', () => cardOf(place).includes('📦 Archived'))
    expect(callsIn(place, 'interrupt')).toBe(0)
    await world.until('it has finished', () =>
      world.transcriptIn(place).some(({text}) => text === 'Done.'),
    )
  })

  test('and a reply brings it back when its sender says so, sent once', async () => {
    const place = await resting('a quick look at the mill')
    await world.press(place, ACTIONS.archive)
    await world.until('it is archived', () => cardOf(place).includes('📦 Archived'))
    const asked = await world.reply(place, 'a quick look at the wheel', KIM)
    const whisper = await told(place, KIM, 'the agent did not get your message')
    const press = {channel: place.channel, ts: whisper, actionId: ACTIONS.unarchiveAndSend}
    world.platform.control.faults.add({
      match: {path: `${threadOf(place)}/unarchive`},
      fault: {kind: 'lost', applied: true},
    })
    await Promise.all([1, 2].map(() => world.slack.people.press({...press, as: KIM})))
    await world.until('it is ticked off', () =>
      world.reactionsOn(asked).includes('white_check_mark'),
    )
    await world.until('it is answered', () => saidIn(place) === 2)
    await world.settled(place)
    expect(verdict(world, place)).toEqual(FAULTLESS)
    expect(callsIn(place, 'message')).toBe(1)
    expect(cardOf(place)).toContain('⚪️ Done')
  })
})

describe.concurrent('the card’s menu', () => {
  test('makes a new title, and says when there is none', async () => {
    const place = await resting('a quick look at the moon')
    await world.reply(place, 'a quick look at the stars instead')
    await world.until('it is answered', () => saidIn(place) === 2)
    await world.settled(place)
    await world.press(place, ACTIONS.newTitle)
    await world.until('the card has it', () => cardOf(place).includes('stars instead'))
    await world.press(place, ACTIONS.newTitle)
    await told(place, JANE, 'The agent platform kept the title.')
  })

  test('mutes and unmutes', async () => {
    const place = await resting('a quick look at the radio')
    await world.press(place, ACTIONS.mute, SAM)
    await world.until('the card says it', () => cardOf(place).includes('🔇 muted'))
    await world.press(place, ACTIONS.unmute, SAM)
    await world.until('the card says it', () => !cardOf(place).includes('🔇 muted'))
    expect(world.slack.ephemerals(place.channel, SAM).map(({threadTs}) => threadTs)).not.toContain(
      place.ts,
    )
  })
})

test('work that is stopped while it starts can be gone on with', async () => {
  world.platform.control.faults.add({
    match: {method: 'POST', path: '/threads$'},
    fault: {kind: 'delay', answerMs: 3000},
  })
  const place = await world.say('@Bosun please sweep the yard')
  await world.until('it starts', () => cardOf(place).includes('Starting'))
  await world.press(place, ACTIONS.stop, KIM)
  await world.until('it is stopped', () => cardOf(place).includes('Stopped'))
  expect(cardOf(place)).toContain('Try again')
  await stoppedBy(place, 'Kim')
  await world.until('it can be gone on with', () => !cardOf(place).includes('Try again'))
  expect(callsIn(place, 'interrupt')).toBe(1)
  await world.reply(place, 'now the roof', KIM)
  await world.until('the agent hears it', () => saidIn(place) === 2)
  await world.settled(place)
})

test('the details say everything, and do everything', async () => {
  const place = await resting('a quick look at the books')
  await world.press(place, ACTIONS.details)
  const details = await world.until('the platform was asked', () => {
    const modal = modalNow(place, JANE)
    return modal !== '' && !modal.includes('Asking the agent platform') && modal
  })
  for (const words of [
    '· ⚪️ Done"',
    threadOf(place).slice('threads/'.length),
    'Total: ',
    '*Steps*',
    '@Jane',
  ]) {
    expect(details).toContain(words)
  }
  const use = (actionId: string) => world.slack.people.useView({as: JANE, actionId})
  const says = (words: string) =>
    world.until(`the modal says ${words}`, () => modalNow(place, JANE).includes(words))
  await use(ACTIONS.takeOver)
  await says('Taken over: Bosun’s platform account is now the author.')
  await use(ACTIONS.mute)
  await says('Muted: only mentions of me go to the agent.')
  await use(ACTIONS.archive)
  await says('📦 Archived')
  await use(ACTIONS.unarchive)
  await says('Unarchived.')
  await world.slack.people.closeView({as: JANE})
})

test('the shortcut opens the same from any message of the Slack thread, and says where there is no work', async () => {
  const place = await working('fix the roof')
  const reply = await world.reply(place, '!aside hm')
  const at = {as: KIM, channel: place.channel, callbackId: SHORTCUTS.manage}
  await world.slack.people.messageShortcut({...at, ts: reply.ts})
  expect(await modalOf(place, KIM)).toContain('Stop and archive')
  await world.slack.people.useView({as: KIM, actionId: ACTIONS.stop})
  await stoppedBy(place, 'Kim')
  await world.slack.people.closeView({as: KIM})

  const talk = await world.say('just talking')
  await world.slack.people.messageShortcut({...at, ts: talk.ts})
  await world.until('it says so', () =>
    world.slack
      .ephemerals(place.channel, KIM)
      .some(({text}) => text.includes('No agent works in this Slack thread')),
  )
})

async function working(task: string, as = JANE, thinkMs = 600_000): Promise<Place> {
  world.platform.control.planScript({
    when: {text: task},
    steps: [
      {kind: 'think', delayMs: thinkMs},
      {kind: 'say', fragments: ['Done.']},
    ],
  })
  const place = await world.say(`@Bosun ${task}`, {as})
  await world.until('it works', () => cardOf(place).includes('🔵 Working'))
  return place
}

async function resting(task: string): Promise<Place> {
  const place = await world.say(`@Bosun ${task}`)
  await world.settled(place)
  return place
}

function cardOf(place: Place): string {
  return JSON.stringify(world.ours(place)[0]?.blocks ?? [])
}

function stoppedBy(place: Place, name: string): Promise<unknown> {
  return world.until(`it is stopped by ${name}`, () =>
    cardOf(place).includes(`⏹ Stopped by @${name}`),
  )
}

/** The topmost modal, as everything that stands in it; empty if it is not about this work. */
function modalNow(place: Place, user: string): string {
  const modal = world.slack.views(user).modals.at(-1)
  return modal !== undefined && isOf(modal, place) ? JSON.stringify(modal) : ''
}

function modalOf(place: Place, user: string): Promise<string> {
  return world.until('the modal is open', () => modalNow(place, user) || false)
}

function isOf(modal: unknown, place: Place): boolean {
  return JSON.stringify(modal).includes(place.ts)
}

/** Answers the `ts` of what they were told. */
async function told(place: Place, user: string, words: string): Promise<string> {
  return world.until(`${user} is told: ${words}`, () => {
    const all = world.slack.ephemerals(place.channel, user)
    return all.find(({threadTs, text}) => threadTs === place.ts && text.includes(words))?.ts
  })
}

/** How much the agent was told. */
function saidIn(place: Place): number {
  return world.transcriptIn(place).filter(({source}) => source === 'user').length
}

function threadOf(place: Place): string {
  return `threads/${world.threadIn(place)?.id ?? ''}`
}

function callsIn(place: Place, act: string): number {
  return world
    .requests()
    .filter(({method, path}) => method === 'POST' && path.includes(threadOf(place)))
    .filter(({path}) => path.endsWith(`/${act}`)).length
}
