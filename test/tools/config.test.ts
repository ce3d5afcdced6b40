import {execFileSync, spawn} from 'node:child_process'
import {createHash} from 'node:crypto'
import {once} from 'node:events'
import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {Secret} from '../../src/security/secret.ts'
import type {Store} from '../../src/store/store.ts'
import {BARE_ENV} from '../support/bare-env.ts'
import {findCanaries} from '../support/canaries.ts'
import {temporaryFolder} from '../support/temporary-folder.ts'
import {editRaw} from '../support/raw-database.ts'
import {tool} from '../support/tool.ts'
import {keyNamed, sealedDatabase, settingsOf} from './sealed-database.ts'

const key = keyNamed('k1')
const MAIN = join(import.meta.dirname, '..', '..', 'src', 'tools', 'config.ts')
const BY = {user: 'U1', nowMs: 5, sinceMs: undefined}

/** Two keys, a hook and some settings. */
async function opened() {
  const {path, store, ids} = await sealedDatabase([key], 2)
  const [main = ''] = ids
  const hook = await store.hooks.add(
    {
      ...{requestId: 'r1', team: 'T1', channel: 'C1', name: 'Deploys', automationId: 'a1'},
      ...{
        url: new Secret('https://platform.example.com/in/canary-address-0123456789'),
        madeBy: 'U1',
      },
    },
    5,
  )
  const settings = {
    connectionId: main,
    projectId: 'prj_1',
    projectName: 'Web',
    modelId: 'slow',
    budgetPerWork: 5,
  }
  await store.bindings.replace({team: 'T1', channel: 'C1'}, settings, BY)
  await store.bindings.replace({team: 'T1', channel: ''}, {planFirst: true, modelId: ''}, BY)
  await store.watches.add(
    {team: 'T1', channel: 'C2', projectId: 'prj_1', connectionId: main, madeBy: 'U1'},
    5,
  )
  const folder = temporaryFolder()
  const env = settingsOf(path, key)
  return {
    ...{path, store, main, hook, env},
    file: (text: string): string => {
      const name = join(folder, 'bosun.yaml')
      writeFileSync(name, text)
      return name
    },
    config: (...args: string[]) => tool('config', args, env),
  }
}

async function auditOf({audit}: Store) {
  return audit.ofTeam('T1', {limit: 10})
}

