import {createDice} from '../../local/platform/agent/dice.ts'
import type {StoredMessage} from '../../local/slack/messages/messages.ts'
import {type Place, type World, type WorldOptions, startWorld} from './world.ts'
import {kindOf, sightOf} from './verdict.ts'

/** When to kill: at the nth Slack call of a kind that was applied, so many milliseconds later. */
interface Instant {
  /** Undefined: any. */
  method: string | undefined
  nth: number
  delayMs: number
}

const TASKS = [
  '@Bosun fix the rounding of the cart',
  '@Bosun write the long report on prices',
  '@Bosun open a pull request for the taxes',
  '@Bosun a quick check',
  '@Bosun ask me about the old records',
] as const

/** How each task's Slack thread looks when nothing goes wrong. */
export async function undisturbed(options: WorldOptions): Promise<Map<string, string[]>> {
  await using world = await startWorld({...options, latencyMs: 0, pace: 0.02})
  const places = await Promise.all(
    TASKS.map(async (task) => [task, await world.say(task)] as const),
  )
  const sights = new Map<string, string[]>()
  for (const [task, place] of places) {
    await world.settled(place)
    await world.until(`${task} has called whom it needs`, () => hasCalled(world, place))
    sights.set(task, sightIn(world, place))
  }
  return sights
}

/** Where the agent waits for somebody, the call for them comes behind its last words. */
function hasCalled(world: World, place: Place): boolean {
  const isAwaited = ['pending_user', 'ready_for_review'].includes(
    world.threadIn(place)?.status ?? '',
  )
  return !isAwaited || world.ours(place).some((message) => kindOf(message) === 'call')
}

/** What stands there. A call is about the state, not a reply: behind which message it comes after a kill is left to chance. */
export function sightIn(world: World, place: Place): string[] {
  const isNotification = (message: StoredMessage): boolean => kindOf(message) === 'call'
  const [calls = [], others = []] = [true, false].map((wanted) =>
    world.repliesIn(place).filter((message) => isNotification(message) === wanted),
  )
  // Which pull request is whose number depends on who comes first.
  return sightOf([...others, ...calls], world.slack.botUserId).map((line) =>
    line.replaceAll(/(?<=pull\/|PR #|web#)\d+/g, '1'),
  )
}

/**
 * Kills the bot at each instant and starts it again; before each kill somebody asks for one more thing. The next
 * instant is awaited from the start on, so that it may come before the bot is ready.
 */
export async function killAtEach(
  world: World,
  instants: readonly Instant[],
): Promise<{place: Place; task: string}[]> {
  const asked: {place: Place; task: string}[] = []
  for (const [index, instant] of instants.entries()) {
    const killed = killAt(world, instant)
    const started = world.bot.isRunning() ? undefined : world.startBot()
    // Killed before it was ready: that is what this is about.
    const settled = started?.catch(() => undefined)
    const task = TASKS[index % TASKS.length] ?? TASKS[0]
    asked.push({place: await world.say(task), task})
    await killed
    await world.bot.ended()
    await settled
  }
  await world.startBot()
  return asked
}

/** Of each kind the first so many calls may be the one; seeded, so that a failure comes again. */
export function seededInstants(
  seed: string,
  count: number,
  kinds: readonly (readonly [method: string | undefined, maxNth: number])[],
): Instant[] {
  const dice = createDice(seed)
  return Array.from({length: count}, (_, index) => {
    const [method, maxNth] = kinds[index % kinds.length] ?? [undefined, 1]
    return {method, nth: dice.int(1, maxNth), delayMs: dice.pick([0, 0, 3, 10, 25, 60])}
  })
}

async function killAt(world: World, instant: Instant): Promise<void> {
  const {slack, bot} = world
  let left = instant.nth
  let wasKilled = false
  const kill = (): void => {
    wasKilled = true
    void bot.kill()
  }
  const leave = slack.ledger.subscribe(({method}) => {
    if (instant.method !== undefined && instant.method !== method) return
    left -= 1
    if (left !== 0) return
    // Right here the call has been applied, and its answer is not on its way yet.
    if (instant.delayMs === 0) kill()
    else setTimeout(kill, instant.delayMs)
  })
  const calls = `${instant.nth} calls of ${instant.method ?? 'any kind'}`
  // What nobody acknowledged comes again late, and a message whose fate is open is looked for twice.
  await world.until(calls, () => wasKilled, 120_000)
  leave()
}
