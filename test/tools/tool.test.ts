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
