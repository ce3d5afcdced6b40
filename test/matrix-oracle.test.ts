import {readFileSync, readdirSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {permits} from '../src/app/features.ts'
import {ACTS, type Who} from './support/matrix-oracle/acts.ts'
import {subjectOf} from './support/matrix-deeds.ts'

const ORACLE = join(import.meta.dirname, 'support', 'matrix-oracle')

test('what judges the product knows nothing of it', () => {
  const files = readdirSync(ORACLE)
  expect(files.length).toBeGreaterThan(3)
  for (const file of files) {
    const text = readFileSync(join(ORACLE, file), 'utf8')
    const from = [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, path]) => path)
    for (const path of from) expect(path, file).toMatch(/^\.\/[\w-]+\.ts$/)
  }
})

test('everything that can be done is judged, once', () => {
  const events = ACTS.map(({event}) => event)
  expect(new Set(events).size).toBe(events.length)
  expect([...events].sort()).toEqual(Object.keys(permits).sort())
  for (const event of events) expect(() => subjectOf(event)).not.toThrow()
})

/** Words behind a command that decide who may, with what is judged of them when they are sent off. */
const NEW: Readonly<Record<string, string>> = {
  '/bosun automations new': 'form bosun:automation',
  '/bosun hooks new': 'form bosun:hook',
}

test('every command of the documents is judged as they say', () => {
  const text = readFileSync(join(import.meta.dirname, '..', 'docs', 'commands.md'), 'utf8')
  const rows = [...text.matchAll(/^\| `(\/[^`]*)` \| (\w+) \|/gm)].map(([, said = '', who]) => ({
    said,
    who: who as Who,
  }))
  expect(rows.length).toBeGreaterThan(25)
  const judged = new Set<string>()
  for (const {said, who} of rows) {
    const event = NEW[said]
    const named = ACTS.filter(({name}) => said === name || said.startsWith(`${name} `))
    const act =
      event === undefined
        ? named.sort((one, other) => other.name.length - one.name.length)[0]
        : ACTS.find((one) => one.event === event)
    expect(act, said).toBeDefined()
    expect([said, act?.who]).toEqual([said, who])
    judged.add(act?.name ?? '')
  }
  const commands = ACTS.filter(({event}) => event.startsWith('/')).map(({name}) => name)
  expect(commands.filter((name) => !judged.has(name))).toEqual([])
})