describe('npm run config', () => {
  test('export says what is set, by names and without a secret', async () => {
    const {config, store, hook, env} = await opened()
    const {code, out, err} = await config('export')
    expect([code, err]).toEqual([0, ''])
    expect(out).toBe(`team: T1
workspace:
  model: null
  planFirst: true
channels:
  C1:
    settings:
      connection: c0/abcd
      project:
        id: prj_1
        name: Web
      model: slow
      budgetPerWork: 5
    hooks:
      - address: /hooks/${hook.id}
        on: true
        follows: false
  C2:
    watches:
      - project:
          id: prj_1
        connection: c0/abcd
`)
    const {secrets} = await store.hooks.secretsOf(hook.id)
    const canaries = {
      ...{first: 'pk_0_abcd', token: 'xoxb-1', address: secrets.url.reveal()},
      ...{
        secret: secrets.secret.reveal(),
        body: secrets.bodyKey.reveal(),
        seal: env['BOSUN_KEYS'] ?? '',
      },
    }
    expect(findCanaries(canaries, [{where: 'the export', bytes: out}])).toEqual([])
    expect((await config('export', '--workspace', 'T2')).out).toBe('team: T2\n')
    expect((await config('export', '--workspace', 'acme')).err).toContain('T012AB3CD')
  })

  test('plan tells the difference and ends with 2; apply makes it once, with one line in the audit', async () => {
    const {config, file, store, hook, main} = await opened()
    const text = (await config('export')).out
    expect(await config('plan', file(text), '--offline')).toMatchObject({
      code: 0,
      out: 'Nothing would change.\n',
    })
    const changed = file(
      text
        .replace('model: slow', 'model: fast\n      guests: true')
        .replace('      budgetPerWork: 5\n', '')
        .replace('on: true', 'on: false')
        .replace(
          / {4}watches:[^]*$/,
          `    digest: {every: monday, at: "09:30", zone: Europe/Berlin}
    rules:
      - {name: Errors, app: A012, does: ask, task: "Look at {text}", on: true}
models:
  - {connection: c0/abcd, name: fast, model: model-1, effort: low}
`,
        ),
    )
    const lines = `T1:
- C2 watch of prj_1: connection c0/abcd
~ C1 model: slow → fast
+ C1 guests: true
- C1 budgetPerWork: 5
~ C1 hook /hooks/${hook.id}, on: true → false
+ C2 digest: every monday, at 09:30, zone Europe/Berlin
+ C2 rule "Errors": on true, app A012, pattern "", does ask, task "Look at {text}", windowMinutes 60, perHour 5, perDay 20
+ workspace model fast of c0/abcd: model model-1, effort low
`
    const planned = await config('plan', changed, '--offline')
    expect(planned).toEqual({code: 2, err: '', out: `${lines}8 changes: apply makes them.\n`})
    expect(await auditOf(store)).toEqual([])

    const made = await config('apply', changed, '--offline')
    expect(made).toEqual({code: 0, err: '', out: `${lines}8 changes made.\n`})
    expect(await store.bindings.of('T1', 'C1')).toEqual({
      ...{
        connectionId: main,
        projectId: 'prj_1',
        projectName: 'Web',
        modelId: 'fast',
        guests: true,
      },
    })
    expect((await store.hooks.byId(hook.id))?.state).toBe('off')
    expect(await store.rules.appsIn({team: 'T1', channel: 'C2'})).toEqual(['A012'])
    expect(await store.watches.ofChannel('T1', 'C2')).toEqual([])
    expect(
      (await store.digests.ofTeam('T1')).map(({target, schedule}) => [target, schedule]),
    ).toEqual([['C2', {every: 'week', weekday: 1, minute: 570, zone: 'Europe/Berlin'}]])
    const entries = await auditOf(store)
    expect(entries).toMatchObject([
      {user: 'operator', act: 'config apply', outcome: 'done', channel: undefined},
    ])
    expect(entries[0]?.about).toMatch(/^8 changes, [0-9a-f]{12}$/)

    expect((await config('apply', changed, '--offline')).out).toBe('Nothing was to change.\n')
    expect(await auditOf(store)).toHaveLength(1)
    // What a form in Slack showed before is not saved over it.
    const late = await store.bindings.replace(
      {team: 'T1', channel: 'C1'},
      {},
      {...BY, nowMs: 9, sinceMs: 5},
    )
    expect(late).toEqual({outcome: 'stale', by: 'operator'})
  })

  test('what is wrong is told with its line, all of it, and nothing is changed', async () => {
    const {config, file} = await opened()
    const before = (await config('export')).out
    const wrong = file(`team: T1
workspce:
  model: x
channels:
  C1:
    settings:
      effrt: low
      startsPerPerson: 0
      allowed: {people: [jane]}
  general:
    settings: {}
  C2:
    digest: {every: noon, at: "09:10", zone: Europe/Berlin}
  C3:
    rules:
      - {name: x, app: A012, does: start, task: "{issue}", pattern: "("}
---
team: T1
`)
    const {code, err} = await config('apply', wrong, '--offline')
    expect(code).toBe(1)
    const lines = err
      .replaceAll(/^.*bosun\.yaml:/gm, '')
      .trimEnd()
      .split('\n')
    expect(lines).toEqual([
      '2: workspce is not known: did you mean workspace?',
      '7: channels.C1.settings.effrt is not known: did you mean effort?',
      '8: channels.C1.settings.startsPerPerson Too small: expected number to be >=1',
      '9: channels.C1.settings.allowed.people[1] must be the id of somebody, as U012AB3CD',
      '10: channels.general must be the id of a channel, as C012AB3CD',
      expect.stringMatching(/^13: channels.C2.digest.every expected one of "day"\|"workday"/),
      '13: channels.C2.digest.at must be a full or half hour, as "09:30"',
      '16: channels.C3.rules[1].pattern cannot be read: missing closing ): (',
    ])
    expect((await config('export')).out).toBe(before)
  })

  test('a file that comes through a pipe is known in the audit by what was in it', async () => {
    const {store, env, file} = await opened()
    const text = 'team: T1\nworkspace: {effort: high}\n'
    const apply = `cat "$FILE" | "$NODE" "$MAIN" apply /dev/stdin --offline`
    const names = {FILE: file(text), NODE: process.execPath, MAIN}
    execFileSync('/bin/sh', ['-c', apply], {env: {...BARE_ENV, ...env, ...names}})
    const [entry] = await auditOf(store)
    const mark = createHash('sha256').update(text).digest('hex').slice(0, 12)
    expect(entry?.about).toContain(mark)
  })

  test('what a file repeats by a name that nobody gave, or without end, is refused in words', async () => {
    const {config, file} = await opened()
    const many = (of: string): string => `[${Array(10).fill(`*${of}`).join()}]`
    const bomb = `team: T1\na: &a [x, x]\nb: &b ${many('a')}\nc: &c ${many('b')}\nd: ${many('c')}\n`
    const name = file(`# Ours\nteam: T1\nchannels: *ours\n`)
    expect((await config('plan', name)).err).toBe(
      `${name}:2: Unresolved alias (the anchor must be set before the alias): ours\n`,
    )
    expect((await config('plan', file(bomb))).err).toBe(
      `${name}:1: Excessive alias count indicates a resource exhaustion attack\n`,
    )
  })

  test('what it names and nobody has is refused in words', async () => {
    const {config, file, hook, path} = await opened()
    const named = file(`team: T1
channels:
  C1:
    settings: {connection: c0/abcf, project: Web}
    hooks:
      - {address: /hooks/0000, on: true, follows: true}
  C2:
    settings: {connection: c1/abcd, project: Wep}
    watches:
      - {project: {id: prj_1}}
      - {project: prj_1}
    hooks:
      - {address: /hooks/${hook.id}, on: true, follows: true}
models:
  - {connection: none, name: fast, model: x}
`)
    const {err} = await config('plan', named, '--offline')
    expect(err.replaceAll(/^.*bosun\.yaml:/gm, ''))
      .toBe(`4: channels.C1.settings.connection is no connection of this workspace: c0/abcf. Is it c0/abcd?
6: channels.C1.hooks[1].address is no hook of this channel: /hooks/0000. An admin makes one: /bosun hooks new
11: channels.C2.watches[2] is there twice
13: channels.C2.hooks[1].address is no hook of this channel: /hooks/${hook.id}. An admin makes one: /bosun hooks new
15: models[1].connection is no connection of this workspace: none. An admin makes one: /bosun connect
`)
    await editRaw(
      path,
      "insert into rooms (team, thread_id, link_id, origin, channel, made_at_ms) values ('T1', 't', 'l', 'C1', 'C7', 1)",
    )
    const room = file('team: T1\nchannels:\n  C7:\n    settings: {guests: true}\n')
    expect((await config('plan', room, '--offline')).err).toContain(
      ':4: channels.C7.settings are those of C1, from which this room was opened',
    )
    const project = file(
      'team: T1\nchannels:\n  C2:\n    settings: {connection: c1/abcd, project: Wep}\n',
    )
    expect((await config('plan', project, '--offline')).err).toContain(
      'bosun.yaml:4: channels.C2.settings.project is a name that nobody may be asked about: write {id: …, name: …}',
    )
    expect((await config('plan', file('# nothing'))).err).toContain('says nothing of any workspace')
    expect((await config('plan', file('team: T1\n  x: 1'))).err).toMatch(
      /bosun\.yaml:1: Nested mappings/,
    )
    expect((await config('plan', 'nowhere.yaml')).err).toContain('nowhere.yaml')
    expect((await config('turn')).err).toContain('export, plan FILE.yaml or apply FILE.yaml')
  })

  test('workspaces have a document each, and are changed together', async () => {
    const {config, file, store} = await opened()
    const all = file('team: T1\n---\nteam: T2\nchannels:\n  C9:\n    settings: {noise: quiet}\n')
    const {out} = await config('apply', all, '--offline')
    expect(out).toContain('T2:\n+ C9 noise: quiet\n')
    expect(await store.bindings.of('T1', 'C1')).toBeUndefined()
    expect(await store.bindings.of('T2', 'C9')).toEqual({noise: 'quiet'})
    const text = (await config('export')).out
    expect(text.split('---\n').map((one) => one.split('\n', 1)[0])).toEqual([
      'team: T1',
      'team: T2',
    ])
    expect(await store.audit.ofTeam('T2', {limit: 5})).toMatchObject([{act: 'config apply'}])
  })

  test('a bot that runs hears of it', async () => {
    const {config, file, store} = await opened()
    const heard: string[] = []
    store.notices.onHeard(({about}) => heard.push(about))
    await config('apply', file('team: T1\nworkspace: {guests: true}\n'), '--offline')
    await expect.poll(() => heard).toContain('settings')
  })
})

