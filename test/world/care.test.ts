import {chmodSync, existsSync, mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import Database from 'better-sqlite3'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {ACTIONS} from '../../src/slack/ids.ts'
import {texts} from '../../src/slack/texts.ts'
import {createHooks} from '../support/hooks.ts'
import {createModals} from '../support/modals.ts'
import {sessionTokenOf} from '../support/sessions.ts'
import {tool} from '../support/tool.ts'
import {FAULTLESS, verdict} from '../support/verdict.ts'
import {turnPage} from '../support/pages.ts'
import {buttonOf} from '../support/start-sight.ts'
import {JANE, KIM, type World} from '../support/world.ts'
import {startInside} from './open-world.ts'

const WEB = 'C0WEB'

let world: World
let folder = ''

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bosun-care-'))
  world = await startInside({pace: 0.2})
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  rmSync(folder, {recursive: true, force: true})
})

function tablesWithRows(): string[] {
  const database = new Database(join(world.folder, 'bosun.db'), {readonly: true})
  try {
    const names = database
      .prepare<[], {name: string}>("select name from sqlite_master where type = 'table'")
      .all()
      .map(({name}) => name)
      .filter((name) => !/^(kysely|sqlite)_/.test(name))
    return names.filter((name) => database.prepare(`select 1 from ${name} limit 1`).get())
  } finally {
    database.close()
  }
}

/** Types a command; the answer that only this person sees. */
async function ask(text: string, as: string) {
  const before = world.slack.ephemerals(WEB, as).length
  await world.slack.people.command({as, channel: WEB, command: '/bosun', text})
  return nextTo(as, before, `an answer to /bosun ${text}`)
}

function nextTo(as: string, before: number, what: string) {
  return world.until(what, () => world.slack.ephemerals(WEB, as)[before])
}

describe('the doctor', () => {
  test('says to admins how everything is, each line with its sign', async () => {
    const {text} = await ask('doctor', JANE)
    const lines = text.split('\n')
    expect(lines[0]).toMatch(/^\*Bosun’s health\* · (All is well\.|\d thing)/)
    for (const line of [
      /^✓ token: accepted by Slack, for .+/,
      /^✓ scopes: all \d+$/,
      /^✓ clock: same as Slack’s$/,
      /^✓ events: in the last two days: \d+ × command/,
      /^✓ sockets: (1 of 2|2) open, for /,
      /^✓ key of the environment: reaches \d+ projects$/,
      /^✓ streams: \d+ open$/,
      /^✓ writing: nothing is refused$/,
      /^✓ rates: /,
      /^✓ database: intact, /,
      /^✓ files: only the user that Bosun runs as can read them$/,
      /^✓ sealing keys: test seals, 0 values are sealed$/,
      /^✓ version: Bosun \d+\.\d+\.\d+, Node 24\./,
    ]) {
      expect(lines.filter((said) => line.test(said))).toHaveLength(1)
    }
    expect((await ask('doctor', KIM)).text).toContain('Only admins of this workspace')
  })

  test('on the command line it asks the running bot, and Slack and the platform by itself', async () => {
    const {code, out, err} = await tool('doctor', [], world.settings())
    expect(err).toBe('')
    expect(out).toContain('· bot: runs; with PORT=0 nobody knows where to ask it')
    expect(out).toContain('✓ token: accepted by Slack')
    expect(out).toContain('✓ key of the environment: reaches')
    expect(out).toContain('✓ database: intact')
    expect(code).toBe(/^✗/m.test(out) ? 1 : 0)
    const secrets = ['PLATFORM_API_KEY', 'SLACK_BOT_TOKEN', 'BOSUN_KEYS']
    for (const name of secrets) expect(out).not.toContain(world.settings()[name])

    const PORT = /port (\d+)/.exec(world.bot.output())?.[1] ?? ''
    const asked = await tool('doctor', [], {...world.settings(), PORT})
    expect(asked.out).toContain(
      `✓ bot: ${texts.doctor.bot.well(`http://127.0.0.1:${PORT}/healthz`)}`,
    )

    const path = join(world.folder, 'bosun.db')
    chmodSync(path, 0o644)
    const wide = `✗ files: others on this machine can read ${path}. As their owner: chmod 600 ${path}`
    expect((await tool('doctor', [], world.settings())).out).toContain(`${wide}\n`)
    expect((await ask('doctor', JANE)).text).toContain(wide)
    chmodSync(path, 0o600)

    const wrong = {SLACK_BOT_TOKEN: 'xoxb-wrong', PLATFORM_API_KEY: 'wrong'}
    const ill = await tool('doctor', [], {...world.settings(), ...wrong})
    expect(ill.code).toBe(1)
    expect(ill.out).toContain('✗ token: rejected by Slack (invalid_auth). Install the app again')
    expect(ill.out).toContain('✗ key of the environment: the agent platform refuses it. Replace')
  })
})

