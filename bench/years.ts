import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {monitorEventLoopDelay} from 'node:perf_hooks'
import {setTimeout as delay} from 'node:timers/promises'
import {parseArgs} from 'node:util'
import Database from 'better-sqlite3'
import {forgetOld} from '../src/inbox/retention.ts'
import {type Store, openStore} from '../src/store/store.ts'
import {SILENT_LOG} from '../test/support/silent-log.ts'
import {atMost, endWith} from './lines.ts'

/**
 * What a file of a workspace costs that has been at work for years: each question that people, watches, digests and starts ask again and
 * again, and what deletes old rows once a day. A file is read in the one thread that everybody waits for.
 */

const {values: options} = parseArgs({
  options: {links: {type: 'string', default: '1000000'}, rounds: {type: 'string', default: '9'}},
})
const LINKS = Number(options.links)
const ROUNDS = Number(options.rounds)

/** Half of what a person sees at once; everybody else waits for so long, too. */
const MAX_MS = 50
/** Of all that is deleted in a night the longest step. */
const MAX_HOLD_MS = 200
const [CHANNELS, PEOPLE, DAYS] = [1000, 5000, 1500]
const DAY_MS = 86_400_000
const NOW_MS = Date.now()
/** Of what lies ever longer ago as `i` falls. */
const AT_MS = `(${NOW_MS} - (${LINKS} - i) * ${Math.floor((DAYS * DAY_MS) / LINKS)})`
const team = 'T1'

await main()

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bosun-years-'))
  try {
    const path = join(folder, 'bosun.db')
    await (await openStore({path, sealingKeys: []}))[Symbol.asyncDispose]()
    fill(path)
    await using store = await openStore({path, sealingKeys: []})
    console.log(`${LINKS} pieces of work in ${DAYS} days, ${CHANNELS} channels`)
    let slowest = 0
    for (const [name, ask] of questions(store)) {
      const times: number[] = []
      for (let round = 0; round < ROUNDS; round += 1) {
        const startMs = performance.now()
        await ask(round)
        times.push(performance.now() - startMs)
      }
      const middle = times.toSorted((one, other) => one - other)[Math.floor(ROUNDS / 2)] ?? NaN
      slowest = Math.max(slowest, middle)
      console.log(name.padEnd(44), `${middle.toFixed(1)} ms`.padStart(10))
    }
    const holdMs = await longestHold(() => forget(store))
    endWith([
      atMost('the slowest question', slowest, MAX_MS, 'ms'),
      atMost('the longest step of a night', holdMs, MAX_HOLD_MS, 'ms'),
    ])
  } finally {
    rmSync(folder, {recursive: true, force: true})
  }
}

function fill(path: string): void {
  const database = new Database(path)
  const each = (count: number, insert: string): void => {
    database.exec(
      `insert into ${insert} from (with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count}) select i from n)`,
    )
  }
  database.exec('pragma synchronous = off; begin')
  const channel = `'C' || (i % ${CHANNELS})`
  const user = `'U' || (i % ${PEOPLE})`
  // One in fifty is at work, one in five hundred is a captain's, one in a hundred a rule's.
  each(
    LINKS,
    `links (id, team, channel, slack_thread, state, request_id, project_id, thread_id, title, started_by, status,
      status_since_ms, created_at_ms, ask, marks, connection_id, face, rule)
    select 'l' || i, '${team}', ${channel}, i, case when i > ${LINKS} - 400 then 'open' else 'archived' end, 'r' || i, 'p', 't' || i,
      'Fix what is broken, number ' || i, ${user}, 'idle', ${AT_MS}, ${AT_MS}, json_object('message', 'Please look at it ' || i),
      '[{"name":"white_check_mark","isIntended":false}]', 'k', case when i % 500 = 0 then '{"name":"Ada"}' end,
      case when i % 100 = 0 then '{"id":"x"}' end`,
  )
  each(
    LINKS,
    `spendings (team, thread_id, day, channel, "user", micros, risen_at_ms)
    select '${team}', 't' || i, '2026-01-01', ${channel}, ${user}, 5, ${AT_MS}`,
  )
  each(
    LINKS,
    `audit (team, channel, "user", act, about, outcome, at_ms)
    select '${team}', ${channel}, ${user}, 'stop', 'l' || i, 'done', ${AT_MS}`,
  )
  each(
    LINKS / 2,
    `named_pull_requests (link_id, key, team, version, heeded, shown)
    select 'l' || (2 * i), 'github.com/acme/web#' || i, '${team}', 0, 0, 0`,
  )
  each(
    LINKS / 2,
    `pull_requests (hook_id, key, team, repo, head, facts, changed_at_ms)
    select 'h', 'github.com/acme/web#' || i, '${team}', 'github.com/acme/web', 'c' || i,
      json_object('mergedAtMs', ${AT_MS}, 'mergeHeardMs', ${AT_MS}), ${AT_MS} - ${DAYS / 2} * ${DAY_MS}`,
  )
  each(
    LINKS / 20,
    `budget_notes (id, team, link_id, kind, budget, period, thread_id, "user", channel, limit_micros, more_micros, loud, state, round, made_at_ms, changed_at_ms)
    select 'b' || i, '${team}', 'l' || i, 'near', 'budgetPerWork', '', 't' || i, '', '', 1, 0, 0, 'told', 0, ${AT_MS}, ${AT_MS}`,
  )
  // A third of it has a head; as many receipts, most of them of one hook.
  each(
    LINKS / 3,
    `announcements (id, team, channel, thread_id, status, words, state, ts, made_at_ms)
    select 'a' || i, '${team}', ${channel}, '', null, '{}', 'placed', i, ${AT_MS}`,
  )
  each(
    LINKS / 3,
    `announcements (id, team, channel, thread_id, status, words, state, ts, made_at_ms)
    select 'd' || i, '${team}', 'C7', '', 'hook-receipt', '{}', 'over', i, ${AT_MS}`,
  )
  database.exec('commit')
  database.close()
}

