import {randomBytes} from 'node:crypto'
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {setImmediate as breathe} from 'node:timers/promises'
import {parseArgs} from 'node:util'
import {createDice} from '../local/platform/agent/dice.ts'
import {Secret} from '../src/security/secret.ts'
import {openStore} from '../src/store/store.ts'
import {tool} from '../test/support/tool.ts'
import {atLeast, endWith, exactly, never} from './lines.ts'

/**
 * The sealing key is turned by the tool, a process of its own, while a store as the bot has it reads and writes: no
 * read may fail, and in the end everything bears the new key and says what was written last.
 */

const {values: options} = parseArgs({
  options: {rows: {type: 'string', default: '10000'}, seed: {type: 'string', default: '1'}},
})
const rows = Number(options.rows)
const dice = createDice(options.seed)
const folder = mkdtempSync(join(tmpdir(), 'bosun-rotation-'))
try {
  await main(join(folder, 'bosun.db'))
} finally {
  rmSync(folder, {recursive: true, force: true})
}

async function main(path: string): Promise<void> {
  const [old, fresh] = [makeKey('k1'), makeKey('k2')]
  const written = new Map<string, string>()
  {
    await using store = await openStore({path, sealingKeys: [old]})
    const ids = Array.from({length: rows}, (_, index) => `T${index}`)
    await Promise.all(ids.map((id) => store.installs.keep(installOf(id, written))))
  }
  await using store = await openStore({path, sealingKeys: [fresh, old]})
  const settings = {DATABASE_URL: `sqlite:${path}`, BOSUN_KEYS: `${fresh.setting},${old.setting}`}
  let isOver = false
  const startedMs = performance.now()
  const turned = tool('keys', ['rotate'], settings).finally(() => (isOver = true))
  const counts = {reads: 0, writes: 0, failed: 0}
  while (!isRead(() => isOver)) {
    const id = `T${dice.int(0, rows - 1)}`
    if (dice.int(1, 4) === 1) {
      await store.installs.keep(installOf(id, written))
      counts.writes += 1
    }
    counts.reads += 1
    const install = await store.installs.byId(id).catch(() => undefined)
    if (install?.installation !== written.get(id)) counts.failed += 1
    await breathe()
  }
  const {code, out, err} = await turned
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
  const all = await store.installs.all()
  const wrong = all.filter(({id, installation}) => written.get(id) !== installation).length
  const sealed = new Map(await store.countSealed())
  const bearing = [...sealed].map(([id, count]) => `${count} by ${id}`)
  const lines: [string, string | number][] = [
    ['values', rows],
    ['writes meanwhile', counts.writes],
    ['sealed in the end', bearing.join(', ')],
    ['the tool', `${code} ${`${out}${err}`.trim().split('\n').join(' / ')}`],
    ['seconds', seconds],
  ]
  for (const [what, value] of lines) console.log(`${what.padEnd(44)}${value}`)
  endWith([
    atLeast('reads meanwhile', counts.reads, 1),
    never('reads that failed or said something else', counts.failed),
    never('values that are wrong in the end', wrong),
    never('values that bear the old key', sealed.get(old.id) ?? 0),
    exactly('how the tool ended', code, 0),
  ])
}

function isRead(look: () => boolean): boolean {
  return look()
}

function makeKey(id: string) {
  const key = randomBytes(32).toString('base64')
  return {id, key: new Secret(key), setting: `${id}:${key}`}
}

function installOf(id: string, written: Map<string, string>) {
  const installation = JSON.stringify({bot: {token: randomBytes(12).toString('hex')}})
  written.set(id, installation)
  return {id, botUserId: 'B1', installedBy: 'U1', installation, installedAtMs: 0}
}
