import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {openSlack} from './slack-fixture.ts'

const root = join(import.meta.dirname, '../../..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const guide = read('docs/local-slack.md')

/** What the pattern captures in a text, once each. */
function captured(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))].sort()
}

test('the guide names every act of people and admins', async () => {
  const {slack} = await openSlack()
  expect(Object.keys(slack.people).filter((act) => !guide.includes(`\`${act}\``))).toEqual([])
})

test('the guide has a row for every flag, and no other', () => {
  const [, usage = ''] = /const USAGE =([^]*?)\n\n/.exec(read('local/slack/flags.ts')) ?? []
  const flags = captured(usage, /(--[a-z-]+)/g)
  expect(flags).toContain('--port')
  expect(captured(guide, /^\| `(--[a-z-]+)`/gm)).toEqual(flags)
})

test('the guide names every address of the control API', () => {
  const routes = captured(read('local/slack/control/routes.ts'), /'\/control(\/[a-z/-]+)'/g)
  expect(routes).toContain('/faults/storm')
  const named = (path: string): boolean => new RegExp(`${path}\\b`).test(guide)
  expect(routes.filter((path) => !named(path))).toEqual([])
})
