import {spawnSync} from 'node:child_process'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {root} from './source-tree.ts'

/** By the repository's own configuration; only the fixtures, which `npm run lint` leaves out, are looked at. */
function brokenRules(fixture: string): string[] {
  const args = ['--type-aware', '--format=json', `test/gate/fixtures/${fixture}`]
  const {stdout} = spawnSync(join(root, 'node_modules/.bin/oxlint'), args, {cwd: root})
  const {diagnostics} = JSON.parse(stdout.toString()) as {diagnostics: {code: string}[]}
  return diagnostics.map(({code}) => code)
}

test('a call to Slack that nobody awaits fails the lint', () => {
  expect(brokenRules('floating.ts')).toEqual(['typescript(no-floating-promises)'])
})

test('an awaited call to Slack passes the lint', () => {
  expect(brokenRules('awaited.ts')).toEqual([])
})
