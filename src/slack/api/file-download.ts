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
  {url, isPage}: {url: string; isPage: boolean},
  {tokenOf, apiUrl}: FileDownloadOptions,
  signal: AbortSignal,
): Promise<Opened> {
  if (!isSlacks(url, apiUrl)) return 'gone'
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

function lengthOf(headers: Headers): number | undefined {
  const length = headers.get('content-length')
  if (length === null || headers.has('content-encoding') || !/^\d+$/.test(length)) return undefined
  return Number(length)
}
