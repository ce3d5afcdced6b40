import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
import {expect, test} from 'vitest'
import {readConfig} from '../../src/config/config.ts'
import {openStore} from '../../src/store/store.ts'
import {tool} from '../support/tool.ts'
import {startMany} from '../support/many.ts'
import {until} from '../support/until.ts'
import {JANE, type World} from '../support/world.ts'
import {openWorld} from './open-world.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const PRELOAD = pathToFileURL(join(import.meta.dirname, '..', 'support', 'wrong-clock.ts')).href

test('a clock that is 500 days ahead erases nothing, and is told of; one that is right does', async (context) => {
  const settings: Record<string, string> = {BOSUN_RETENTION_DAYS: '30'}
  const world = await openWorld(context, {apart: true, settings})
  const place = await world.say('<@U0BOSUN> a quick check')
  await world.settled(place)
  const kept = await rowsOf(world)
  const old = await addOld(world)
  const all = await rowsOf(world)
  expect(all).not.toEqual(kept)

  const startWith = async (shiftMs: number): Promise<void> => {
    Object.assign(settings, {
      NODE_OPTIONS: `--import=${PRELOAD}`,
      SHIFT_MS: String(shiftMs),
      PORT: '0',
    })
    await world.startBot()
  }
  const saysNothingGoes = async (words: RegExp): Promise<void> => {
    const from = world.bot.output().length
    await world.until('it wants to delete', () =>
      world.bot.output().slice(from).includes('Nothing is deleted by its age'),
    )
    const {status, clock} = await health(world)
    expect([status, words.test(String(clock))]).toEqual([503, true])
    await world.slack.people.command({
      ...{as: JANE, channel: 'C0WEB', command: '/bosun', text: 'doctor'},
    })
    await world.until('the doctor says so', () =>
      world.slack.whispers().some(({text}) => /✗ \*?retention/.test(text) && words.test(text)),
    )
    await world.bot.stop()
  }

  await startWith(500 * DAY_MS)
  await saysNothingGoes(/nothing is deleted: this machine’s clock is 500 days ahead of Slack’s/)
  expect(missing(await rowsOf(world), all)).toEqual([])

  const doctorSays = async (words: RegExp): Promise<void> => {
    const {code, out} = await tool('doctor', [], world.settings())
    expect(code).toBe(1)
    expect(out).toMatch(words)
  }
  await doctorSays(/✗ retention: nothing is deleted: .* 500 days ahead of the agent platform’s/)
  settings['SHIFT_MS'] = '0'
  // The newest row is the wrong clock's.
  await doctorSays(/✗ retention: nothing is deleted: .* 500 days behind what was written/)
  await world.startBot()
  // What people do now is written down by the right clock.
  await world.settled(await world.say('<@U0BOSUN> a quick check'))
  await world.bot.stop()
  await startWith(0)
  await world.until('old work is forgotten', () =>
    world.bot.output().includes('Finished work was forgotten'),
  )
  expect(await health(world)).toMatchObject({status: 200, clock: 'ok'})
  await world.bot.stop()
  const left = await rowsOf(world)
  expect(missing(left, kept)).toEqual([])
  for (const row of old) expect(left).not.toContain(row)

  await startWith(-3 * HOUR_MS)
  await saysNothingGoes(/clock is 3 h behind/)
})

test('a clock that is 7 minutes ahead refuses what Slack signs: no balancer sends it anything', async () => {
  const settings = {NODE_OPTIONS: `--import=${PRELOAD}`, SHIFT_MS: '420000'}
  await using many = await startMany({teams: ['T0BETA'], settings})
  const ready = async () => {
    const answer = await fetch(`${many.origin}/readyz`)
    return {...((await answer.json()) as {deliveries: string}), code: answer.status}
  }
  // Nobody has installed it: there is nothing else to ask Slack.
  expect(await ready()).toMatchObject({deliveries: 'ok'})
  const heard = async () => ((await ready()).deliveries === 'ok' ? undefined : ready())
  const said = await until('it has heard what time it is', heard)
  expect(said.code).toBe(503)
  expect(said.deliveries).toMatch(/^all are refused: this machine’s clock is 7 minutes ahead/)
})

interface Health {
  status: number
  [name: string]: unknown
}

async function health(world: World): Promise<Health> {
  const port = world.bot
    .output()
    .match(/port (\d+)/g)
    ?.at(-1)
  const answer = await fetch(`http://127.0.0.1:${port?.slice(5)}/healthz`)
  return {...((await answer.json()) as object), status: answer.status}
}

const TABLES = ['links', 'posts', 'inbox', 'audit', 'starts'] as const

/** Each row by its table and name. */
async function rowsOf(world: World): Promise<string[]> {
  const {default: Database} = await import('better-sqlite3')
  if (world.bot.isRunning()) await world.bot.stop()
  const database = new Database(join(world.folder, 'bosun.db'), {readonly: true})
  try {
    return TABLES.flatMap((table) =>
      database
        .prepare<[], {id: string}>(
          `select ${table === 'posts' ? "link_id || ' ' || key" : 'id'} as id from ${table}`,
        )
        .all()
        .map(({id}) => `${table} ${id}`),
    )
  } finally {
    database.close()
  }
}

function missing(rows: readonly string[], wanted: readonly string[]): string[] {
  return wanted.filter((row) => !rows.includes(row))
}

/** Work, a question and an audit row that have served their time. */
async function addOld(world: World): Promise<string[]> {
  const {sealingKeys} = readConfig(world.settings())
  const before = await rowsOf(world)
  {
    await using store = await openStore({path: join(world.folder, 'bosun.db'), sealingKeys})
    const atMs = Date.now() - 60 * DAY_MS
    const {teamId: team} = world.slack
    const place = {team, channel: 'C0WEB', slackThread: '1.2'}
    const made = {place, requestId: 'old', projectId: 'p', startedBy: JANE}
    const {id} = await store.links.open(made, atMs)
    await store.links.change(id, {state: 'ended', statusSinceMs: atMs})
    await store.starts.open({requestId: 'old', team, user: JANE, request: {}}, atMs)
    await store.audit.add({
      ...{team, user: JANE, channel: 'C0WEB', act: 'message', about: undefined},
      ...{outcome: 'done', atMs: Date.now() - 401 * DAY_MS},
    })
  }
  return missing(before, await rowsOf(world))
}
