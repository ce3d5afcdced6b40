import {parseArgs} from 'node:util'
import {createDice} from '../local/platform/agent/dice.ts'
import {JANE, type World, startWorld} from '../test/support/world.ts'
import {BUTTONS, createPerson} from './first-sign/person.ts'
import {type Signs, createSigns} from './first-sign/signs.ts'
import {STORIES} from './first-sign/stories.ts'
import {atLeast, atMost, endWith, never} from './lines.ts'
import {cutUnevenly, writeReply} from './relay/texts.ts'

/**
 * How long everything that people can do takes to its first visible sign, while agents stream into Slack under its usual
 * limits: from the interaction to the first message, edit, reaction, whisper, modal or status that comes of it.
 */

const {values: options} = parseArgs({
  options: {
    streams: {type: 'string', default: '20'},
    rounds: {type: 'string', default: '3'},
    people: {type: 'string', default: '2'},
    only: {type: 'string', default: ''},
    seed: {type: 'string', default: '1'},
  },
})
const AIM_MS = 1000
const LATENCY_MS = 100
const CHANNELS = 10
const CHARACTERS_A_SECOND = 50
const FRAGMENT_MS = 200
const STREAM_S = 1200

async function main(): Promise<void> {
  await using world = await startWorld({
    ...{strict: true, latencyMs: LATENCY_MS, pace: 1},
    settings: {BOSUN_WATCH_SECONDS: '5'},
  })
  const signs = createSigns(world, console.log)
  await stream(world, Number(options.streams))
  const left = Array.from({length: Number(options.rounds)}, () => STORIES)
    .flat()
    .filter(({name}) => options.only === '' || options.only.split(',').includes(name))
  let brokenOff = 0
  const live = async (_: unknown, index: number): Promise<void> => {
    const dice = createDice(`${options.seed} ${index}`)
    for (let times = 0; left.length > 0; times += 1) {
      const story = left.shift()
      // What one of them sees is only theirs: somebody else lives each story.
      const person = await createPerson(world, signs, {name: `ann-${index}-${times}`, dice})
      try {
        await story?.(person)
      } catch (error) {
        brokenOff += 1
        console.log(`${story?.name ?? ''} broke off: ${String(error).slice(0, 600)}`)
      }
    }
  }
  await Promise.all(Array.from({length: Number(options.people)}, live))
  print(signs, brokenOff)
}

/** So many replies grow, without end. */
async function stream(world: World, count: number): Promise<void> {
  const {slack, platform} = world
  const memberIds = [JANE, slack.botUserId]
  const channels: string[] = []
  for (let index = 0; index < count; index += 1) {
    const name = `stream-${index}`
    if (index < CHANNELS) channels.push((await slack.people.createChannel({name, memberIds})).id)
    const channel = channels[index % CHANNELS] ?? ''
    const dice = createDice(`${options.seed} ${name}`)
    const text = writeReply(dice, STREAM_S * CHARACTERS_A_SECOND)
    const cut = {count: (STREAM_S * 1000) / FRAGMENT_MS, durationMs: STREAM_S * 1000}
    const fragments = cutUnevenly(dice, text, cut)
    platform.control.planScript({
      when: {text: `${name}.`},
      steps: fragments.map((fragment) => ({kind: 'assistant', callId: name, ...fragment})),
    })
    await world.say(`@Bosun write ${name}.`, {channel})
  }
}

function print(signs: Signs, brokenOff: number): void {
  const kinds = [...signs.ofKinds()].toSorted(([a], [b]) => a.localeCompare(b))
  const rows = [...kinds, ['all', kinds.flatMap(([, times]) => times)] as const]
  console.log(`\n${'ms'.padEnd(44)}  count     p50     p95     max`)
  for (const [kind, times] of rows) {
    const cells = [times.length, at(times, 0.5), at(times, 0.95), at(times, 1)]
    const row = cells.map((cell) => String(cell).padStart(8)).join('')
    const isLate = times.length > 0 && at(times, 0.5) > AIM_MS
    console.log(`${kind.padEnd(43)}${row}${isLate ? '  above the aim' : ''}`)
  }
  const missing = BUTTONS.filter((action) => !signs.ofKinds().has(`press ${action}`))
  if (options.only === '') console.log(`\nNot pressed: ${missing.join(', ')}`)
  const all = kinds.flatMap(([, times]) => times)
  endWith([
    never('stories that broke off', brokenOff),
    atLeast('deeds', all.length, 1),
    atMost('to the first sign, p95', at(all, 0.95), AIM_MS, 'ms'),
  ])
}

/** What came without a sign took for ever. */
function at(times: readonly (number | undefined)[], part: number): number {
  const sorted = times.map((ms) => Math.round(ms ?? Infinity)).toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? NaN
}

await main()
