import {ESLint} from 'eslint'
import {expect, test, vi} from 'vitest'
import {root} from './source-tree.ts'

vi.setConfig({testTimeout: 120_000}) // the first call reads the types of the whole project

// The repository's own configuration; only its `ignores`, which keep the fixtures out of the gate, are off.
const eslint = new ESLint({cwd: root, ignore: false})

async function brokenRules(fixture: string): Promise<(string | null)[]> {
  const results = await eslint.lintFiles([`test/gate/fixtures/${fixture}`])
  return results.flatMap(({messages}) => messages.map(({ruleId}) => ruleId))
}

test('a call to Slack that nobody awaits fails the lint', async () => {
  expect(await brokenRules('floating.ts')).toEqual(['@typescript-eslint/no-floating-promises'])
})

test('an awaited call to Slack passes the lint', async () => {
  expect(await brokenRules('awaited.ts')).toEqual([])
})
