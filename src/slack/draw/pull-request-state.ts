import type {PullRequestState} from '../../relay/pull-requests.ts'
import {inBold, nameLine, oneLine} from '../markup/lines.ts'
import {escapeMrkdwn} from '../markup/markup.ts'
import {texts} from '../texts.ts'

const words = texts.pullRequests
const MAX_TITLE = 80
const MAX_CHECK = 40

/**
 * How a pull request stands, each fact by itself. All names come from outside: they are one line each, escaped and cut, and
 * call nobody.
 */
export function stateWords(state: PullRequestState): string[] {
  const {stage, title, checks, approvedBy, wantChanges, conflicts, fix, tries} = state
  const name = escapeMrkdwn(oneLine(title, MAX_TITLE)).trim()
  const isOver = stage === 'merged' || stage === 'closed'
  const reviews = [
    ...(wantChanges === undefined
      ? []
      : [words.wantsChanges(listed(wantChanges, nameLine), countOf(wantChanges))]),
    ...(approvedBy === undefined ? [] : [words.approved(listed(approvedBy, nameLine))]),
  ]
  return [
    ...(name === '' ? [] : [name]),
    words.stages[stage],
    // What it was merged with, or in spite of, matters to nobody any more.
    ...(isOver ? [] : [...checkWords(checks), ...(conflicts ? [words.conflicts] : []), ...reviews]),
    ...(fix === 'sent' ? [words.toldAgent] : []),
    ...(tries === undefined ? [] : [words.tried(tries)]),
  ]
}

function checkWords(checks: PullRequestState['checks']): string[] {
  if (checks === undefined) return []
  const {failed, running, passed, isMore} = checks
  const all = countOf(failed) + running + passed
  if (countOf(failed) === 0 && running === 0) {
    return [isMore === true ? words.passedSome(passed) : words.passed(passed)]
  }
  const bold = (name: string): string => `*${inBold(name, MAX_CHECK)}*`
  return [
    ...(countOf(failed) > 0 ? [words.failed(listed(failed, bold))] : []),
    ...(running > 0 ? [words.running(running, all)] : []),
  ]
}

type Named = NonNullable<PullRequestState['approvedBy']>

function countOf({names, more}: Named): number {
  return names.length + more
}

function listed({names, more}: Named, show: (name: string) => string): string {
  const shown = names.map(show).join(', ')
  return more === 0 ? shown : words.andMore(shown, more)
}

/** The one thing about it that matters most. */
export function briefState({stage, checks, conflicts, wantChanges}: PullRequestState): string {
  const {brief} = words
  if (stage === 'merged' || stage === 'closed') return brief[stage]
  if (checks !== undefined && countOf(checks.failed) > 0) return brief.failed
  if (conflicts === true) return brief.conflicts
  if (wantChanges !== undefined) return brief.changes
  if (checks !== undefined && checks.running > 0) return brief.running
  const isGreen = checks !== undefined && checks.passed > 0 && checks.isMore !== true
  return isGreen && stage === 'open' ? brief.passed : brief[stage]
}
