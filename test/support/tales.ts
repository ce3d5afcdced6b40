import {join} from 'node:path'
import type {Dice} from '../../local/platform/agent/dice.ts'
import type {StoredMessage} from '../../local/slack/messages/messages.ts'
import {type Story, tellStory} from './stories.ts'
import {type Talk, settleTalks} from './talks.ts'
import {kindOf, sightOf} from './verdict.ts'
import {type World, type WorldOptions, startWorld} from './world.ts'

export const KILLING_WORLD: WorldOptions = {
  ...{pace: 1.5, latencyMs: 16, rateScale: 400, slackTimeFactor: 0.15, proxy: true},
  botMain: join(import.meta.dirname, 'killing-main.ts'),
}

/** One of the few stories that are told again and again while the bot dies. */
export interface Tale {
  first: Story
  more: Story
  /** How its place looks when nothing goes wrong. */
  sight: string[]
}

/** Tells each of them once to the end, with nothing going wrong. */
export async function tellTales(dice: Dice, count: number): Promise<Tale[]> {
  const rules = {isTame: true, longPercent: 4} as const
  const tales = Array.from({length: count}, (_, index): Tale => ({
    first: tellStory(dice, {name: `tale-${index}`, turns: [5, 8], ...rules}),
    more: tellStory(dice, {name: `tale-${index}-more`, turns: [1, 2], ...rules}),
    sight: [],
  }))
  await using world = await startWorld({...KILLING_WORLD, pace: 0.05})
  for (const {first, more} of tales) plan(world, [first, more], 1)
  for (const tale of tales) {
    const place = await world.say(`@Bosun please tell ${tale.first.mark}`)
    await world.until('it works', () => world.transcriptIn(place).length > 1)
    await world.reply(place, `and then ${tale.more.mark}`)
    const talk: Talk = {place, mark: tale.first.mark, added: [tale.more.mark]}
    const [late] = await settleTalks(world, [talk], () => undefined)
    if (late !== undefined) throw new Error(`${late.mark} did not come to its end undisturbed.`)
    tale.sight = sightOfTale(world.ours(place), world.slack.botUserId)
  }
  return tales
}

/** The agent is going to tell these. */
export function plan({platform}: World, stories: readonly Story[], times: number): void {
  for (const {mark, steps} of stories) {
    platform.control.planScript({when: {text: mark}, steps, times})
  }
}

/**
 * What does not depend on when things happened: whether a run was long enough to call for its end does, and so does
 * where the plan of its tasks stands among the replies.
 */
export function sightOfTale(ours: readonly StoredMessage[], botUserId: string): string[] {
  const standing = ours.filter((message) => kindOf(message) !== 'call')
  const isPlan = (message: StoredMessage): boolean => kindOf(message) === 'plan'
  const inPlace = [...standing.filter((it) => !isPlan(it)), ...standing.filter(isPlan)]
  return sightOf(inPlace, botUserId)
}
