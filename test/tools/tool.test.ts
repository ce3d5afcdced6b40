import {execFile} from 'node:child_process'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {BARE_ENV} from '../support/bare-env.ts'
import {tool} from '../support/tool.ts'
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
