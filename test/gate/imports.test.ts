import {describe, expect, test} from 'vitest'
import {type SourceFile, circles, plan, folders, wrongArrows} from './arrows.ts'
import {parseSource, readSourceTree} from './source-tree.ts'

const file = (path: string, ...imports: string[]): SourceFile => ({path, imports, packages: []})

describe('the tree', () => {
  const tree = readSourceTree(['src', 'local', 'migrations', 'bench', 'test'])

  test('is read at all', () => {
    expect(tree.map(({path}) => path)).toContain('test/gate/imports.test.ts')
  })

  test('has no arrow that the plan does not name', () => {
    expect(wrongArrows(tree, plan)).toEqual([])
  })

  test('has no circle', () => {
    expect(circles(tree)).toEqual([])
  })

  test('has no circle of folders in the bot', () => {
    expect(circles(folders(tree.filter(({path}) => path.startsWith('src/'))))).toEqual([])
  })
})

describe('the checker', () => {
  test.each([
    ['upward', 'src/relay/fleet.ts', 'src/slack/posts/writer.ts'],
    ['upward from the lowest layer', 'src/security/seal.ts', 'src/store/tables/people.ts'],
    ['sideways', 'src/slack/card.ts', 'src/http/server.ts'],
    ['sideways between the flows', 'src/relay/fleet.ts', 'src/inbox/worker.ts'],
    ['to the settings', 'src/relay/pace/pacer.ts', 'src/config/config.ts'],
    ['from the settings', 'src/config/config.ts', 'src/store/database.ts'],
    ['to the stand-ins', 'src/app/app.ts', 'local/slack/server.ts'],
    ['to the tests', 'src/app/app.ts', 'test/support/world.ts'],
    ['to the benches', 'src/main.ts', 'bench/start.ts'],
    ['to the migrations past the store', 'src/app/app.ts', 'migrations/0001-first.ts'],
    ['from a migration', 'migrations/0001-first.ts', 'src/store/tables.ts'],
    ['from the local platform past the schemas', 'local/platform/a.ts', 'src/platform/client.ts'],
    ['from the local Slack into the bot', 'local/slack/server.ts', 'src/platform/model.ts'],
    ['from the demo into the bot', 'local/demo.ts', 'src/main.ts'],
    ['from a stand-in to a test', 'local/slack/server.ts', 'test/support/world.ts'],
  ])('catches an arrow %s', (_name, from, to) => {
    expect(wrongArrows([file(from, to)], plan)).toEqual([`${from} must not import ${to}.`])
  })

  test.each([
    ['down one layer', 'src/app/app.ts', 'src/slack/register.ts'],
    ['down several layers', 'src/slack/card.ts', 'src/security/secret.ts'],
    ['inside a module', 'src/relay/fleet.ts', 'src/relay/pace/pacer.ts'],
    ['to the settings from above', 'src/main.ts', 'src/config/config.ts'],
    [
      'from the store to the migrations',
      'src/store/database/migrate.ts',
      'migrations/0001-first.ts',
    ],
    ['to the schemas', 'local/platform/server.ts', 'src/platform/model.ts'],
    ['from the demo to a stand-in', 'local/demo.ts', 'local/slack/server.ts'],
  ])('lets pass an arrow %s', (_name, from, to) => {
    expect(wrongArrows([file(from, to)], plan)).toEqual([])
  })

  test('catches a file outside every module', () => {
    expect(wrongArrows([file('src/util.ts')], plan)).toEqual([
      'src/util.ts stands in no module: add it to test/gate/arrows.ts.',
    ])
  })

  test("catches Slack's packages and SQL in the relay", () => {
    const relay = {path: 'src/relay/fleet.ts', imports: [], packages: ['@slack/web-api', 'kysely']}
    expect(wrongArrows([relay], plan)).toEqual([
      'src/relay/fleet.ts must not know the package @slack/web-api.',
      'src/relay/fleet.ts must not know the package kysely.',
    ])
  })

  test('catches a circle, once', () => {
    const tree = [
      file('a.ts', 'b.ts'),
      file('b.ts', 'c.ts'),
      file('c.ts', 'b.ts', 'd.ts'),
      file('d.ts'),
    ]
    expect(circles(tree)).toEqual(['b.ts → c.ts → b.ts'])
  })

  test('catches a circle of folders, but for those that lie in one another', () => {
    const tree = [
      file('a/one.ts', 'b/one.ts', 'a/in/one.ts'),
      file('a/in/one.ts', 'a/two.ts'),
      file('b/one.ts', 'b/two.ts'),
      file('b/two.ts', 'a/two.ts'),
      file('a/two.ts'),
    ]
    expect(circles(tree)).toEqual([])
    expect(circles(folders(tree))).toEqual(['a/ → b/ → a/'])
  })

  test('takes two ways to the same file for no circle', () => {
    const tree = [
      file('a.ts', 'b.ts', 'c.ts'),
      file('b.ts', 'd.ts'),
      file('c.ts', 'd.ts'),
      file('d.ts'),
    ]
    expect(circles(tree)).toEqual([])
  })
})

describe('the reader', () => {
  test('sees every form of import, and nothing that only looks like one', () => {
    const text = `
      import {App} from '@slack/bolt'
      import {join} from 'node:path'
      import type {Store} from '../store/port.ts'
      export {card} from './card.ts'
      const late = await import('../http/server.ts')
      const shape: import('../relay/posts.ts').Post = late
      const quoted = \`import {x} from './quoted.ts'\` // import './said.ts'
    `
    expect(parseSource('src/slack/example.ts', text)).toEqual({
      path: 'src/slack/example.ts',
      imports: [
        'src/store/port.ts',
        'src/slack/card.ts',
        'src/http/server.ts',
        'src/relay/posts.ts',
      ],
      packages: ['@slack/bolt'],
    })
  })
})