type Question = [name: string, ask: (round: number) => Promise<unknown>]

function questions(store: Store): Question[] {
  const {lists, marks, pullRequests, alerts, budgetNotes, audit, announcements, links} = store
  const page = {limit: 10, from: undefined}
  const channelOf = (round: number) => ({team, channel: `C${round * 17}`})
  const running = {statuses: ['active'], unneeded: []}
  const key = (round: number) => `github.com/acme/web#${round * 31 + 5}` as const
  const subject = {threadId: 't9', user: '', channel: ''}
  const period = {team, budget: 'budgetPerWork', period: '', subject} as const
  const entry = {team, channel: 'C1', user: 'U1', act: 'fix checks', outcome: 'done'} as const
  const digest = {sinceMs: NOW_MS - DAY_MS, untilMs: NOW_MS}
  return [
    ['what runs in a channel', (round) => lists.inChannel(channelOf(round), running, page)],
    ['what somebody began', (round) => lists.ofStarter({team, user: `U${round}`}, page)],
    ['what somebody began who never did', () => lists.ofStarter({team, user: 'U-none'}, page)],
    ['captains', () => lists.captains({team, connectionId: 'k'})],
    ['/bosun find', (round) => lists.toSearch({...channelOf(round), user: 'U-none'}, page)],
    [
      'a preview of a pull request',
      (round) => lists.namersIn({...channelOf(round), key: key(round)}),
    ],
    ['what shows some threads', () => lists.ofThreads({team, threadIds: ['t1', 't2', 't3']})],
    ['a captain at home', (round) => links.homeOf(channelOf(round))],
    ['what rules have begun', () => alerts.works(team)],
    ['what was merged, for a digest', (round) => pullRequests.mergedIn(channelOf(round), digest)],
    ['what a budget was told', () => budgetNotes.raised(period)],
    [
      'a fix by itself',
      (round) => audit.addOnce({...entry, about: `${round}`, atMs: NOW_MS}, NOW_MS - 2 * DAY_MS),
    ],
    ['what is due', () => announcements.due(team, NOW_MS)],
    [
      'marks that a start settles',
      () => marks.unsettled(team, ['white_check_mark'], {sinceMs: NOW_MS - 30 * DAY_MS, most: 500}),
    ],
    ['what a start serves', () => links.live([team], NOW_MS)],
  ]
}

/** Everything that a night deletes, of work that is kept for most of this time. */
async function forget({retention}: Store): Promise<void> {
  const links = retention.forgetLinks(NOW_MS - (DAYS - 10) * DAY_MS, async () => false)
  const forgotten = (await Array.fromAsync(links)).flat().length
  console.log(`${forgotten} pieces of work are forgotten`)
  await forgetOld(
    {
      ...{retention, days: 0, log: SILENT_LOG, onForgotten: async () => undefined},
      clock: {trouble: async () => Promise.resolve(undefined)},
      isClosed: async () => false,
    },
    new AbortController().signal,
  )
}

async function longestHold(act: () => Promise<void>): Promise<number> {
  const loop = monitorEventLoopDelay({resolution: 5})
  loop.enable()
  const startMs = performance.now()
  await act()
  await delay(20)
  loop.disable()
  console.log(`a night took ${((performance.now() - startMs) / 1000).toFixed(1)} s`)
  return loop.max / 1e6
}