test('whenever it is killed, all of it is done or nothing', async () => {
  const {config, file, env, store} = await opened()
  const channels = Array.from(
    {length: 60},
    (_, index) => `  C9${index}:
    settings: {instructions: "about ${index}", startsPerPerson: 5}
    rules: [{name: x, app: A012, does: ask, task: look, on: true}]`,
  )
  const all = `team: T1\nchannels:\n${channels.join('\n')}\n`
  const none = 'team: T1\n'
  const path = file(all)
  const applyFor = async (ms: number): Promise<number> => {
    file(all)
    const startMs = performance.now()
    const environment = {...BARE_ENV, ...env}
    const child = spawn(process.execPath, [MAIN, 'apply', path, '--offline'], {
      env: environment,
      stdio: 'ignore',
    })
    const timer = setTimeout(() => child.kill('SIGKILL'), ms)
    await once(child, 'exit')
    clearTimeout(timer)
    return performance.now() - startMs
  }
  const wholeMs = await applyFor(60_000)
  const after = (await config('export')).out
  expect(after).toContain('C959')
  await config('apply', file(none), '--offline')
  const seen = new Set<string>()
  // The first is over before anything is read, however fast the machine has become.
  for (const part of [0.05, 0.5, 0.8, 0.9, 0.95]) {
    const {length} = await store.audit.ofTeam('T1', {limit: 100})
    await applyFor(wholeMs * part)
    const {out} = await config('export')
    const isAll = out === after
    seen.add(isAll ? 'all' : 'nothing')
    if (!isAll) expect(out).not.toContain('C9')
    expect(await store.audit.ofTeam('T1', {limit: 100})).toHaveLength(length + Number(isAll))
    if (isAll) await config('apply', file(none), '--offline')
  }
  expect(seen).toContain('nothing')
})
