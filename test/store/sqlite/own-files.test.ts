import {chmodSync, mkdirSync, readFileSync, readdirSync, statSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {createSealer} from '../../../src/security/seal.ts'
import {makeOwnFile} from '../../../src/store/sqlite/own-files.ts'
import {backUp, restore} from '../../../src/store/sqlite/upkeep/backup.ts'
import {openStore} from '../../../src/store/store.ts'
import {temporaryFolder} from '../../support/temporary-folder.ts'
import {newLink, temporaryPath} from '../temporary-store.ts'

const sealer = createSealer([])

const modeOf = (path: string): number => statSync(path).mode & 0o777

function modesIn(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder).map((name) => [name, modeOf(join(folder, name)).toString(8)]),
  )
}

function withUmask(mask: number): void {
  const before = process.umask(mask)
  onTestFinished(() => void process.umask(before))
}

test.for([0, 0o022, 0o077])(
  'whatever the umask, %o: what is made is its owner’s alone',
  async (mask) => {
    withUmask(mask)
    const path = temporaryPath()
    const folder = dirname(path)
    const store = await openStore({path, sealingKeys: []})
    await store.links.open(newLink, 0)
    backUp({path, sealer}, join(folder, 'backup.db'), 'refuse')
    expect(modeOf(folder)).toBe(0o700)
    expect(modesIn(folder)).toEqual({
      'backup.db': '600',
      'bosun.db': '600',
      'bosun.db-shm': '600',
      'bosun.db-wal': '600',
      'bosun.db.lock': '600',
    })
    await store[Symbol.asyncDispose]()
    const now = new Date('2026-03-04T05:06:07Z')
    await restore({path, sealer}, join(folder, 'backup.db'), now)
    expect(modesIn(folder)).toHaveProperty(['bosun.db.before-restore-20260304T050607Z'])
    expect(new Set(Object.values(modesIn(folder)))).toEqual(new Set(['600']))
  },
)

test('folders that are not there yet are made on the way', () => {
  const path = join(temporaryFolder(), 'a', 'b', 'bosun.db')
  expect([makeOwnFile(path), makeOwnFile(path)]).toEqual([true, false])
  expect([modeOf(path), modeOf(dirname(path)), modeOf(dirname(dirname(path)))]).toEqual([
    ...[0o600, 0o700, 0o700],
  ])
})

test('what is there and others may read is narrowed at the start, and told', async () => {
  const path = temporaryPath()
  const first = await openStore({path, sealingKeys: []})
  await first[Symbol.asyncDispose]()
  const aside = `${path}.before-restore-20260101T000000Z`
  mkdirSync(`${path}.folder`)
  backUp({path, sealer}, aside, 'refuse')
  for (const file of [path, `${path}.lock`, aside]) chmodSync(file, 0o644)
  const told: string[] = []
  const store = await openStore({path, sealingKeys: [], tell: (line) => told.push(line)})
  expect(told).toHaveLength(1)
  expect(told[0]).toMatch(/^Others on this machine could read .+: now only its owner can$/)
  for (const file of [path, aside, `${path}.lock`]) expect(told[0]).toContain(file)
  expect([path, `${path}-wal`, `${path}.lock`, aside].map(modeOf)).toEqual(Array(4).fill(0o600))
  chmodSync(path, 0o640)
  expect(await store.checkUp()).toMatchObject({kind: 'file', wide: [path]})
  await store[Symbol.asyncDispose]()
})

test('what is deleted is overwritten: it stands neither in the file nor beside it', async () => {
  const path = temporaryPath()
  const secret = 'a word that nobody should find again '
  const store = await openStore({path, sealingKeys: []})
  await store.inbox.add(
    {team: 'T1', key: 'k', lane: 'l', body: JSON.stringify(secret.repeat(500))},
    0,
  )
  const row = await store.inbox.byKey('k')
  const holding = () =>
    readdirSync(dirname(path)).filter((name) =>
      readFileSync(join(dirname(path), name)).includes(secret),
    )
  expect(holding()).not.toEqual([])
  await store.inbox.done(row?.id ?? 0)
  await store[Symbol.asyncDispose]()
  expect(holding()).toEqual([])
})