describe('the audit', () => {
  test('tells admins who did what, page by page, and comes as a file', async () => {
    expect((await ask('audit', KIM)).text).toContain('Only admins of this workspace')
    for (let index = 0; index < 18; index += 1) await ask('help', KIM)
    const first = await ask('audit', JANE)
    expect(first.text).toMatch(/^\*Who did what with Bosun\*\n/)
    expect(first.text).toContain(`<@${KIM}> typed \`/bosun help\` · in <#${WEB}>`)
    expect(first.text.split('\n')).toHaveLength(16)

    const press = (actionId: string, ts: string) =>
      world.slack.people.press({as: JANE, channel: WEB, ts, actionId})
    const page = {as: JANE, channel: WEB, ts: first.ts}
    const second = await turnPage(world, page, ACTIONS.auditMore)
    expect(second.text).toMatch(new RegExp(`<@${KIM}> typed .+ · ⛔️ refused`))

    const back = buttonOf(second.blocks, 'Back to the start')
    expect((await turnPage(world, page, back)).text).toContain('pressed *audit more*')

    await press(ACTIONS.auditExport, first.ts)
    const file = await world.until('the file', () =>
      world.slack.messages('D0JANE').findLast(({fileIds}) => (fileIds?.length ?? 0) > 0),
    )
    const csv = world.slack.fileText(file.fileIds?.[0] ?? '') ?? ''
    const lines = csv.split('\r\n')
    expect(lines[0]).toBe('time,workspace,channel,user,act,about,outcome')
    expect(csv).toContain(`,${world.slack.teamId},${WEB},${KIM},/bosun audit,,refused\r\n`)
    expect(lines.length).toBeGreaterThan(20)

    const printed = await tool('audit', ['--workspace', world.slack.teamId], world.settings())
    expect(printed.out).toContain(lines.slice(1).join('\r\n'))
    const none = ['--workspace', world.slack.teamId, '--to', '2020-01-01']
    const empty = await tool('audit', none, world.settings())
    expect(empty.out).toBe(`${lines[0] ?? ''}\r\n`)
    const wrong = await tool('audit', ['--workspace', 'acme'], world.settings())
    expect(wrong).toMatchObject({code: 1, out: ''})
  })
})

describe('while the bot works', () => {
  test('it is backed up, and somebody is forgotten', async () => {
    const place = await world.say('@Bosun a quick check of the taxes', {as: KIM})
    await world.settled(place)
    const file = join(folder, 'backup.db')
    expect(await tool('backup', [file], world.settings())).toMatchObject({code: 0, err: ''})
    expect(existsSync(file)).toBe(true)

    const who = ['--user', KIM, '--workspace', world.slack.teamId]
    const looked = await tool('forget', who, world.settings())
    expect(looked.out).toContain('pieces of work that they asked for or stopped')
    expect(looked.out).toContain('Nothing was deleted yet: --yes does it.')
    const done = await tool('forget', [...who, '--yes'], world.settings())
    expect(done).toMatchObject({code: 0, err: ''})
    expect(done.out).toContain(`${KIM} is forgotten`)
    expect((await tool('forget', who, world.settings())).out).toContain('Nothing is known of')
    expect((await ask('audit', JANE)).text).toContain('somebody who was forgotten typed')

    const team = ['--workspace', world.slack.teamId, '--yes']
    const refused = await tool('forget', team, world.settings())
    expect(refused).toMatchObject({code: 1, out: ''})
    expect(refused.err).toContain('Another bot is running')

    await world.reply(place, 'and a quick check of the cart')
    await world.settled(place)
    expect(verdict(world, place)).toEqual(FAULTLESS)
  })
})

test('of a workspace that is forgotten on the command line no row is left that names anything of it', async () => {
  const at = createModals(world)
  const hooks = createHooks(world, at)
  const {path, secret} = await hooks.make(WEB, 'Gone', await hooks.automation('Gone'))
  await ask('folders add folder_audits Audits', JANE)
  const place = await world.say('@Bosun a quick check of the prices')
  await world.settled(place)
  const thread = world.threadIn(place)?.id ?? ''
  const post = (to: string, bearer: string, body: object) =>
    hooks.post(to, JSON.stringify(body), {
      ...{'content-type': 'application/json', authorization: `Bearer ${bearer}`},
    })
  expect((await post(path, secret, {n: 1})).status).toBe(202)
  const token = await sessionTokenOf(world, thread)
  expect((await post('/agent/posts', token, {thread, text: 'Built'})).status).toBe(200)
  await hooks.receipts(WEB, 1)
  const team = ['--workspace', world.slack.teamId]
  const filled = ['links', 'hooks', 'deliveries', 'folders', 'agent_posts', 'audit']
  expect(tablesWithRows()).toEqual(expect.arrayContaining(filled))
  await world.bot.stop()
  const looked = await tool('forget', team, world.settings())
  for (const name of filled) expect(looked.out).toMatch(new RegExp(`^ +\\d+  ${name}$`, 'm'))
  const done = await tool('forget', [...team, '--yes'], world.settings())
  expect(done).toMatchObject({code: 0, err: ''})
  expect(done.out).toContain(`${world.slack.teamId} is forgotten.`)
  // What a sealing key is checked with is nobody's, nor is which versions may work with the tables. Hashes tell others alone what they may not show.
  expect(tablesWithRows().toSorted()).toEqual(['private_threads', 'schema_compat', 'seals'])
  expect((await tool('forget', team, world.settings())).out).toContain('Nothing is known of')
})
