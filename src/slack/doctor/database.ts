import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import type {Checkup, FileCheckup} from '../../store/database/checkup.ts'
import type {SealedCounts} from '../../store/database/sealed-values.ts'
import {texts} from '../texts.ts'
import type {Finding} from './finding.ts'

/** A log that was not emptied for so long slows every read. */
const LOG_MAX_BYTES = 100_000_000
const ROOM_MIN_BYTES = 200_000_000

/** The database, its disk, and who else may read its files: `besides`, other files that are to be Bosun's alone. */
export function judgeDatabase(checkup: Checkup, besides: readonly string[] = []): Finding[] {
  const {name, server} = texts.doctor.database
  if (checkup.kind === 'file') {
    return [...judgeFile(checkup), judgeFiles([...checkup.wide, ...besides])]
  }
  const says = server(checkup.version, inUnits(checkup.bytes))
  return [{name, state: 'well', says}, judgeFiles(besides)]
}

function judgeFile({bytes, logBytes, roomBytes, integrity}: FileCheckup): Finding[] {
  const {database, disk} = texts.doctor
  const isRoomy = roomBytes >= Math.max(ROOM_MIN_BYTES, 2 * bytes)
  const room: Finding = {
    name: disk.name,
    state: isRoomy ? 'well' : 'wrong',
    says: disk.says(inUnits(roomBytes)),
    ...(!isRoomy && {fix: disk.fix}),
  }
  const {name} = database
  if (integrity !== 'ok') {
    return [{name, state: 'wrong', says: database.wrong(integrity), fix: database.fix}, room]
  }
  if (logBytes > LOG_MAX_BYTES) {
    const says = database.longLog(inUnits(logBytes))
    return [{name, state: 'wrong', says, fix: database.longLogFix}, room]
  }
  return [{name, state: 'well', says: database.well(inUnits(bytes), inUnits(logBytes))}, room]
}

/** What others on this machine may read or write of what Bosun keeps. */
function judgeFiles(wide: readonly string[]): Finding {
  const {name, well, wrong, fix} = texts.doctor.files
  if (wide.length === 0) return {name, state: 'well', says: well}
  return {name, state: 'wrong', says: wrong(wide), fix: fix(wide)}
}

export function judgeSealing(keyIds: readonly string[], counts: SealedCounts): Finding {
  const {name, none, noneFix, says, old, oldFix} = texts.doctor.sealing
  const [first] = keyIds
  if (first === undefined) return {name, state: 'untold', says: none, fix: noneFix}
  const olds = [...counts.keys()].filter((id) => id !== first)
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const said = says(first, total)
  if (olds.length === 0) return {name, state: 'well', says: said}
  return {name, state: 'wrong', says: `${said}; ${old(olds)}`, fix: oldFix}
}

export function tellVersion(): Finding {
  const {name, says} = texts.doctor.version
  return {name, state: 'well', says: says(ownVersion(), process.versions.node)}
}

export function ownVersion(): string {
  const file = join(import.meta.dirname, '..', '..', '..', 'package.json')
  const {version} = JSON.parse(readFileSync(file, 'utf8')) as {version: string}
  return version
}

function inUnits(bytes: number): string {
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(1)} GB`
  return bytes >= 1e6 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.ceil(bytes / 1e3)} kB`
}
