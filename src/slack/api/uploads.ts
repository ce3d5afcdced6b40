import {WebClient} from '@slack/web-api'
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
  const {upload_url: url, file_id: file} = await callSlack(() =>
    client.files.getUploadURLExternal({filename, length: bytes.length}),
  )
  if (url === undefined || file === undefined) {
    throw new SlackError('refused', 'no_upload_url', {message: 'Slack gave no upload address'})
  }
  await putBytes(url, bytes)
  return file
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
  if (status === 429) {
    throw new SlackError('wait', 'upload_429', {retryAfterMs: toWaitMs(retryAfter)})
  }
  if (status >= 500) throw new SlackError('retry', `upload_${status}`)
  if (status >= 300) throw new SlackError('refused', `upload_${status}`)
}
