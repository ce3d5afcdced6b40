import {expect} from 'vitest'
import {z} from 'zod'
import type {Platform} from '../../../local/platform/server.ts'
import {itemsOf, type Client} from './client.ts'

const roundSchema = z.strictObject({
  reviewId: z.string(),
  requestId: z.string(),
  threadId: z.string(),
  headSha: z.string(),
  adopted: z.boolean(),
  sourceRecorded: z.boolean(),
})
type Round = z.infer<typeof roundSchema>

export const BASE_SHA = '45c48cce2e2d7fbdea1afc51c7c6ad26d1c9b0aa'

/** Pull requests that no other test knows, and starts of their reviews that must succeed. */
interface Reviewer {
  /** Changes the code of a pull request and answers its new head commit. */
  push(number: number): string
  openPullRequest(): number
  start(number: number, more?: object, as?: Client): Promise<Round>
}

export function createReviewer(platform: Platform, client: Client): Reviewer {
  let lastNumber = 100
  let lastCommit = 0
  const push: Reviewer['push'] = (number) => {
    const headSha = (++lastCommit).toString(16).padStart(40, '0')
    platform.control.setPullRequest({repo: 'acme/web', number, headSha})
    return headSha
  }
  return {
    push,
    openPullRequest: () => {
      const number = ++lastNumber
      platform.control.setPullRequest({repo: 'acme/web', number, baseSha: BASE_SHA})
      push(number)
      return number
    },
    start: async (number, more = {}, as = client) => {
      const asked = {repo: 'acme/web', prNumber: number, ...more}
      const {status, body} = await as.post('/reviews', asked)
      expect({status, body}).toMatchObject({status: 200})
      return roundSchema.parse(body)
    },
  }
}

export async function readTranscript(
  client: Client,
  threadId: string,
): Promise<Record<string, unknown>[]> {
  return itemsOf(await client.get(`/threads/${threadId}/messages`))
}
