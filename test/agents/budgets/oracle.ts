/**
 * What may be spent, as the documents say it, and how it is counted: written from them alone. Amounts in thousandths of a
 * credit (1 credit = $0.001), so that sums are exact.
 */

/** What a reading says of the cost of a piece of work: a figure, a word for what is none, or nothing. */
type Said = number | undefined

interface Work {
  user: string
  channel: string
}

/** A budget of a piece of work, by what it is about and for how long. */
export interface Limit {
  of: 'work' | 'person' | 'channel'
  per: 'work' | 'day' | 'month'
  dollars: number
  /** A person's: in its channel alone. */
  isHere?: boolean
}

interface Oracle {
  /** A reading of a piece of work, made at this time. Whether it costs more now. */
  read(work: number, said: Said, atMs: number): boolean
  /** All work that this budget of a piece of work is for. */
  sharing(work: number, limit: Limit): number[]
  /** The budgets of a piece of work that are used up at this time. */
  used(work: number, atMs: number): Limit[]
  spent(work: number, limit: Limit, atMs: number): number
  limit(work: number, limit: Limit, atMs: number): number
  /** Somebody lets it go on: there is so much more, counted from now if the budget alone would not do. */
  raise(work: number, limit: Limit, atMs: number): void
}

const PER_DOLLAR = 1_000_000

export function createOracle(
  works: readonly Work[],
  limitsIn: (channel: string) => readonly Limit[],
): Oracle {
  /** The highest figure of each. */
  const highest = works.map(() => 0)
  const costs: {work: number; day: string; amount: number}[] = []
  const raises = new Map<string, number>()

  const dayOf = (atMs: number): string => new Date(atMs).toISOString().split('T', 1)[0] ?? ''
  const monthOf = (day: string): string => day.split('-', 2).join('-')

  const counts = (work: number, {of, per, isHere}: Limit, atMs: number) => {
    const {user, channel} = works[work] ?? {user: '', channel: ''}
    const today = dayOf(atMs)
    return (cost: {work: number; day: string}): boolean => {
      const {user: spender, channel: place} = works[cost.work] ?? {user: '', channel: ''}
      const isInTime =
        per === 'work' ||
        (per === 'day' ? cost.day === today : monthOf(cost.day) === monthOf(today))
      if (of === 'work') return cost.work === work
      if (of === 'channel') return isInTime && place === channel
      return isInTime && spender === user && (isHere !== true || place === channel)
    }
  }
  const nameOf = (work: number, {of, per, isHere}: Limit, atMs: number): string => {
    const {user, channel} = works[work] ?? {user: '', channel: ''}
    const whose = {
      work: String(work),
      person: isHere === true ? `${user} ${channel}` : user,
      channel,
    }[of]
    const day = dayOf(atMs)
    return [of, whose, per, {work: '', day, month: monthOf(day)}[per]].join(' ')
  }

  const spent: Oracle['spent'] = (work, limit, atMs) =>
    costs.filter(counts(work, limit, atMs)).reduce((sum, {amount}) => sum + amount, 0)
  const limit: Oracle['limit'] = (work, of, atMs) =>
    of.dollars * PER_DOLLAR + (raises.get(nameOf(work, of, atMs)) ?? 0)

  return {
    read: (work, said, atMs) => {
      const before = highest[work] ?? 0
      const isFigure = said !== undefined && Number.isFinite(said) && said > 0
      if (!isFigure) return false
      const now = Math.floor(said * 1000)
      if (now <= before) return false
      highest[work] = now
      costs.push({work, day: dayOf(atMs), amount: now - before})
      return true
    },
    spent,
    limit,
    sharing: (work, {of, isHere}) => {
      const mine = works[work]
      return works.flatMap(({user, channel}, index) => {
        const isSame = {
          work: index === work,
          person: user === mine?.user && (isHere !== true || channel === mine.channel),
          channel: channel === mine?.channel,
        }[of]
        return isSame ? [index] : []
      })
    },
    used: (work, atMs) =>
      limitsIn(works[work]?.channel ?? '').filter(
        (of) => spent(work, of, atMs) >= limit(work, of, atMs),
      ),
    raise: (work, of, atMs) => {
      const name = nameOf(work, of, atMs)
      const more = of.dollars * PER_DOLLAR
      const missing = spent(work, of, atMs) - limit(work, of, atMs)
      raises.set(name, (raises.get(name) ?? 0) + (missing < more ? more : missing + more))
    },
  }
}
