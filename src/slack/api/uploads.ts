import {Readable} from 'node:stream'
import {WebClient} from '@slack/web-api'
import {request} from 'undici'
import {callSlack, toWaitMs} from './slack-client.ts'
import type {Discretion} from './discretion.ts'
import {SlackError} from '../../once/slack-error.ts'

/** What the budget of uploads is known as: one for each file. */
export const UPLOAD_METHOD = 'files.getUploadURLExternal'

const UPLOAD_TIMEOUT_MS = 30_000

/**
 * Gives Slack a file that nobody sees yet, which may be lost without harm; its id.
 *
 * @throws {SlackError}
 */
export async function uploadFile(
  client: WebClient,
  filename: string,
  given: Uint8Array<ArrayBuffer>,
  discretion?: Pick<Discretion, 'hideInFile'>,
): Promise<string> {
  const bytes = discretion === undefined ? given : await discretion.hideInFile(given)
  const {url, file} = await askForUpload(client, filename, bytes.length)
  await putBytes(url, bytes)
  return file
}

async function askForUpload(
  client: WebClient,
  filename: string,
  length: number,
): Promise<{url: string; file: string}> {
  const {upload_url: url, file_id: file} = await callSlack(() =>
    client.files.getUploadURLExternal({filename, length}),
  )
  if (url === undefined || file === undefined) {
    throw new SlackError('refused', 'no_upload_url', {message: 'Slack gave no upload address'})
  }
  return {url, file}
}

/** What is being sent is not as long as was said. */
export class WrongSize extends Error {
  override name = 'WrongSize' as const
}

/**
 * The same for bytes that are not here yet: they go to Slack as they come, and are kept nowhere. What ends in an error on
 * the way is nothing to Slack.
 *
 * @throws {SlackError}
 * @throws {WrongSize} and what the source throws.
 */
export async function uploadStream(
  client: WebClient,
  {name, size}: {name: string; size: number},
  source: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<string> {
  const {url, file} = await askForUpload(client, name, size)
  const failed: {error?: Error} = {}
  const body = async function* () {
    try {
      yield* exactly(source, size)
    } catch (error) {
      failed.error = error instanceof Error ? error : new Error('It broke off', {cause: error})
      throw error
    }
  }
  try {
    const headers = {'content-type': 'application/octet-stream', 'content-length': String(size)}
    const answer = await request(url, {
      method: 'POST',
      headers,
      body: Readable.from(body()),
      signal,
    })
    await answer.body.dump()
    judgeUpload(answer.statusCode, String(answer.headers['retry-after'] ?? ''))
  } catch (error) {
    if (failed.error !== undefined) throw failed.error
    if (error instanceof SlackError) throw error
    throw new SlackError('retry', 'no_answer', {cause: error})
  }
  return file
}

async function* exactly(
  source: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<Uint8Array> {
  let left = size
  for await (const chunk of source) {
    left -= chunk.length
    if (left < 0) throw new WrongSize(`It is longer than ${size} bytes.`)
    yield chunk
  }
  if (left > 0) throw new WrongSize(`It is ${left} bytes shorter than ${size}.`)
}

/** The address is made for this file alone, and takes no token. */
async function putBytes(url: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  let status: number
  let retryAfter: string | null
  try {
    const answer = await fetch(url, {
      method: 'POST',
      body: bytes,
      redirect: 'error',
      signal: AbortSignal.timeout(UPLOAD_TIMEOUT_MS),
    })
    await answer.body?.cancel()
    ;({status} = answer)
    retryAfter = answer.headers.get('retry-after')
  } catch (error) {
    throw new SlackError('retry', 'no_answer', {cause: error})
  }
  judgeUpload(status, retryAfter)
}

function judgeUpload(status: number, retryAfter: string | null): void {
  if (status === 429) {
    throw new SlackError('wait', 'upload_429', {retryAfterMs: toWaitMs(retryAfter)})
  }
  if (status >= 500) throw new SlackError('retry', `upload_${status}`)
  if (status >= 300) throw new SlackError('refused', `upload_${status}`)
}
