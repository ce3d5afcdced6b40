import {createHash} from 'node:crypto'
import type {z} from 'zod'
import type {Database} from '../database.ts'
import type {Seed, pullRequestSchema} from '../seed/seed.ts'

type Fields = z.infer<typeof pullRequestSchema>

export type PullRequest = Omit<Fields, 'readable'> & {readable: 0 | 1}

/** What is new about a pull request; what is left out stays as it is. */
export type PullRequestChange = Pick<Fields, 'repo' | 'number'> & {
  [Name in Exclude<keyof Fields, 'repo' | 'number'>]?: Fields[Name] | undefined
}

/** The pull requests at the code-hosting provider. */
export interface PullRequests {
  find(repo: string, number: number): PullRequest | undefined
  /** The one that a thread has opened; opened now if there is none. Its number is the next one of the repository. */
  ofThread(
    threadId: string,
    wanted: Pick<Fields, 'repo' | 'title'>,
  ): Pick<Fields, 'repo' | 'number'>
  /** Opens or changes one. A new one that names no commits gets some of its own. */
  set(change: PullRequestChange): void
}

export function createPullRequests(database: Database, {pullRequests}: Seed): PullRequests {
  database.exec(SCHEMA)
  const find = database.prepare<[string, number], PullRequest>(
    'select * from pullRequests where repo = ? and number = ?',
  )
  const insert = database.prepare<PullRequest>(
    `insert or ignore into pullRequests (repo, number, title, state, headSha, baseSha, readable)
     values (@repo, @number, @title, @state, @headSha, @baseSha, @readable)`,
  )
  const update = database.prepare<PullRequest>(
    `update pullRequests set title = @title, state = @state, headSha = @headSha, baseSha = @baseSha,
     readable = @readable where repo = @repo and number = @number`,
  )
  const opened = database.prepare<[string], Pick<Fields, 'repo' | 'number'>>(
    'select repo, number from openedPullRequests where threadId = ?',
  )
  const next = database.prepare<[string], {number: number}>(
    'select coalesce(max(number), 0) + 1 as number from pullRequests where repo = ?',
  )
  const note = database.prepare(
    'insert into openedPullRequests (threadId, repo, number) values (?, ?, ?)',
  )
  database.transaction(() => {
    for (const {readable, ...rest} of pullRequests) {
      insert.run({...rest, readable: readable ? 1 : 0})
    }
  })()
  return {
    find: (repo, number) => find.get(repo, number),
    ofThread: (threadId, {repo, title}) => {
      const before = opened.get(threadId)
      if (before !== undefined) return before
      const number = next.get(repo)?.number ?? 1
      insert.run({...createPullRequest({repo, number}), title})
      note.run(threadId, repo, number)
      return {repo, number}
    },
    set: (change) => {
      const before = find.get(change.repo, change.number)
      const after = merge(before ?? createPullRequest(change), change)
      if (before === undefined) insert.run(after)
      else update.run(after)
    },
  }
}

function createPullRequest({repo, number}: PullRequestChange): PullRequest {
  const headSha = inventCommit(`head of ${repo}#${number}`)
  const baseSha = inventCommit(`base of ${repo}`)
  return {repo, number, title: '', state: 'open', headSha, baseSha, readable: 1}
}

function inventCommit(name: string): string {
  return createHash('sha1').update(name).digest('hex')
}

function merge(before: PullRequest, {readable, ...change}: PullRequestChange): PullRequest {
  return {
    ...before,
    title: change.title ?? before.title,
    state: change.state ?? before.state,
    headSha: change.headSha ?? before.headSha,
    baseSha: change.baseSha ?? before.baseSha,
    readable: readable === undefined ? before.readable : readable ? 1 : 0,
  }
}

const SCHEMA = `
create table if not exists pullRequests (
  repo text not null, number integer not null, title text not null, state text not null,
  headSha text not null, baseSha text not null, readable integer not null,
  primary key (repo, number)
) strict, without rowid;
create table if not exists openedPullRequests (
  threadId text primary key, repo text not null, number integer not null
) strict, without rowid;
`
