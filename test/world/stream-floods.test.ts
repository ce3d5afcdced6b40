import {execFileSync} from 'node:child_process'
import {expect, test} from 'vitest'
import {KIM} from '../support/world.ts'
import {openWorld} from './open-world.ts'

const FRAMES_AT_ONCE = 500

/** So many frames, in pieces that the stand-in's buffers hold. */
function flood(count: number, frameOf: (index: number) => readonly [string, object]) {
  return Array.from({length: count / FRAMES_AT_ONCE}, (_, piece) => {
    const frames = Array.from({length: FRAMES_AT_ONCE}, (__, at) => {
      const [event, data] = frameOf(piece * FRAMES_AT_ONCE + at)
      return `event: ${event}\ndata: ${JSON.stringify(data)}`
    })
    const [event = '', data = ''] = frames
      .join('\n\n')
      .slice('event: '.length)
      .split(/\ndata: ([^]*)/)
    return [
      {kind: 'frame' as const, event, data},
      {kind: 'think' as const, delayMs: 20},
    ]
  }).flat()
}

type Flood = readonly [
  name: string,
  count: number,
  frameOf: (index: number) => readonly [string, object],
]

test.for<Flood>([
  ['30,000 drafts', 30_000, (index: number) => ['assistant', {callId: `c${index}`, text: 'x'}]],
  ['60,000 states', 60_000, (index: number) => ['status', {status: index % 2 ? 'active' : 'idle'}]],
])(
  'of a stream of %s little is held, its last word is shown, and what others ask is taken at once',
  async ([, count, frameOf], context) => {
    const world = await openWorld(context, {apart: true})
    const mibHeld = (): number =>
      Number(execFileSync('ps', ['-o', 'rss=', '-p', String(world.bot.pid())]).toString()) / 1024
    const steps = flood(count, frameOf)
    world.platform.control.planScript({
      when: {text: 'let it pour'},
      steps: [
        {kind: 'turn', steps},
        {kind: 'turn', steps: [{kind: 'say', fragments: ['That was all of it.']}]},
        {kind: 'rest', state: 'idle'},
      ],
    })
    await world.settled(await world.say('@Bosun a quick check'))
    const beforeMib = mibHeld()

    const place = await world.say('@Bosun let it pour')
    await world.until('it pours', () => world.threadIn(place)?.status === 'active')
    const other = await world.say('@Bosun a quick look', {as: KIM})
    let mostMib = 0
    await world.until(
      'its last word stands there',
      () => {
        mostMib = Math.max(mostMib, mibHeld())
        return world.ours(place).some(({text}) => text.includes('That was all of it.'))
      },
      60_000,
    )
    await world.settled(other)
    // Slack delivers again what was not acknowledged within 3 s.
    expect(world.slack.ledger.deliveries.every(({attempt}) => attempt === 0)).toBe(true)
    expect(mostMib - beforeMib).toBeLessThan(100)
  },
)
