import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {permits} from '../../src/app/features.ts'
import {COVERAGE} from '../contract/platform/coverage.ts'
import {FROM_SLACK} from './from-slack.ts'

const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'api-coverage.md'), 'utf8')

test('every endpoint says how people in Slack reach it, or why they do not', () => {
  const endpoints = COVERAGE.map(({method, path}) => `${method} ${path}`)
  expect(Object.keys(FROM_SLACK).toSorted()).toEqual(endpoints.toSorted())
})

test('whatever is said to reach an endpoint can be done', () => {
  const named = Object.values(FROM_SLACK).flatMap(({acts}) => acts)
  const unknown = named.filter((act) => permits[act] === undefined)
  expect(unknown).toEqual([])
})

test('docs/api-coverage.md says the same', () => {
  const rows = COVERAGE.map(({section, method, path, client}) => {
    const endpoint = `${method} ${path}`
    const own =
      typeof client === 'string'
        ? `\`${client}\``
        : 'function' in client
          ? `\`${client.function}\``
          : '–'
    return `| ${section} | \`${endpoint}\` | ${own} | ${FROM_SLACK[endpoint]?.words ?? ''} |`
  })
  expect(page.split('\n').filter((line) => /^\| [\d.]+ \|/.test(line))).toEqual(rows)
})
