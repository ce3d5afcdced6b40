import {basename} from 'node:path'
import type {KnownTest, Reach} from './reach.ts'
import type {Runner} from './runner.ts'
import type {Mutant} from './sites.ts'
import type {Outcome} from './trial.ts'
import type {Order} from './worker.ts'

export interface Numbered extends Mutant {
  readonly id: number
}

export interface Verdict {
  readonly isKilled: boolean
  /** The test that noticed, or how far it came. */
  readonly why: string
}

/** So much time of tests a mutant gets, as these take it without one; who needs more to be noticed survives. */
export const BUDGET_MS = 2000
const QUICK_MS = 50
/** Tests of the same name are of that very file: they come first, whatever they take. */
const NAMESAKE = 1000

interface Judge {
  judge: (mutant: Numbered, runner: Runner) => Promise<Verdict>
}

/** Finds out which mutants the tests of one stage notice: those that run it, the quickest first, until one fails. */
export function createJudge(
  {tests, imported}: Reach,
  probeOf: (file: string) => number,
  budgetMs: number,
): Judge {
  /** By file of ours: how often a file of tests noticed a mutant there. */
  const kills = new Map<string, number>()
  /** Tests that failed on their own once. */
  const distrusted = new Set<string>()

  const judge = async (mutant: Numbered, runner: Runner): Promise<Verdict> => {
    const running = tests.filter(({reached}) => reached.has(mutant.id))
    const first = await ask(mutant, running, false, runner)
    if (first.isKilled || (first.isReached && !isImported(mutant))) return first
    // What was computed once, when it was imported or opened, is computed again.
    const probe = probeOf(mutant.file)
    const importing = tests.filter(({file}) => imported.get(file)?.ids.has(mutant.id) === true)
    const anew = [...running, ...importing.filter(({reached}) => reached.has(probe)), ...importing]
    return ask(mutant, [...new Set(anew)], true, runner)
  }

  const importMsOf = (file: string): number => imported.get(file)?.ms ?? 0

  const isImported = ({id}: Numbered): boolean =>
    [...imported.values()].some(({ids}) => ids.has(id))

  const ask = async (
    mutant: Numbered,
    candidates: readonly KnownTest[],
    isAnew: boolean,
    runner: Runner,
  ): Promise<Verdict & {isReached: boolean}> => {
    let isReached = false
    let leftMs = budgetMs
    for (const group of inGroups(mutant, candidates, isAnew)) {
      const usable = group.filter((one) => !distrusted.has(nameOf(one)))
      const file = usable[0]?.file ?? ''
      const sumMs = usable.reduce((sum, {ms}) => sum + ms, 0)
      const cost = usable.reduce((sum, one) => sum + one.cost, isAnew ? importMsOf(file) : 0)
      if (usable.length === 0) continue
      if (cost > leftMs && leftMs < budgetMs) continue
      leftMs -= cost
      const wanted = usable.map(({test, ms}) => ({test, limitMs: 5000 + 3 * ms}))
      const limitMs = 20_000 + 5 * sumMs
      const order = {kind: 'judge' as const, mutant: mutant.id, isAnew, file, tests: wanted}
      const answer = await runner.ask(order, limitMs)
      const killed = (why: string): Verdict & {isReached: true} => {
        kills.set(`${mutant.file} ${file}`, (kills.get(`${mutant.file} ${file}`) ?? 0) + 1)
        return {isKilled: true, why: `${file}: ${why}`, isReached: true}
      }
      if (answer === undefined) return killed('does not end')
      if (answer.error !== undefined) return killed(answer.error)
      isReached ||= answer.outcomes.some(({reached}) => reached.includes(mutant.id))
      isReached ||= answer.imported.includes(mutant.id)
      const failed = answer.outcomes.find(({failure}) => failure !== undefined)
      if (failed === undefined) continue
      if (await isFault(order, failed, limitMs, runner))
        return killed(`${failed.test}, ${failed.failure ?? ''}`)
    }
    return {
      isKilled: false,
      why: candidates.length === 0 ? 'runs in no test' : 'unnoticed',
      isReached,
    }
  }

  /**
   * What earlier mutants left behind in the process is no evidence, nor that the machine was slow: without this one the same test has
   * to succeed, and where it was late, with it be late again.
   */
  const isFault = async (
    order: Extract<Order, {kind: 'judge'}>,
    {test, isLate}: Outcome,
    limitMs: number,
    runner: Runner,
  ): Promise<boolean> => {
    const one = {...order, tests: order.tests.filter((it) => it.test === test)}
    const fails = async (mutant: number): Promise<boolean> => {
      const answer = await runner.ask({...one, mutant}, limitMs)
      return answer?.outcomes[0]?.failure !== undefined || answer?.error !== undefined
    }
    if (!isLate && !(await fails(-1))) return true
    runner.renew()
    if (await fails(-1)) {
      distrusted.add(nameOf({file: order.file, test}))
      return false
    }
    runner.renew()
    const failsAgain = await fails(order.mutant)
    if (isLate) runner.renew()
    return failsAgain
  }

  /** Files of tests that noticed something there before come first; the quick tests of all come before the others. */
  const inGroups = (
    mutant: Numbered,
    candidates: readonly KnownTest[],
    isAnew: boolean,
  ): KnownTest[][] => {
    const groupsOf = (some: readonly KnownTest[]): KnownTest[][] => {
      const groups = [...Map.groupBy(some, ({file}) => file)].map(([file, group]) => ({
        group: group.toSorted((a, b) => a.cost - b.cost),
        cost:
          group.reduce((sum, one) => sum + one.cost, isAnew ? importMsOf(file) : 1) /
          (1 + (kills.get(`${mutant.file} ${file}`) ?? 0)) /
          (basename(file, '.test.ts') === basename(mutant.file, '.ts') ? NAMESAKE : 1),
      }))
      return groups.toSorted((a, b) => a.cost - b.cost).map(({group}) => group)
    }
    const quick = candidates.filter(({cost}) => cost <= QUICK_MS)
    const slow = candidates.filter(({cost}) => cost > QUICK_MS)
    // A slow test stands alone: what it costs need not be paid for another one.
    const alone = groupsOf(slow).flatMap((group) => group.map((one) => [one]))
    return [...groupsOf(quick), ...alone]
  }

  return {judge}
}

function nameOf({file, test}: {file: string; test: number}): string {
  return `${file} ${test}`
}
