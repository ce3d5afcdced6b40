import {z} from 'zod'
import {type Bench, messagesSchema} from '../bench.ts'
import {differs} from '../finding.ts'
import type {Scene} from '../scene.ts'

/** That a Slack thread is read to its end: more stands in it by now than one page holds. */
export const pages: Scene = {
  ids: ['thread-paged'],
  play: async (bench) => {
    await bench.attempt('thread-paged', () => tryPages(bench))
  },
}

const pageSchema = messagesSchema.extend({
  response_metadata: z.looseObject({next_cursor: z.string().default('')}).optional(),
})

async function tryPages({place, caller}: Bench) {
  const {channel, root} = place
  const all = new Set<string>()
  const page = async (cursor?: string): Promise<string> => {
    const query = {channel, ts: root, limit: 2, ...(cursor !== undefined && {cursor})}
    const answer = pageSchema.parse(await caller.call('conversations.replies', query))
    for (const {ts} of answer.messages) all.add(ts)
    return answer.response_metadata?.next_cursor ?? ''
  }
  const cursor = await page()
  const first = all.size
  if (cursor === '') return differs('there is no cursor though more stands there')
  await page(cursor)
  return all.size > first ? 'the second page goes on' : differs('the second page holds nothing new')
}
