import type {SessionProof} from '../../agents/session-proof.ts'
import type {SharedFileStore} from '../../store/tables/work/shared-files.ts'
import type {SharedFile} from '../incoming/message.ts'

/** What files go along with: its request id is known before its thread is. */
export interface FilesOf {
  requestId: string
  connectionId: string | undefined
  /** Who shared them. */
  user: string
}

/** A file that code on the work's machine can fetch from us, and how. */
export interface FetchedFile {
  file: SharedFile
  /** A line for its shell. */
  command: string
}

/** Gives files their addresses; `undefined` where nobody could fetch them. */
export type FileAddresses = (
  files: readonly SharedFile[],
  work: FilesOf,
  signal: AbortSignal,
) => Promise<FetchedFile[] | undefined>

interface FileAddressesOptions {
  team: string
  sharedFiles: Pick<SharedFileStore, 'keep'>
  proof: Pick<SessionProof, 'isOffered'>
  /** Where code on agents' machines reaches us. */
  publicUrl: string | undefined
  /** Where the session token lies on these machines. */
  tokenFile: string | undefined
  nowMs: () => number
}

export function createFileAddresses(options: FileAddressesOptions): FileAddresses {
  const {team, sharedFiles, proof, publicUrl, tokenFile, nowMs} = options
  return async (files, work, signal) => {
    if (publicUrl === undefined || tokenFile === undefined) return undefined
    if (!(await proof.isOffered(work, signal))) return undefined
    const {requestId, user} = work
    const told = files.flatMap(({id: slackFile, name, mimetype, url}) =>
      url === undefined ? [] : [{team, requestId, user, slackFile, name, mimetype, url}],
    )
    const rows = await sharedFiles.keep(told, nowMs())
    const names = new Set<string>()
    return files.flatMap((file) => {
      const row = rows.find(({slackFile}) => slackFile === file.id)
      if (row === undefined) return []
      const address = addressOf(publicUrl, row.id)
      return [{file, command: commandOf({address, tokenFile, saveAs: freeName(file.name, names)})}]
    })
  }
}

/** The path of our own HTTP server below which they stand. */
export const FILES_PATH = '/files/'

function addressOf(publicUrl: string, id: string): string {
  // It stands between quotes of a shell.
  return `${publicUrl.replace(/(?<!\/)\/+$/, '')}${FILES_PATH}${id}`.replaceAll("'", '%27')
}

/** The token goes from its file into a header, and never into an argument, which every process of a machine can read. */
function commandOf({
  address,
  tokenFile,
  saveAs,
}: {
  address: string
  tokenFile: string
  saveAs: string
}): string {
  const header = `{ printf 'authorization: Bearer '; cat ${tokenFile}; }`
  return `${header} | curl -fsS --retry 8 -H @- -o ${saveAs} '${address}'`
}

const MAX_NAME = 80

/** A name for a shell and a disk, and for one file alone. */
function freeName(name: string, taken: Set<string>): string {
  const [ending = ''] = /\.\w{1,10}$/.exec(name) ?? []
  const plain = name.slice(0, MAX_NAME).replaceAll(/[^\w.-]+/g, '_')
  const stem = bare(plain.replace(ending, '')) || 'file'
  for (let count = 1; ; count += 1) {
    const free = `${count === 1 ? '' : `${count}-`}${stem}${ending}`
    if (taken.has(free.toLowerCase())) continue
    taken.add(free.toLowerCase())
    return free
  }
}

/** A name that begins with a dot hides itself, and one that begins with a dash is an option. */
function bare(name: string): string {
  return name.replace(/^[._-]+/, '').replace(/(?<![._-])[._-]+$/, '')
}
