import {rmSync, mkdtempSync, writeFileSync} from 'node:fs'
import {hostname, tmpdir, userInfo} from 'node:os'
import {join} from 'node:path'
import {gzipSync} from 'node:zlib'
import {onServer, urlOf} from '../postgres-server.ts'
import {dump} from './dump.ts'
import {fill} from './fill.ts'
import {checkOut} from './tree.ts'
import {type Engine, RELEASED, type ReleasedVersion} from './versions.ts'

/** Makes the databases of `test/fixtures/released` anew: `node test/support/released/make.ts [name…]`. */

const FIXTURES = join(import.meta.dirname, '..', '..', 'fixtures', 'released')
const DATABASE = 'bosun_released'
const names = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'bosun-released-'))
try {
  for (const version of RELEASED.filter(({name}) => names.length === 0 || names.includes(name))) {
    const tree = checkOut(version.migration, join(folder, version.name))
    if (tree === undefined) throw new Error(`The code of ${version.name} is not in the history`)
    for (const engine of version.on) await make(tree, version, engine)
  }
} finally {
  rmSync(folder, {recursive: true, force: true})
}

async function make(tree: string, {name}: ReleasedVersion, engine: Engine): Promise<void> {
  const path = engine === 'sqlite' ? join(folder, `${name}.db`) : urlOf(DATABASE)
  if (engine === 'postgres') await onServer(`create database ${DATABASE}`)
  try {
    await fill(tree, path)
    const text = dump(path)
    // As a word: sealed values hold all letters there are.
    for (const mark of [folder, hostname(), userInfo().username]) {
      if (new RegExp(String.raw`(?<![\w.+/=])${mark}(?![\w+/=])`).test(text)) {
        throw new Error(`${name} on ${engine} names ${mark}`)
      }
    }
    const zipped = gzipSync(text, {level: 9})
    writeFileSync(join(FIXTURES, `${name}.${engine}.sql.gz`), zipped)
    console.log(`${name} on ${engine}: ${text.length} bytes, ${zipped.length} zipped`)
  } finally {
    if (engine === 'postgres') await onServer(`drop database ${DATABASE} with (force)`)
  }
}
