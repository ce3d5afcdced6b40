import type {WebClient} from '@slack/web-api'
import {SlackError} from '../../once/slack-error.ts'
import {callSlack} from '../api/slack-client.ts'

/**
 * Changes a message. Of a channel that is archived Slack says the same as of one message: `word`. It may be open again when it is asked.
 *
 * @throws {SlackError} `unusable` where the channel is archived.
 */
export async function changeWhereOpen(
  client: WebClient,
  channel: string,
  word: 'is_inactive' | 'cant_delete_message',
  change: () => Promise<unknown>,
): Promise<void> {
  try {
    await callSlack(change)
  } catch (error) {
    if (!(error instanceof SlackError && error.code === word)) throw error
    await checkOpen(client, channel)
    await callSlack(change)
  }
}

async function checkOpen(client: WebClient, id: string): Promise<void> {
  const {channel} = await callSlack(() => client.conversations.info({channel: id})).catch(
    (error: unknown) => {
      // What is said of this call's rate or scope must not silence the edits.
      throw error instanceof SlackError
        ? new SlackError('retry', error.code, {cause: error})
        : error
    },
  )
  if (channel?.is_archived === true) throw new SlackError('unusable', 'is_archived')
}
