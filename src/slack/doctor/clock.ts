import type {ClockTrouble} from '../../inbox/clock-check.ts'
import type {Finding} from './finding.ts'
import {texts} from '../texts.ts'

/** For `/healthz`: that nobody has said what time it is, is no fault. */
export function explainClock(trouble: ClockTrouble | undefined): string | undefined {
  return trouble === undefined || trouble.kind === 'unproved' ? undefined : wordsOf(trouble)
}

/** For doctors. */
export function judgeDeleting(trouble: ClockTrouble | undefined): Finding {
  const {name, well, unproved, fix} = texts.doctor.deleting
  if (trouble === undefined) return {name, state: 'well', says: well}
  if (trouble.kind === 'unproved') return {name, state: 'untold', says: unproved}
  return {name, state: 'wrong', says: wordsOf(trouble), fix}
}

function wordsOf(trouble: Exclude<ClockTrouble, {kind: 'unproved'}>): string {
  const {off, behindRows} = texts.doctor.deleting
  if (trouble.kind === 'behind-rows') return behindRows(inTime(trouble.ms))
  return off(inTime(Math.abs(trouble.ms)), trouble.ms > 0 ? 'ahead of' : 'behind', trouble.from)
}

function inTime(ms: number): string {
  const hours = Math.round(ms / 3_600_000)
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`
}
