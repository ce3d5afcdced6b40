import {isoNow, type Clock} from '../clock.ts'
import type {Database} from '../database.ts'
import type {PullRequest} from './pull-requests.ts'

/** One review of one state of a pull request. Section 3.6. */
export interface Round {
  id: string
  /** Of the call that opened it. */
  requestId: string
  repo: string
  prNumber: number
  headSha: string
  baseSha: string
  /** Where the agent works on it. */
  threadId: string
  /** Where its outcome shall be delivered. */
  sourceThreadId: string | null
  /** `null` while it runs. */
  finishedAt: string | null
}

export interface Rounds {
  insert(round: Round): void
  /** The newest round of exactly these commits. */
  newest(pullRequest: PullRequest): Round | undefined
  /** The round that a call with this key was answered with. */
  ofKey(idempotencyKey: string): Round | undefined
  /** The first round that a key is given stays its own. */
  addKey(idempotencyKey: string, reviewId: string): void
  running(): Round[]
  runningIn(threadId: string): Round | undefined
  setSource(id: string, sourceThreadId: string): void
  finish(id: string): void
}

const SELECT = `select id, requestId, repo, prNumber, headSha, baseSha, threadId, sourceThreadId,
  finishedAt from reviewRounds`

export function createRounds(database: Database, clock: Clock): Rounds {
  database.exec(SCHEMA)
  const insert = database.prepare<Round>(
    `insert into reviewRounds (id, requestId, repo, prNumber, headSha, baseSha, threadId,
       sourceThreadId, finishedAt)
     values (@id, @requestId, @repo, @prNumber, @headSha, @baseSha, @threadId, @sourceThreadId,
       @finishedAt)`,
  )
  const newest = database.prepare<PullRequest, Round>(
    `${SELECT} where repo = @repo and prNumber = @number and headSha = @headSha and baseSha = @baseSha
     order by seq desc limit 1`,
  )
  const ofKey = database.prepare<[string], Round>(
    `${SELECT} where id = (select reviewId from reviewKeys where idempotencyKey = ?)`,
  )
  const addKey = database.prepare('insert or ignore into reviewKeys values (?, ?)')
  const running = database.prepare<[], Round>(`${SELECT} where finishedAt is null order by seq`)
  const runningIn = database.prepare<[string], Round>(
    `${SELECT} where threadId = ? and finishedAt is null`,
  )
  const setSource = database.prepare('update reviewRounds set sourceThreadId = ? where id = ?')
  const finish = database.prepare('update reviewRounds set finishedAt = ? where id = ?')
  return {
    insert: (round) => void insert.run(round),
    newest: (pullRequest) => newest.get(pullRequest),
    ofKey: (idempotencyKey) => ofKey.get(idempotencyKey),
    addKey: (idempotencyKey, reviewId) => void addKey.run(idempotencyKey, reviewId),
    running: () => running.all(),
    runningIn: (threadId) => runningIn.get(threadId),
    setSource: (id, sourceThreadId) => void setSource.run(sourceThreadId, id),
    finish: (id) => void finish.run(isoNow(clock), id),
  }
}

const SCHEMA = `
create table if not exists reviewRounds (
  seq integer primary key autoincrement, id text not null unique, requestId text not null,
  repo text not null, prNumber integer not null, headSha text not null, baseSha text not null,
  threadId text not null unique, sourceThreadId text, finishedAt text
) strict;
create index if not exists reviewRoundsOfCommits
  on reviewRounds (repo, prNumber, headSha, baseSha, seq);
create table if not exists reviewKeys (
  idempotencyKey text primary key, reviewId text not null references reviewRounds (id)
) strict, without rowid;
`
