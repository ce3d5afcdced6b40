import {NAMED_PLANS} from './named.ts'
import {type Outcome, play} from './play.ts'
import {type Plan, drawPlan, tellPlan} from './plan.ts'
import {realNowMs} from './engine/real-time.ts'
import {shrink} from './shrink.ts'
import {type Tally, addTo, emptyTally} from './tally.ts'

interface RunOptions {
  isCalm: boolean
  isShort: boolean
  /** In every world, where it is said. */
  instances: 1 | 2 | undefined
}

/** A failing seed is made smaller for so long. */
const SHRINK_MS = 120_000
const MOST_SHRUNK = 3
const TELL_EVERY_MS = 30_000

function planOf(seed: string, {isCalm, isShort, instances}: RunOptions): Plan {
  return drawPlan(seed, {isShort, instances, ...(isCalm && {kinds: []})})
}

/** Twice, so that one sees that it is the same; with the story of it, and a smaller one where it goes wrong. */
export async function playOne(seed: string, options: RunOptions): Promise<boolean> {
  const plan = planOf(seed, options)
  const first = await play(plan)
  const again = await play(plan)
  for (const line of tellPlan(plan)) console.log(line)
  for (const [name, times] of first.struck) console.log(`  ${name.padEnd(68)}${times}`)
  for (const line of first.errors) console.log(`logged as an error ${line}`)
  console.log(`trace ${first.trace}, and again ${again.trace}`)
  const isSame = first.trace === again.trace
  if (!isSame) console.log('The same seed did not bring about the same.')
  await tellFailure(plan, first)
  return isSame && first.wrongs.length === 0
}

/** Those under which something once was wrong. */
export async function playNamed(): Promise<boolean> {
  let isRight = true
  for (const [name, plan] of Object.entries(NAMED_PLANS)) {
    const outcome = await play(plan)
    const isWell = outcome.wrongs.length === 0
    console.log(`${isWell ? 'well' : 'WRONG'}  ${name}`)
    await tellFailure(plan, outcome)
    isRight &&= isWell
  }
  return isRight
}

/** As many of these seeds as there is time for; ends each that was begun, and tells of the first ones that go wrong. */
export async function playMany(
  seeds: readonly string[],
  {minutes, ...options}: RunOptions & {minutes: number},
): Promise<Tally> {
  const startMs = realNowMs()
  const sum = emptyTally()
  let toldMs = startMs
  for (const seed of seeds) {
    if (realNowMs() - startMs > minutes * 60_000) break
    const before = process.cpuUsage()
    const plan = planOf(seed, options)
    const outcome = await play(plan)
    const {user, system} = process.cpuUsage(before)
    const {threads, replies, events, simulatedMs} = outcome
    addTo(sum, {
      ...{seeds: 1, threads, replies, events, simulatedMs, workMs: (user + system) / 1000},
      ...{failed: Number(outcome.wrongs.length > 0), struck: Object.fromEntries(outcome.struck)},
    })
    if (realNowMs() - toldMs > TELL_EVERY_MS) {
      toldMs = realNowMs()
      console.log(`${sum.seeds} seeds, ${sum.threads} threads`)
    }
    if (outcome.wrongs.length === 0) continue
    console.log(`seed ${seed}: ${outcome.wrongs[0]?.slice(0, 200) ?? ''}`)
    if (sum.failed <= MOST_SHRUNK) await tellFailure(plan, outcome)
  }
  return sum
}

/** What is wrong, and the smallest story in which it still is. */
async function tellFailure(plan: Plan, {wrongs}: Outcome): Promise<void> {
  if (wrongs.length === 0) return
  const startMs = realNowMs()
  const isLate = (): boolean => realNowMs() - startMs > SHRINK_MS
  const least = await shrink(plan, {play, isLate})
  const {wrongs: left, output} = await play(least)
  console.log(`\nSeed ${plan.seed} goes wrong. All that it takes:`)
  for (const line of tellPlan(least)) console.log(`  ${line}`)
  for (const line of left) console.log(`  ${line.slice(0, 3000)}`)
  for (const line of output.split('\n').slice(-15)) console.log(`  ${line.slice(0, 400)}`)
  console.log(`  as a plan: ${JSON.stringify(least)}`)
}
