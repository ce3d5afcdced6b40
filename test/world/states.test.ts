import {expect, test} from 'vitest'
import {JANE} from '../support/world.ts'
import {startInside} from './open-world.ts'

/**
 * What the platform says of work that has come to rest, always with `needsYou` beside it, and what people read of it
 * then: the more specific word wins.
 */
const SAID = [
  ['ready_for_review', '🟢 Ready for review', 'is ready for your review', 'is ready for review'],
  ['error', '🔴 Failed', 'this failed', 'failed'],
  ['idle', '🟠 *Needs you*', 'the agent asks', 'needs an answer'],
] as const

test.for(SAID)('%s that needs somebody reads %s everywhere', async ([state, reads, call, told]) => {
  await using world = await startInside({pace: 0.1, settings: {BOSUN_WATCH_SECONDS: '1'}})
  const {people} = world.slack
  const place = await world.say('@Bosun a quick check of the cart')
  await world.settled(place)
  const watching = (await people.createChannel({name: 'onlookers', memberIds: [JANE]})).id
  await people.inviteBot(watching)
  const ask = async (text: string, channel: string): Promise<string> => {
    const before = world.slack.ephemerals(channel, JANE).length
    await people.command({as: JANE, channel, command: '/bosun', text})
    return world.until(text, () => world.slack.ephemerals(channel, JANE)[before]?.text)
  }
  expect(await ask('watch web', watching)).toContain('needs somebody')

  const threadId = world.threadIn(place)?.id ?? ''
  world.platform.control.setState(threadId, 'active')
  await world.until('it works', () => world.ours(place)[0]?.text.includes('Working'))
  world.platform.control.setState(threadId, state, true)
  await world.until('somebody is called', () => world.ours(place).at(-1)?.text.includes(call))
  await world.until('the card says so', () => world.ours(place)[0]?.text.includes(reads))
  await world.until('who watches hears of it', () =>
    world.slack.messages(watching).some(({text}) => text.split('\n', 1)[0]?.endsWith(`* ${told}`)),
  )
  await people.openHome({as: JANE})
  const home = await world.until('App Home', () => {
    const drawn = JSON.stringify(world.slack.views(JANE).home?.view['blocks'] ?? '')
    return drawn.includes('the cart') && drawn
  })
  const [row = ''] = home.split('the cart* · ').slice(1)
  expect(row).toMatch(/^[^·]+ <!date[^·]+> · in <#C0WEB>/)
  expect(row.startsWith(`${reads} `)).toBe(true)
  expect(await ask('mine', place.channel)).toContain(`the cart* · ${reads} `)
  const running = await ask('status', place.channel)
  if (state === 'error') expect(running).not.toContain('the cart')
  else expect(running).toContain(`the cart* · ${reads} `)
})
