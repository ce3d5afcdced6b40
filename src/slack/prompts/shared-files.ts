import type {NotPassed} from '../../store/tables/work/link.ts'
import {isAddressOf, openSlackFile} from '../api/file-download.ts'
import type {TokenOf} from '../api/slack-client.ts'
import type {SharedFile} from '../incoming/message.ts'
import type {FetchedFile, FileAddresses, FilesOf} from './file-addresses.ts'
import type {FileFacts} from './file-facts.ts'
import type {SaidFile, TextFile} from './quoting.ts'

/** What becomes of some files, in their order: read as text, to be fetched from us, or left out. */
interface ReadFiles {
  texts: TextFile[]
  fetched: FetchedFile[]
  /** What is said in clips. */
  said: SaidFile[]
  notPassed: NotPassed[]
}

/** `work`: what they go along with. */
export type FileReader = (
  files: readonly SharedFile[],
  work: FilesOf,
  signal: AbortSignal,
) => Promise<ReadFiles>

/** What may go along with one message. */
export interface FileLimits {
  maxFiles: number
  /** Of one file. */
  maxBytes: number
}

interface FileReaderOptions {
  tokenOf: TokenOf
  apiUrl: string
  fileLimits: FileLimits
  addresses: FileAddresses
  facts: FileFacts
}

const MAX_TEXT_BYTES = 100 * 1024
const READ_WITHIN_MS = 10_000
const MEGABYTE = 1_000_000

/** What may be text, by its type; whether it is, its bytes say. */
const MAY_BE_TEXT =
  /^(text\/|message\/|image\/svg|application\/(octet-stream|.*(json|xml|ya?ml|toml|javascript|ecmascript|typescript|sql|graphql|csv|diff|patch|x-sh|shell|x-httpd-php|python|ruby|perl|x-tex|rtf)))|^$/i

type Read = {text: string} | NotPassed

/** Short texts are read from Slack and go along whole; of everything else code on the work's machine gets an address. */
export function createFileReader(options: FileReaderOptions): FileReader {
  const {fileLimits, addresses, facts} = options

  const readText = async (file: SharedFile, stop: AbortSignal): Promise<Read> => {
    const {id, name, mimetype, size, url} = file
    // What somebody shares from elsewhere, as from a drive, is a file of Slack's as well, and its bytes are not there.
    if (url === undefined || !isAddressOf({id, url}, options.apiUrl))
      return {name, why: 'unreadable'}
    if (!MAY_BE_TEXT.test(mimetype)) return {name, why: 'no-text'}
    if (size > MAX_TEXT_BYTES) return {name, why: 'too-large'}
    const signal = AbortSignal.any([stop, AbortSignal.timeout(READ_WITHIN_MS)])
    try {
      const isPage = mimetype === 'text/html'
      const opened = await openSlackFile({id, url, isPage}, options, signal)
      if (typeof opened === 'string') return {name, why: 'unreadable'}
      const bytes = await readAll(opened.body)
      if (bytes === undefined) return {name, why: 'too-large'}
      const text = toText(bytes)
      return text === undefined ? {name, why: 'no-text'} : {text}
    } catch {
      stop.throwIfAborted()
      return {name, why: 'unreadable'}
    }
  }

  const judge = async (file: SharedFile, index: number, signal: AbortSignal): Promise<Read> => {
    const {name, size} = file
    if (index >= fileLimits.maxFiles) return {name, why: 'too-many', limit: fileLimits.maxFiles}
    if (size > fileLimits.maxBytes) {
      return {name, why: 'huge', limit: Math.floor(fileLimits.maxBytes / MEGABYTE)}
    }
    return readText(file, signal)
  }

  return async (shared, work, signal) => {
    const files = await Promise.all(shared.map((file) => facts(file, signal)))
    const read = await Promise.all(files.map((file, index) => judge(file, index, signal)))
    const rest = files.filter((_file, index) => isForMachine(read[index]))
    const fetched = rest.length === 0 ? [] : await addresses(rest, work, signal)
    const notPassed = files.flatMap((file, index) => {
      const one = read[index]
      if (one === undefined || !('why' in one)) return []
      const isFetched = fetched !== undefined && isForMachine(one)
      // What is said in it goes along all the same.
      return isFetched || file.words !== undefined ? [] : [one]
    })
    return {
      texts: files.flatMap(({name}, index) => {
        const one = read[index]
        return one !== undefined && 'text' in one ? [{name, text: one.text}] : []
      }),
      fetched: fetched ?? [],
      said: files.flatMap(({name, words}) => (words === undefined ? [] : [{name, words}])),
      notPassed,
    }
  }
}

/** It does not go along as text, and nothing else is wrong with it. */
function isForMachine(read: Read | undefined): boolean {
  if (read === undefined || !('why' in read)) return false
  return read.why === 'no-text' || read.why === 'too-large'
}

/** `undefined` when it is larger than was said. */
async function readAll(body: ReadableStream<Uint8Array>): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > MAX_TEXT_BYTES) return undefined // leaving the loop ends the download
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** `undefined` for what is no text: UTF-8 without a zero byte is. */
function toText(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', {fatal: true}).decode(bytes)
  } catch {
    return undefined
  }
}
