import {execFile} from 'node:child_process'
import {writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {expect, test} from 'vitest'
import {BARE_ENV} from '../support/bare-env.ts'
import {tool} from '../support/tool.ts'
import {Secret} from '../../src/security/secret.ts'
import {keyNamed, sealedDatabase, settingsOf} from './sealed-database.ts'

const key = keyNamed('k1')
const TOOLS = join(import.meta.dirname, '..', '..', 'src', 'tools')

/** Runs a line of a shell in which `$KEYS` is a tool. */
function shell(line: string): Promise<{code: unknown; err: string}> {
  const env = {...BARE_ENV, KEYS: `${process.execPath} ${join(TOOLS, 'keys.ts')}`}
  return new Promise((resolve) => {
    execFile('/bin/sh', ['-c', line], {env}, (error, _out, err) =>
      resolve({code: error?.code ?? 0, err}),
    )
  })
}

test('whoever reads no further ends nothing that is being done', async () => {
  const {path} = await sealedDatabase([key], 1)
  const settings = settingsOf(path, key)
  const args = ['--user', 'U1', '--yes']
  await tool('forget', args, settings, (child) => void child.stdout?.destroy())
  expect((await tool('forget', ['--user', 'U1'], settings)).out).toBe('Nothing is known of U1.\n')
})

test('what could not be said, since the disk was full, is no success', async () => {
  expect(await shell('$KEYS make > /dev/full')).toEqual({
    code: 1,
    err: 'What it says could not be written (ENOSPC).\n',
  })
  expect(await shell('$KEYS make | true')).toEqual({code: 0, err: ''})
})

test('an argument that nobody asks for, or an option that is there twice, is refused', async () => {
  const {path} = await sealedDatabase([key], 1)
  const settings = settingsOf(path, key)
  const many = 'There is an argument too many.'
  for (const [name, args, words] of [
    ['forget', ['--user', 'U1', 'T1', '--yes'], many],
    ['forget', ['--user', 'U1', '--user', 'U2', '--yes'], '--user is there twice.'],
    ['audit', ['--workspace', 'T1', '2026-01-01'], many],
    ['backup', ['a.db', 'b.db'], many],
  ] as const) {
    expect([name, await tool(name, args, settings)]).toEqual([
      name,
      {code: 1, out: '', err: `${words} --help tells what there is.\n`},
    ])
  }
  const {code, out, err} = await tool('keys', ['make', 'k2'], settings)
  expect({code, out}).toEqual({code: 1, out: ''})
  expect(err).toContain('Only drop takes an ID')
})

test('what people wrote moves no cursor, makes no line and turns nothing around', async () => {
  const {path, store} = await sealedDatabase([key], 0)
  const label = 'Main\u001b[2J\u202E\n✓ database'
  const made = {team: 'T1', label, key: new Secret('pk_1_abcd'), madeBy: 'U1'}
  const {id} = await store.connections.add(made, 0)
  const settings = settingsOf(path, key)
  const SLACK_API_URL = 'http://127.0.0.1:9/'
  const doctor = await tool('doctor', [], {
    ...{...settings, SLACK_API_URL, PLATFORM_BASE_URL: `${SLACK_API_URL}api/v1`},
    ...{SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1'},
  })
  expect(doctor.out).toContain('Main\ufffd[2J\ufffd\ufffd✓ database')

  const file = join(dirname(path), 'wanted.yaml')
  const models = `[{connection: ${id}, name: fast, model: m}, {connection: "Main[2J✓ database", name: a, model: m}]`
  writeFileSync(file, `team: T1\nmodels: ${models}\n`)
  const refused = await tool('config', ['plan', file, '--offline'], settings)
  expect(refused.err).toContain('Main\ufffd[2J')
  writeFileSync(file, `team: T1\nmodels: [{connection: ${id}, name: fast, model: m}]\n`)
  const planned = await tool('config', ['plan', file, '--offline'], settings)
  expect(planned.out).toContain('model fast of Main\ufffd[2J')
  for (const {out, err} of [doctor, refused, planned])
    expect(out + err).not.toMatch(/[\u001b\u202E]/)
})

test('the audit takes days that there are, in their order, and times with their zone', async () => {
  const {path} = await sealedDatabase([key], 0)
  const audit = (...range: string[]) =>
    tool('audit', ['--workspace', 'T1', ...range], settingsOf(path, key))
  const [none, local, turned, right] = await Promise.all([
    audit('--from', '2026-02-31'),
    audit('--to', '2026-02-01T10:00'),
    audit('--from', '2026-02-01', '--to', '2026-02-01'),
    audit('--from', '2026-02-01', '--to', '2026-02-01T10:00:00.000Z'),
  ])
  expect(none.err).toBe('--from must be a day such as 2026-01-31.\n')
  expect(local.err).toBe('--to must be a day such as 2026-01-31.\n')
  expect(turned.err).toBe('--to must come after --from: it is the day behind the last one.\n')
  expect([none, local, turned, right].map(({code}) => code)).toEqual([1, 1, 1, 0])
})
