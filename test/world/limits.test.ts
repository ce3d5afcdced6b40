import {describe, expect, test} from 'vitest'
import {ACTIONS} from '../../src/slack/ids.ts'
import type {Lint} from '../../local/slack/lints/lint.ts'
import {FAULTLESS, verdict} from '../support/verdict.ts'
import {KIM, type Place, type World} from '../support/world.ts'
import {openWorld} from './open-world.ts'

const GENERAL = 'C0GENERAL'

describe.concurrent.each(['socket', 'http'] as const)(
  "under all of Slack's limits, by %s",
  (delivery) => {
    test('several conversations at once leave nothing to object to', async (context) => {
      const world = await openWorld(context, {delivery, strict: true, pace: 0.3, latencyMs: 40})
      const long = await world.say('@Bosun write the long report')
      const tables = await world.say('@Bosun fix the *rounding* of R&D <https://x.test?a&b|costs>')
      const question = await world.say('@Bosun a question about the backup', {channel: GENERAL})
      const put = await world.say('@Bosun a quick look at the invoices', {
        channel: GENERAL,
        as: KIM,
      })
      const ended = await world.say('@Bosun sort the receipts, the long way', {channel: 'D0JANE'})

      await mentionNothing(world)
      await world.reply(tables, 'and a quick word on `a < b` && c > d')
      await changeTheirMinds(world, tables)
      await world.until('it works', () => world.transcriptIn(ended).length > 2)
      await world.until('it can be stopped', () =>
        JSON.stringify(world.ours(ended)[0]?.blocks ?? []).includes(ACTIONS.stop),
      )
      await world.press(ended, ACTIONS.stop)
      await world.settled(put)
      await world.press(put, ACTIONS.archive, KIM)
      await world.until('it is archived', () => cardOf(world, put)?.includes('Archived'))
      await world.settled(question)
      await world.reply(question, 'A, and be quick')

      const places = [long, tables, question, put, ended]
      for (const place of places) await world.settled(place)
      expect(places.map((place) => verdict(world, place))).toEqual(places.map(() => FAULTLESS))
      expect(objectionsOf(world)).toEqual([])
    })
  },
)

test('an agent that writes what it should not leaves nothing to object to either', async (context) => {
  const world = await openWorld(context, {strict: true, pace: 0.3, latencyMs: 40})
  const rows = Array.from({length: 130}, (_, row) => `| ${row} | a < b && c | <@U0KIM> |`)
  const code = Array.from({length: 100}, (_, line) => `if (a < ${line}) alert("<!channel>") // &`)
  const text = [
    'Dear <!channel> and <!here|here>, ring \u0007 the bell, R&D: \u202Egnp.exe',
    '[bank](javascript:alert(1)) and <javascript:alert(2)|bank> and <https://evil.test|bank>',
    ['| n | sum | who |', '| --- | --- | --- |', ...rows].join('\n'),
    ['```js', ...code, '```'].join('\n'),
    'The last word.',
  ].join('\n\n')
  world.platform.control.planScript({
    steps: [
      {kind: 'tool', name: 'Bash', text: 'echo `<!everyone>` & \u0007', delayMs: 100},
      {kind: 'say', fragments: text.match(/[^]{1,97}/g) ?? [], delayMs: 10},
    ],
  })
  const place = await world.say('@Bosun tell <!channel> & co about `<b>`')
  await world.until(
    'it is all said',
    () => lastOf(world, place)?.includes('The last word.'),
    60_000,
  )
  await world.until('it is done', () => cardOf(world, place)?.includes('Done'))
  expect(world.ours(place).length).toBeGreaterThan(3)
  expect(objectionsOf(world)).toEqual([])
})

test('a lost message is found in a long Slack thread, though Slack wants silence in the middle of it', async (context) => {
  const world = await openWorld(context, {pace: 0.1})
  const {people, faults, ledger} = world.slack
  const place = await world.say('A long discussion', {as: KIM})
  for (let index = 0; index < 450; index += 1) await world.reply(place, `Thought ${index}`, KIM)
  const looks = () =>
    ledger.calls.filter(
      ({method, args}) => method.endsWith('.replies') && Number(args['limit']) === 200,
    )
  ledger.subscribe(() => {
    if (looks().length !== 1) return
    faults.storm('conversations.replies', {times: 1, retryAfterSeconds: 2})
  })
  faults.failNext('chat.postMessage', {times: 1, applied: true})
  await people.post({
    ...{as: KIM, channel: place.channel, threadTs: place.ts},
    text: '@Bosun a quick look at the invoices',
  })
  await world.until('it is done', () => cardOf(world, place)?.includes('Done'))
  // The page that Slack did not give is asked for once more, and none in front of it.
  const [first, refused, again, last, ...more] = looks().map(({args}) => args['cursor'])
  expect([first, more]).toEqual([undefined, []])
  expect(again).toBe(refused)
  expect(new Set([first, again, last]).size).toBe(3)
  expect(objectionsOf(world).map(({kind}) => kind)).toEqual(['rate-limited'])
})

/** A mention without a task, which only its author hears about. */
async function mentionNothing(world: World): Promise<void> {
  const {channel} = await world.say('<@U0BOSUN>', {as: KIM})
  await world.until('they get help', () => world.slack.ephemerals(channel, KIM).length > 0)
}

/** A person edits one reply and takes back another. */
async function changeTheirMinds(world: World, place: Place): Promise<void> {
  const edited = await world.reply(place, 'a quick chek', KIM)
  const where = {as: KIM, channel: place.channel}
  await world.slack.people.edit({...where, ts: edited.ts, text: 'a quick check'})
  const removed = await world.reply(place, 'one more quick thing', KIM)
  await world.until('it is admitted', () => world.reactionsOn(removed).length > 0)
  await world.slack.people.remove({...where, ts: removed.ts})
}

/** How soon it acknowledges depends on what else the machine does (`bench/limits.ts` judges it), and a reaction may cross with the end of its message. */
function objectionsOf({slack}: World): Lint[] {
  const crossed = /^reactions\.(?:add|remove) .* message_not_found\.$/
  const isTime = (kind: Lint['kind']) => kind === 'slow-ack' || kind === 'late-ack'
  return slack.lints().filter(({kind, sentence}) => !isTime(kind) && !crossed.test(sentence))
}

function lastOf(world: World, place: Place): string | undefined {
  return world.ours(place).at(-1)?.text
}

function cardOf(world: World, place: Place): string | undefined {
  return world.ours(place)[0]?.text
}
