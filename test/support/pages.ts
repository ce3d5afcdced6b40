import {expect} from 'vitest'
import type {StoredMessage} from '../../local/slack/messages/messages.ts'
import type {World} from './world.ts'

/** Presses a button in a whisper that shows another page in its place, and nothing beside it. */
export async function turnPage(
  {slack, until}: Pick<World, 'slack' | 'until'>,
  {as, channel, ts}: {as: string; channel: string; ts: string},
  actionId: string,
): Promise<StoredMessage> {
  const whispers = () => slack.ephemerals(channel, as)
  const pageNow = () => whispers().find((message) => message.ts === ts)
  const [before, count] = [pageNow()?.text, whispers().length]
  await slack.people.press({as, channel, ts, actionId})
  const page = await until(`another page by ${actionId}`, () => {
    const now = pageNow()
    return now?.text === before ? undefined : now
  })
  expect(whispers()).toHaveLength(count)
  return page
}
