import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import type {StoredMessage} from '../../local/slack/messages/messages.ts'
import {ACTIONS} from '../../src/slack/ids.ts'
import {FAULTLESS, kindOf, verdict} from '../support/verdict.ts'
import {KIM, type Place, type World} from '../support/world.ts'
import {openWorld, startInside} from './open-world.ts'

// One outcome, one message: what came of a run is told once, in as few messages as it takes.

const QUESTION = 'Shall I drop the old table, yes or no?'
const PULL = 'https://github.com/acme/web/pull/12'

type Steps = Parameters<World['platform']['control']['planScript']>[0]['steps']

/** What the agent does with a task of these words. */
function plan(world: World, text: string, ...steps: Steps): void {
  world.platform.control.planScript({when: {text}, steps})
}

const say = (text: string) => ({kind: 'say', fragments: [text], delayMs: 0}) as const
const rest = (state: 'pending_user' | 'ready_for_review' | 'error' | 'idle' | 'waiting') =>
  ({kind: 'rest', state}) as const
const tool = (text: string) => ({kind: 'tool', name: 'shell', text, delayMs: 0}) as const

describe.concurrent('an outcome', () => {
  let world: World
  beforeAll(async () => {
    world = await startInside({pace: 0.1})
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test('that is a question takes the reply and a line that calls, which does not repeat it', async () => {
    plan(world, 'the table', say(QUESTION), rest('pending_user'))
    const place = await world.say('@Bosun look after the table')
    const call = await callIn(world, place)
    // What a phone shows of it has the question; the message itself stands right below that.
    expect(call.text).toBe(`🟠 <@U0JANE>, the agent asks: ${QUESTION}`)
    expect(JSON.stringify(call.blocks)).not.toContain(QUESTION)
    await world.settled(place)
    expect(kindsIn(world, place)).toEqual(['card', 'reply', 'call'])
    await world.reply(place, 'quick: yes', KIM)
    await world.until('it says who', () => callsIn(world, place)[0]?.text === '✅ Answered by @Kim')
    expect(callsIn(world, place)[0]?.blocks).toHaveLength(1)
  })

  test('that is a question is quoted where people have talked since, until it is answered', async () => {
    plan(world, 'the shed', say(QUESTION), {kind: 'think', delayMs: 30_000}, rest('pending_user'))
    const place = await world.say('@Bosun look after the shed')
    await world.until('it asks', () => naming(world, place, 'the old table').length === 1)
    await world.reply(place, `<@${KIM}> do we still need that?`)
    const call = await callIn(world, place)
    expect(call.text).toBe(`🟠 <@U0JANE>, the agent asks: ${QUESTION}`)
    expect(JSON.stringify(call.blocks)).toContain(`the agent asks:*\\n> ${QUESTION}`)
    await world.press(place, ACTIONS.answer, KIM)
    await world.until('the form', () => world.slack.views(KIM).modals.length > 0)
    await world.slack.people.submitView({as: KIM, values: {answer: {answer: 'quick: no'}}})
    await world.until('it is answered', () => callsIn(world, place)[0]?.text.startsWith('✅'))
    expect(JSON.stringify(callsIn(world, place)[0])).not.toContain(QUESTION)
    expect(JSON.stringify(callsIn(world, place)[0]?.blocks)).toContain('*@Kim:* quick: no')
  })

  test('that is a pull request is named twice: by the reply, and by the call with its buttons', async () => {
    plan(world, 'the fence', tool('npm test'), say(`I opened ${PULL}.`), rest('ready_for_review'))
    const place = await world.say('@Bosun mend the fence')
    const call = await callIn(world, place)
    expect(call.text).toBe(`🟢 <@U0JANE>, this is ready for your review · <${PULL}|PR #12>`)
    expect(labels(call)).toEqual(['Review', 'Ask for changes'])
    await world.settled(place)
    expect(kindsIn(world, place)).toEqual(['card', 'reply', 'call'])
    expect(naming(world, place, PULL)).toHaveLength(2)

    plan(world, 'quick: green', say('It is green now.'))
    await world.press(place, ACTIONS.askForChanges, KIM)
    await world.until('the form', () => world.slack.views(KIM).modals.length > 0)
    await world.slack.people.submitView({as: KIM, values: {changes: {changes: 'quick: green'}}})
    const over = await world.until('it is answered', () =>
      callsIn(world, place).find(({text}) => text.startsWith('✅ Answered by @Kim')),
    )
    // Its buttons stand nowhere else.
    expect(labels(over)).toEqual(['Review', 'Ask for changes'])
    await world.settled(place)
    expect(naming(world, place, PULL)).toHaveLength(2)
  })

  test('that is a pull request, and calls nobody, has a card of its own', async () => {
    plan(world, 'the gate', say(`I opened ${PULL}.`), say('That was all.'))
    const place = await world.say('@Bosun mend the gate')
    await world.until('its card stands', () => kindsIn(world, place).includes('pull request'))
    await world.settled(place)
    expect(kindsIn(world, place)).toEqual(['card', 'reply', 'reply', 'pull request'])
    expect(naming(world, place, PULL)).toHaveLength(2)
  })

  test('that is a pull request of work that waits has its card at once, and the call names it no more', async () => {
    plan(world, 'the roof', say(`I opened ${PULL}.`), rest('waiting'))
    plan(world, 'the checks', say('All checks are green.'), rest('ready_for_review'))
    const place = await world.say('@Bosun mend the roof')
    await world.until('its card stands', () => kindsIn(world, place).includes('pull request'))
    await world.reply(place, 'look at the checks', KIM)
    const call = await callIn(world, place)
    expect(call.text).toBe('🟢 <@U0JANE>, this is ready for your review')
    await world.settled(place)
    expect(naming(world, place, PULL)).toHaveLength(2)
  })

  test('that is a failure is one call, which says why', async () => {
    const entry = {id: 'sys1', source: 'system', text: 'The machine ran out of *memory*.'}
    const told = {kind: 'frame', event: 'transcript', data: JSON.stringify(entry)} as const
    const begin = {kind: 'think', delayMs: 10_000} as const
    plan(world, 'the well', begin, tool('npm test'), told, rest('error'))
    plan(world, 'the pump', tool('npm run <!channel> build'), rest('error'))
    const well = await world.say('@Bosun look after the well')
    const pump = await world.say('@Bosun look after the pump')
    expect((await callIn(world, well)).text).toBe(
      '🔴 <@U0JANE>, this failed: The machine ran out of memory.',
    )
    expect((await callIn(world, pump)).text).toBe(
      '🔴 <@U0JANE>, this failed. Its last step: npm run &lt;!channel&gt; build',
    )
    for (const place of [well, pump]) {
      await world.settled(place)
      expect(kindsIn(world, place)).toEqual(['card', 'call'])
    }
  })

  test('that says nothing new calls nobody again, and its call is open once more', async () => {
    plan(world, 'the path', say('The path is done.'), rest('ready_for_review'))
    plan(world, 'thanks', {kind: 'think', delayMs: 15_000}, rest('ready_for_review'))
    const place = await world.say('@Bosun pave the path')
    const call = await callIn(world, place)
    await world.reply(place, 'thanks', KIM)
    await world.until('it runs', () => callsIn(world, place)[0]?.text.startsWith('✅ Answered'))
    await world.until('it says so again', () => callsIn(world, place)[0]?.text === call.text)
    await world.settled(place)
    expect(callsIn(world, place).map(({ts, text}) => [ts, text])).toEqual([[call.ts, call.text]])

    plan(world, 'more', say('There is more.'), rest('ready_for_review'))
    await world.reply(place, 'more', KIM)
    await world.until('what is new calls', () => callsIn(world, place).length === 2)
  })
})

describe.concurrent('a bot that is killed', () => {
  test('while it calls for a review says each thing once', async (context) => {
    const world = await openWorld(context, {apart: true, pace: 0.1})
    plan(world, 'the fence', say(`I opened ${PULL}.`), rest('ready_for_review'))
    const match = {method: 'GET', path: '/threads/[^/]+$'}
    world.platform.control.faults.add({match, fault: {kind: 'delay', ms: 1500}, times: null})
    const place = await world.say('@Bosun mend the fence')
    await world.until('the reply stands', () => naming(world, place, PULL).length > 0)
    world.slack.faults.failNext('chat.postMessage', {times: 1, applied: true, delayMs: 5000})
    // It stands, and the bot has yet to hear that.
    await callIn(world, place)
    await world.bot.kill()
    world.slack.faults.calm()
    await world.startBot()
    await callIn(world, place)
    await world.settled(place)
    expect(kindsIn(world, place)).toEqual(['card', 'reply', 'call'])
    expect(naming(world, place, PULL)).toHaveLength(2)
    expect(verdict(world, place)).toEqual(FAULTLESS)
  })

  test('while it says who has answered says so after that', async (context) => {
    const world = await openWorld(context, {apart: true, pace: 0.1})
    plan(world, 'the table', say(QUESTION), rest('pending_user'))
    const place = await world.say('@Bosun look after the table')
    const call = await callIn(world, place)
    await world.settled(place)
    world.slack.faults.storm('chat.update', {ms: 600_000})
    await world.reply(place, 'quick: yes', KIM)
    await world.until('the agent has it', () => world.transcriptIn(place).length > 3)
    await world.bot.kill()
    world.slack.faults.calm()
    await world.startBot()
    await world.until('it says who', () => callsIn(world, place)[0]?.text === '✅ Answered by @Kim')
    await world.settled(place)
    expect(callsIn(world, place).map(({ts}) => ts)).toEqual([call.ts])
    expect(verdict(world, place)).toEqual(FAULTLESS)
  })
})

function callsIn(world: World, place: Place): StoredMessage[] {
  return world.ours(place).filter((message) => kindOf(message) === 'call')
}

function callIn(world: World, place: Place): Promise<StoredMessage> {
  return world.until('somebody is called', () => callsIn(world, place)[0])
}

function kindsIn(world: World, place: Place): string[] {
  return world.ours(place).map(kindOf)
}

/** Messages of ours with these words, but for the card, which tells all there is. */
function naming(world: World, place: Place, words: string): StoredMessage[] {
  return world
    .ours(place)
    .filter((message) => kindOf(message) !== 'card' && JSON.stringify(message).includes(words))
}

function labels({blocks = []}: StoredMessage): string[] {
  const elements = blocks.flatMap(({elements: all}) => (all ?? []) as {text?: {text: string}}[])
  return elements.flatMap(({text}) => text?.text ?? [])
}
