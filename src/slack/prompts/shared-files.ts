import type {NotPassed} from '../../store/tables/work/link.ts'
import {type TokenOf, isSlacks} from '../api/slack-client.ts'
import type {SharedFile} from '../incoming/message.ts'
import type {TextFile} from './quoting.ts'

/** What of some files can be read as text, in their order, and what can't. */
interface ReadFiles {
  passed: TextFile[]
  notPassed: NotPassed[]
}

export type FileReader = (files: readonly SharedFile[], signal: AbortSignal) => Promise<ReadFiles>

const MAX_BYTES = 100 * 1024
const HUGE_BYTES = 50_000_000
const READ_WITHIN_MS = 10_000

/** What may be text, by its type; whether it is, its bytes say. */
const MAY_BE_TEXT =
  /^(text\/|message\/|image\/svg|application\/(octet-stream|.*(json|xml|ya?ml|toml|javascript|ecmascript|typescript|sql|graphql|csv|diff|patch|x-sh|shell|x-httpd-php|python|ruby|perl|x-tex|rtf)))|^$/i

/** Reads files from Slack with the bot's token, which goes nowhere but to Slack. */
export function createFileReader({
  tokenOf,
  apiUrl,
}: {
  tokenOf: TokenOf
  apiUrl: string
}): FileReader {
  const download = async (file: SharedFile, stop: AbortSignal): Promise<string | NotPassed> => {
    const {name, mimetype, size, url} = file
    if (size > HUGE_BYTES) return {name, why: 'huge'}
    if (!MAY_BE_TEXT.test(mimetype)) return {name, why: 'no-text'}
    if (size > MAX_BYTES) return {name, why: 'too-large'}
    if (url === undefined || !isSlacks(url, apiUrl)) return {name, why: 'unreadable'}
    const signal = AbortSignal.any([stop, AbortSignal.timeout(READ_WITHIN_MS)])
    try {
      const headers = {authorization: `Bearer ${(await tokenOf()).reveal()}`}
      const answer = await fetch(url, {headers, redirect: 'error', signal})
      const isPage = answer.headers.get('content-type')?.startsWith('text/html') === true
      // Slack shows its login page to whoever may not read the file.
      if (!answer.ok || (isPage && mimetype !== 'text/html')) {
        await answer.body?.cancel()
        return {name, why: 'unreadable'}
      }
      const bytes = await readAll(answer)
      if (bytes === undefined) return {name, why: 'too-large'}
      return toText(bytes) ?? {name, why: 'no-text'}
    } catch {
      stop.throwIfAborted()
      return {name, why: 'unreadable'}
    }
  }

  return async (files, signal) => {
    const read = await Promise.all(files.map((file) => download(file, signal)))
    const passed = read.flatMap((text, index) =>
      typeof text === 'string' ? [{name: files[index]?.name ?? '', text}] : [],
    )
    return {passed, notPassed: read.filter((one) => typeof one !== 'string')}
  }
}

/** `undefined` when it is larger than was said. */
async function readAll(answer: Response): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of answer.body ?? []) {
    size += chunk.length
    if (size > MAX_BYTES) return undefined // leaving the loop ends the download
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
