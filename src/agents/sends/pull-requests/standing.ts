import type {PullRequestState} from '../../../relay/pull-requests.ts'
import type {Check, Checks} from '../../../store/tables/pull-requests/checks.ts'
import {
  type PullRequestFacts,
  type Review,
  hasConflict,
  pictureOf,
} from '../../../store/tables/pull-requests/facts.ts'

/** Something that keeps a pull request from being merged and that its agent can do something about. */
export interface Need {
  kind: 'checks' | 'conflicts' | 'changes'
  /** What it is about: the agent is told once of each. */
  key: string
  /** What failed, or who asks for changes, and where that can be read. */
  about: readonly {name: string; url: string}[]
  /** Nothing is under way that may add to it. */
  isSettled: boolean
}

/** How it stands, without what its agent was told of it. */
type Standing = Omit<PullRequestState, 'fix' | 'tries'>

const MOST_NAMES = 3

/** Pure: what all that was said of a pull request, and of the checks of its newest commit, comes to. */
export function standingOf(
  facts: PullRequestFacts,
  checks: Checks | undefined,
): {standing: Standing; needs: Need[]} {
  const {stage, title, head} = pictureOf(facts)
  const of = (outcome: Check['outcome']): Check[] =>
    (checks?.runs ?? []).filter((run) => run.outcome === outcome)
  const [failed, running, passed] = [of('failed'), of('running'), of('passed')]
  const isChecked = failed.length + running.length + passed.length > 0
  const opinions = (opinion: Review['opinion']): Review[] =>
    facts.reviews.filter((review) => review.opinion === opinion)
  const [changes, approvals] = [opinions('changes'), opinions('approved')]
  const isOver = stage === 'merged' || stage === 'closed'
  const conflicts = !isOver && hasConflict(facts)
  const standing: Standing = {
    stage,
    title,
    ...(isChecked && {
      checks: {
        passed: passed.length,
        running: running.length,
        failed: named(failed.map(({name}) => name)),
        ...(checks?.isMore === true && {isMore: true}),
      },
    }),
    ...(approvals.length > 0 && {approvedBy: named(approvals.map(({by}) => by))}),
    ...(changes.length > 0 && {wantChanges: named(changes.map(({by}) => by))}),
    ...(conflicts && {conflicts: true}),
  }
  const needs: Need[] = [
    ...(failed.length > 0 ? [checksNeed(head, failed, running.length === 0)] : []),
    ...(conflicts ? [conflictsNeed(head)] : []),
    ...(changes.length > 0 ? [changesNeed(changes)] : []),
  ]
  return {standing, needs: isOver ? [] : needs}
}

function checksNeed(head: string, failed: readonly Check[], isSettled: boolean): Need {
  const about = failed.map(({name, url}) => ({name, url}))
  return {kind: 'checks', key: `checks:${head}`, about, isSettled}
}

function conflictsNeed(head: string): Need {
  return {kind: 'conflicts', key: `conflicts:${head}`, about: [], isSettled: true}
}

/** It is the reviews that ask for something, whatever was pushed since: whoever asked says whether that is done. */
function changesNeed(changes: readonly Review[]): Need {
  const ids = changes.map(({id}) => id).toSorted((a, b) => a - b)
  const about = changes.map(({by, url}) => ({name: by, url}))
  return {kind: 'changes', key: `changes:${ids.join(',')}`, about, isSettled: true}
}

function named(all: readonly string[]): {names: string[]; more: number} {
  return {names: all.slice(0, MOST_NAMES), more: Math.max(0, all.length - MOST_NAMES)}
}
