import {existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {z} from 'zod'
import {readSourceTree, root} from './source-tree.ts'

const read = (path: string): string => readFileSync(join(root, path), 'utf8')

const {dependencies} = z
  .object({dependencies: z.record(z.string(), z.string())})
  .parse(JSON.parse(read('package.json')))

/** What the image takes from the repository: the sources of every COPY that does not read another stage. */
const copied = read('Dockerfile')
  .split('\n')
  .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
  .flatMap((line) => line.split(/\s+/).slice(1, -1))

describe('the image', () => {
  test('copies only what exists', () => {
    expect(copied).not.toEqual([])
    expect(copied.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })

  test('is given everything that it copies, and nothing else', () => {
    const passed = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
    expect(passed.map((line) => line.slice(1)).sort()).toEqual([...new Set(copied)].sort())
  })

  test('holds every folder that the bot imports from', () => {
    const folders = readSourceTree(['src', 'migrations']).flatMap(({imports}) =>
      imports.map((path) => path.split('/')[0]),
    )
    expect(copied).toEqual(expect.arrayContaining(folders))
  })

  test('has every package that the bot imports: none is a dependency for development only', () => {
    const missing = readSourceTree(['src', 'migrations']).flatMap(({path, packages}) =>
      packages
        .map(packageOf)
        .filter((name) => dependencies[name] === undefined)
        .map((name) => `${path} imports ${name}`),
    )
    expect(missing).toEqual([])
  })
})

// `@slack/bolt/dist/x` is of the package @slack/bolt, `hono/streaming` of hono.
function packageOf(name: string): string {
  return name.split('/', name.startsWith('@') ? 2 : 1).join('/')
}
