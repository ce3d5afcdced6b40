import {type TokenOf, isSlacks} from './slack-client.ts'

interface FileDownloadOptions {
  tokenOf: TokenOf
  apiUrl: string
}

/** What Slack said to a request for a file's bytes: they may be refused, or be no more. */
type Opened = {body: ReadableStream<Uint8Array>; length: number | undefined} | 'gone' | 'later'

/**
 * Opens a file that stands in Slack, with the bot's token, which goes nowhere but to Slack:
 * https://docs.slack.dev/reference/objects/file-object (`url_private`). `later`: Slack did not answer, or not now.
 * `isPage`: the file is a web page itself.
 *
 * @throws the signal's reason.
 */
export async function openSlackFile(
  {id, url, isPage}: {id: string; url: string; isPage: boolean},
  {tokenOf, apiUrl}: FileDownloadOptions,
  signal: AbortSignal,
): Promise<Opened> {
  if (!isAddressOf({id, url}, apiUrl)) return 'gone'
  try {
    // As it is, so that its length is that of what arrives.
    const headers = {
      authorization: `Bearer ${(await tokenOf()).reveal()}`,
      'accept-encoding': 'identity',
    }
    const answer = await fetch(url, {headers, redirect: 'manual', signal})
    const {status, body} = answer
    const type = (answer.headers.get('content-type') ?? '').toLowerCase()
    // Slack shows its login page to whoever may not read the file.
    const isLogin = type.startsWith('text/html') && !isPage
    if (!answer.ok || isLogin) {
      await body?.cancel()
      return status === 408 || status === 429 || status >= 500 ? 'later' : 'gone'
    }
    const length = lengthOf(answer.headers)
    return {body: body ?? new Blob().stream(), length}
  } catch {
    signal.throwIfAborted()
    return 'later'
  }
}

/**
 * Whether the bytes of this very file lie there, at Slack. Who adds a file from elsewhere chooses its address
 * (https://docs.slack.dev/reference/methods/files.remote.add): it may be another file's, or a method of Slack's API, and our token opens both.
 */
export function isAddressOf({id, url}: {id: string; url: string}, apiUrl: string): boolean {
  if (!isSlacks(url, apiUrl)) return false
  const {origin, pathname} = new URL(url)
  const api = new URL(apiUrl)
  if (origin === api.origin && api.hostname !== 'slack.com') return !isCall(pathname, api.pathname)
  const [, named] = FILE_PATH.exec(pathname) ?? []
  // Who decodes it once more would see another path.
  return named === id && !/%(?:2f|5c)/i.test(pathname)
}

/** `/files-pri/T1-F2/notes.txt`, `/files-pri/T1-F2/download/notes.txt`, and `/docs/T1/F2` of a canvas. */
const FILE_PATH = /^\/(?:files-pri\/[A-Z0-9]+-|docs\/[A-Z0-9]+\/)([A-Z0-9]+)(?:\/|$)/

/** A method stands right behind the address of the API. */
function isCall(pathname: string, apiPath: string): boolean {
  const [method, ...rest] = pathname
    .split('/')
    .filter((part) => part !== '')
    .slice(depthOf(apiPath))
  return pathname.startsWith(apiPath) && method !== undefined && rest.length === 0
}

function depthOf(path: string): number {
  return path.split('/').filter((part) => part !== '').length
}

function lengthOf(headers: Headers): number | undefined {
  const length = headers.get('content-length')
  if (length === null || headers.has('content-encoding') || !/^\d+$/.test(length)) return undefined
  return Number(length)
}
