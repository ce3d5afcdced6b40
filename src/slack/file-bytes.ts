import {WriteError} from '../relay/ports.ts'

const UPLOAD_TIMEOUT_MS = 30_000

/** The address is made for this file alone, and takes no token. */
export async function putBytes(url: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  let status: number
  try {
    const answer = await fetch(url, {
      method: 'POST',
      body: bytes,
      redirect: 'error',
      signal: AbortSignal.timeout(UPLOAD_TIMEOUT_MS),
    })
    await answer.body?.cancel()
    ;({status} = answer)
  } catch (error) {
    throw new WriteError('retry', 'no_answer', {cause: error})
  }
  if (status >= 500 || status === 429) throw new WriteError('retry', `upload_${status}`)
  if (status >= 300) throw new WriteError('refused', `upload_${status}`)
}
