import type {FaultPlan} from './fault-plans.ts'
import type {Outcome} from './play.ts'
import type {Plan, TalkPlan} from './plan.ts'

interface ShrinkOptions {
  play: (plan: Plan) => Promise<Outcome>
  /** No further tries from then on. */
  isLate: () => boolean
}

/** A smaller plan that still goes wrong: with fewer faults and conversations, and less of what is left. */
export async function shrink(plan: Plan, {play, isLate}: ShrinkOptions): Promise<Plan> {
  const isWrong = async (tried: Plan): Promise<boolean> =>
    !isLate() && (await play(tried)).wrongs.length > 0
  let least = plan
  const attempt = async (tried: Plan): Promise<boolean> => {
    if (!(await isWrong(tried))) return false
    least = tried
    return true
  }
  for (let before = -1; before !== sizeOf(least) && !isLate();) {
    before = sizeOf(least)
    await leaveOut(
      () => least.faults,
      (faults) => attempt({...least, faults}),
    )
    await leaveOut(
      () => least.talks,
      (talks) => (talks.length === 0 ? Promise.resolve(false) : attempt({...least, talks})),
    )
    for (const talk of least.talks) {
      for (const simpler of simplerTalks(talk)) {
        const talks = least.talks.map((one) => (one.name === talk.name ? simpler : one))
        if (await attempt({...least, talks})) break
      }
    }
    for (const [at, fault] of least.faults.entries()) {
      const halved = halve(fault)
      if (halved !== undefined) await attempt({...least, faults: least.faults.with(at, halved)})
    }
  }
  return least
}

/** Halves first, then ever smaller parts, as long as it goes wrong without them. */
async function leaveOut<Item>(
  items: () => readonly Item[],
  attempt: (left: readonly Item[]) => Promise<boolean>,
): Promise<void> {
  for (let size = Math.ceil(items().length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let start = 0; start < items().length;) {
      const left = items().toSpliced(start, size)
      if (!(await attempt(left))) start += size
    }
  }
}

function simplerTalks(talk: TalkPlan): TalkPlan[] {
  const {deed, archive, ...rest} = talk
  const ends = {...(deed && {deed}), ...(archive && {archive})}
  return [
    {...rest, addedAfterMs: []},
    ...(deed === undefined ? [] : [{...rest, ...(archive && {archive})}]),
    ...(archive === undefined ? [] : [{...rest, ...(deed && {deed})}]),
    ...(rest.addedAfterMs.length === 0 ? [] : [{...rest, ...ends, addedAfterMs: []}]),
    ...(rest.turns > 1 ? [{...rest, ...ends, turns: 1}] : []),
  ].filter(
    (simpler) =>
      JSON.stringify(simpler).length < JSON.stringify(talk).length || simpler.turns < talk.turns,
  )
}

function halve(fault: FaultPlan): FaultPlan | undefined {
  if ('forMs' in fault && fault.forMs > 200) return {...fault, forMs: Math.floor(fault.forMs / 2)}
  if ('times' in fault && fault.times > 1) return {...fault, times: fault.times - 1}
  return undefined
}

function sizeOf({talks, faults}: Plan): number {
  return JSON.stringify({talks, faults}).length
}
