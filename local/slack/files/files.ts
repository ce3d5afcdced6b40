import {randomBytes} from 'node:crypto'
import type {SqlDatabase} from '../database.ts'
import {newId} from '../new-id.ts'

interface FileShare {
  channel: string
  /** Of the message that carries the file. */
  ts: string
  threadTs?: string
}

/**
 * A file is `promised → uploaded → complete → deleted`: an address was given out, the bytes arrived
 * there, the upload was completed (only then anybody sees the file), and it is gone.
 */
export interface StoredFile {
  id: string
  state: 'promised' | 'uploaded' | 'complete' | 'deleted'
  name: string
  title: string
  mimetype: string
  filetype: string
  size: number
  userId: string
  createdS: number
  shares: FileShare[]
  altText?: string
  isSnippet?: boolean
  /** Of a clip. */
  transcript?: string
  /** It is a canvas, and these channels may open it: https://docs.slack.dev/surfaces/canvases */
  canvas?: {readers: string[]}
}

type UploadOutcome = 'taken' | 'unknown' | 'expired' | 'used' | 'size_mismatch'

type Draft = Pick<StoredFile, 'name' | 'size' | 'userId' | 'altText' | 'isSnippet' | 'transcript'>

export interface Files {
  /** The last part of the address that takes the bytes, once, for an hour. */
  promise(draft: Draft): {file: StoredFile; ticket: string}
  upload(ticket: string, bytes: Uint8Array): UploadOutcome
  /** A canvas needs no upload. */
  addCanvas(draft: {title: string; userId: string; markdown: string}): StoredFile
  find(id: string): StoredFile | undefined
  bytes(id: string): Uint8Array<ArrayBuffer> | undefined
  all(): StoredFile[]
  save(file: StoredFile): void
}

/** Slack names no lifetime: an hour is ours. */
const ticketLifetimeMs = 60 * 60_000

interface FilesParts {
  database: SqlDatabase
  now: () => number
  timeFactor: number
}

interface Row {
  body: string
  expiresAtMs: number
}

export function createFiles({database, now, timeFactor}: FilesParts): Files {
  const rows = prepareRows(database)
  const save = (file: StoredFile): void => {
    rows.update.run(JSON.stringify(file), file.id)
  }
  return {
    promise: (draft) => {
      const ticket = randomBytes(18).toString('base64url')
      const file: StoredFile = {
        id: newId('F'),
        state: 'promised',
        title: draft.name,
        createdS: Math.floor(now() / 1000),
        shares: [],
        ...typeOf(draft.name),
        ...draft,
      }
      const expiresAtMs = Math.floor(now() + ticketLifetimeMs * timeFactor)
      rows.insert.run(file.id, ticket, expiresAtMs, JSON.stringify(file))
      return {file, ticket}
    },
    upload: (ticket, bytes) => {
      const row = rows.byTicket.get(ticket)
      if (row === undefined) return 'unknown'
      const file = toFile(row)
      if (file.state !== 'promised') return 'used'
      if (row.expiresAtMs <= now()) return 'expired'
      if (bytes.byteLength !== file.size) return 'size_mismatch'
      rows.setBytes.run(Buffer.from(bytes), file.id)
      save({...file, state: 'uploaded'})
      return 'taken'
    },
    addCanvas: ({title, userId, markdown}) => {
      const bytes = Buffer.from(markdown)
      const file: StoredFile = {
        ...{id: newId('F'), state: 'complete', name: title, title, userId, size: bytes.length},
        ...{filetype: 'quip', mimetype: 'application/vnd.slack-docs'},
        createdS: Math.floor(now() / 1000),
        shares: [],
        canvas: {readers: []},
      }
      rows.insert.run(file.id, randomBytes(18).toString('base64url'), 0, JSON.stringify(file))
      rows.setBytes.run(bytes, file.id)
      return file
    },
    find: (id) => rows.byId.all(id).map(toFile)[0],
    bytes: (id) => {
      const bytes = rows.bytes.get(id)?.bytes ?? undefined
      return bytes === undefined ? undefined : new Uint8Array(bytes)
    },
    all: () => rows.all.all().map(toFile),
    save,
  }
}

const toFile = ({body}: Pick<Row, 'body'>): StoredFile => JSON.parse(body) as StoredFile

function prepareRows(database: SqlDatabase) {
  const select = (where: string) =>
    database.prepare<[string], Row>(
      `select body, expires_at_ms as expiresAtMs from files where ${where}`,
    )
  return {
    insert: database.prepare(
      'insert into files (id, ticket, expires_at_ms, body) values (?, ?, ?, ?)',
    ),
    update: database.prepare('update files set body = ? where id = ?'),
    setBytes: database.prepare('update files set bytes = ? where id = ?'),
    byTicket: select('ticket = ?'),
    byId: select('id = ?'),
    bytes: database.prepare<[string], {bytes: Buffer | null}>(
      'select bytes from files where id = ?',
    ),
    all: database.prepare<[], Row>(
      'select body, expires_at_ms as expiresAtMs from files order by rowid',
    ),
  }
}

/** https://docs.slack.dev/reference/objects/file-object#types, by the ending of the name. */
const types: Record<string, {filetype: string; mimetype: string}> = {
  csv: {filetype: 'csv', mimetype: 'text/csv'},
  gif: {filetype: 'gif', mimetype: 'image/gif'},
  jpg: {filetype: 'jpg', mimetype: 'image/jpeg'},
  json: {filetype: 'json', mimetype: 'application/json'},
  m4a: {filetype: 'm4a', mimetype: 'audio/mp4'},
  md: {filetype: 'markdown', mimetype: 'text/markdown'},
  mov: {filetype: 'mov', mimetype: 'video/quicktime'},
  pdf: {filetype: 'pdf', mimetype: 'application/pdf'},
  png: {filetype: 'png', mimetype: 'image/png'},
  py: {filetype: 'python', mimetype: 'text/x-python'},
  ts: {filetype: 'typescript', mimetype: 'text/plain'},
  txt: {filetype: 'text', mimetype: 'text/plain'},
  zip: {filetype: 'zip', mimetype: 'application/zip'},
}

function typeOf(name: string): {filetype: string; mimetype: string} {
  const ending = name.toLowerCase().split('.').at(-1) ?? ''
  return types[ending] ?? {filetype: 'binary', mimetype: 'application/octet-stream'}
}
