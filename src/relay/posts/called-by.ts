import {NOBODY} from '../../store/forget/blanking.ts'
import type {Link} from '../../store/tables/work/link.ts'

/** Whoever asked for the work; what nobody asked for calls whom its rule names, if it names anybody. */
export function calledBy({startedBy, rule}: Pick<Link, 'startedBy' | 'rule'>): string {
  return startedBy === NOBODY ? (rule?.person ?? NOBODY) : startedBy
}
