import {createHash} from 'node:crypto'
import type {Clock} from '../clock.ts'
import type {Database} from '../database.ts'
import type {PullRequests} from '../reviews/pull-requests.ts'
import {type Told, approvalEvent, checkEvent, pullRequestEvent} from './events.ts'
import type {GithubEvent, Webhooks} from './webhooks.ts'

/**
 * What becomes of the pull requests of agents at a GitHub of this laptop: the checks of the first commit fail, those of each
 * fix pass, somebody approves, and it is merged. Each step is told to all webhooks; without any, nothing happens. What is
 * under way goes on after a restart.
 */
interface Github extends Disposable {
  /** An agent has opened it. Once more is nothing. */
  opened: (of: {repo: string; number: number; title: string}) => void
  /** Its agent is about to push a fix. */
  fixed: (address: string) => void
  recover: () => void
}

interface GithubOptions {
  database: Database
  clock: Clock
  /** Multiplies all delays. */
  pace: number
  webhooks: Webhooks
  pullRequests: Pick<PullRequests, 'find' | 'set'>
}

interface Row {
  repo: string
  number: number
  title: string
  /** How many fixes were pushed. */
  round: number
  /** Of this round: how many steps are over. */
  step: number
}

interface Step {
  afterMs: number
  events: (told: Told, row: Row) => GithubEvent[]
}

const CHECKS = ['lint', 'unit'] as const
const idOf = ({number, round}: Row, index: number): number => number * 1000 + round * 10 + index
const check = (name: (typeof CHECKS)[number], conclusion: 'success' | 'failure' | null) => {
  return (told: Told, row: Row): GithubEvent =>
    checkEvent(told, {name, id: idOf(row, CHECKS.indexOf(name)), conclusion})
}
const run = (last: 'success' | 'failure'): Step[] => [
  {afterMs: 3000, events: (told, row) => CHECKS.map((name) => check(name, null)(told, row))},
  {afterMs: 6000, events: (told, row) => [check('lint', 'success')(told, row)]},
  {afterMs: 4000, events: (told, row) => [check('unit', last)(told, row)]},
]

/** The agent works for a while before it opens or pushes anything. */
const FIRST: readonly Step[] = [
  {afterMs: 6000, events: (told) => [pullRequestEvent(told, 'opened')]},
  ...run('failure'),
]
const FIX: readonly Step[] = [
  {
    afterMs: 6000,
    events: (told, row) => [
      pullRequestEvent(told, 'synchronize', commitOf({...row, round: row.round - 1})),
    ],
  },
  ...run('success'),
  {afterMs: 4000, events: (told, row) => [approvalEvent(told, 'octocat', idOf(row, 9))]},
  {afterMs: 12_000, events: (told) => [pullRequestEvent(told, 'closed')]},
]
const stepsOf = ({round}: Row): readonly Step[] => (round === 0 ? FIRST : FIX)

export function createGithub({
  database,
  clock,
  pace,
  webhooks,
  pullRequests,
}: GithubOptions): Github {
  database.exec(SCHEMA)
  const insert = database.prepare<Row>(
    'insert or ignore into githubPullRequests (repo, number, title, round, step) values (@repo, @number, @title, @round, @step)',
  )
  const find = database.prepare<[string, number], Row>(
    'select * from githubPullRequests where repo = ? and number = ?',
  )
  const all = database.prepare<[], Row>('select * from githubPullRequests')
  const move = database.prepare<Row>(
    'update githubPullRequests set round = @round, step = @step where repo = @repo and number = @number',
  )
  const alarms = new Map<string, () => void>()
  let isClosed = false

  /** Waits for the next step of it, in the place of the one that was waited for. */
  const goOn = (row: Row): void => {
    const key = `${row.repo}#${row.number}`
    alarms.get(key)?.()
    alarms.delete(key)
    const step = stepsOf(row)[row.step]
    if (step === undefined || isClosed) return
    alarms.set(
      key,
      clock.after(step.afterMs * pace, () => void take(row, step)),
    )
  }

  const take = async (row: Row, step: Step): Promise<void> => {
    const {repo, number, title} = row
    const head = commitOf(row)
    pullRequests.set({repo, number, headSha: head})
    const told = {repo, number, title, head, atMs: clock.nowMs()}
    for (const event of step.events(told, row)) {
      await webhooks.deliver(event)
      if (isClosed) return
    }
    // A fix may have been pushed meanwhile.
    if (find.get(repo, number)?.round !== row.round) return
    const next = {...row, step: row.step + 1}
    move.run(next)
    goOn(next)
  }

  return {
    opened: ({repo, number, title}) => {
      const row = {repo, number, title, round: 0, step: 0}
      if (webhooks.addresses().length > 0 && insert.run(row).changes > 0) goOn(row)
    },
    fixed: (address) => {
      const [, repo = '', number = ''] =
        /^https:\/\/github\.com\/(.+)\/pull\/(\d+)$/.exec(address) ?? []
      const row = find.get(repo, Number(number))
      if (row === undefined) return
      const next = {...row, round: row.round + 1, step: 0}
      move.run(next)
      goOn(next)
    },
    recover: () => {
      for (const row of all.all()) goOn(row)
    },
    [Symbol.dispose]: () => {
      isClosed = true
      for (const cancel of alarms.values()) cancel()
    },
  }
}

function commitOf({repo, number, round}: Row): string {
  return createHash('sha1').update(`${repo}#${number} after ${round} fixes`).digest('hex')
}

const SCHEMA = `
create table if not exists githubPullRequests (
  repo text not null, number integer not null, title text not null, round integer not null,
  step integer not null, primary key (repo, number)
) strict, without rowid;
`
