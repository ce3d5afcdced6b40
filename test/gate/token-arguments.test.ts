import {readFileSync} from 'node:fs'
import {execFileSync} from 'node:child_process'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {root} from './source-tree.ts'

/** Everybody on a machine reads the arguments of its processes: what puts a secret there. */
const WAYS = [
  /(?:-H|--header)[ =]+["'][^"']*(?:authorization|token|secret)[^"']*\$/i,
  /(?:-H|--header)[ =]+["']?authorization:/i,
  /-hmac\b|-macopt\b/,
  /(?:^|\s)(?:-u|--user|--oauth2-bearer)[ =]+\S*\$/,
  /--(?:token|secret|password|api-key)[ =]+\S/i,
]

/** Lines that do. */
function given(text: string): string[] {
  const joined = text.replaceAll(/\\\n\s*/g, ' ')
  return joined.split('\n').filter((line) => WAYS.some((way) => way.test(line)))
}

test('no example or document puts a secret into the arguments of a process', () => {
  const names = execFileSync('git', ['ls-files', '-z'], {cwd: root, encoding: 'utf8'}).split('\0')
  const read = names.filter((name) => /\.(?:md|yml|sh|example)$|Dockerfile$/.test(name))
  expect(read).toContain('docs/hooks.md')
  const found = read.flatMap((name) =>
    given(readFileSync(join(root, name), 'utf8')).map((line) => `${name}: ${line}`),
  )
  expect(found).toEqual([])
})

test.each([
  'curl x -H "Authorization: Bearer $SECRET"',
  'curl x \\\n  -H "authorization: Bearer $(cat token)"',
  'printf x | openssl dgst -sha256 -hmac "$SECRET"',
  'curl -u "me:$TOKEN" x',
])('finds %j', (line) => {
  expect(given(line)).toHaveLength(1)
})
