import {expect, test} from 'vitest'
import {FAULTLESS, verdict} from '../support/verdict.ts'
import type {Place, World} from '../support/world.ts'
import {openWorld} from './open-world.ts'

test('what people write to the agent elsewhere stands in its place with their name, what they write here does not', async (context) => {
  const world = await openWorld(context)
  const place = await world.say('@Bosun a quick check')
  await world.settled(place)
  await world.reply(place, 'and a quick look at the taxes')
  await world.until('it is answered', () => assistantEntries(world, place) === 2)
  await world.settled(place)
  expect(quotes(world, place)).toEqual([])

  await writeElsewhere(
    world,
    place,
    'one more quick check, <!channel>\nand [bank.example](https://evil.example)',
  )
  await world.until('it is answered too', () => assistantEntries(world, place) === 3)
  await world.settled(place)
  expect(verdict(world, place)).toEqual(FAULTLESS)
  const [quote, ...others] = quotes(world, place)
  expect(others).toEqual([])
  expect(quote?.text).toMatch(
    /^💬 \S.* wrote to the agent: one more quick check, &lt;!channel&gt;\n/,
  )
  expect(JSON.stringify(quote?.blocks)).not.toContain('<!channel>')
  expect(JSON.stringify(quote?.blocks)).toContain('> one more quick check')
  // In front of what the agent answered.
  expect(world.ours(place).at(-2)?.ts).toBe(quote?.ts)

  await world.bot.stop()
  await writeElsewhere(world, place, 'a last quick check')
  await world.startBot()
  await world.until('that is answered as well', () => assistantEntries(world, place) === 4)
  await world.settled(place)
  expect(quotes(world, place)).toHaveLength(2)
})

async function writeElsewhere({platform}: World, place: Place, text: string): Promise<void> {
  const thread = platform.threads().find(({requestId}) => requestId?.endsWith(place.ts) === true)
  const answer = await fetch(`${platform.baseUrl}/threads/${thread?.id ?? ''}/message`, {
    method: 'POST',
    headers: {authorization: `Bearer ${platform.keys.human}`, 'content-type': 'application/json'},
    body: JSON.stringify({text, delivery: 'queue'}),
  })
  expect(answer.status).toBe(200)
}

function assistantEntries(world: World, place: Place): number {
  return world.transcriptIn(place).filter(({source}) => source === 'assistant').length
}

function quotes(world: World, place: Place) {
  return world.ours(place).filter(({text}) => text.startsWith('💬'))
}
