import type {WebClient} from '@slack/web-api'
import {WriteError} from '../../relay/ports.ts'
import {SlackError, callSlack} from './calls.ts'
import {uploadFile} from './uploads.ts'

/** A file for one person alone. */
interface DirectFile {
  name: string
  text: string
  bytes: Uint8Array<ArrayBuffer>
}

/** A file that Slack has and that nobody sees yet. */
interface UploadedFile {
  /**
   * Shows it to a person in a direct message with these words. Call it once.
   *
   * @throws {SlackError}
   */
  tell(user: string): Promise<void>
}

/** @throws {SlackError} */
export async function uploadFor(
  client: WebClient,
  {name, text, bytes}: DirectFile,
): Promise<UploadedFile> {
  const id = await uploadFile(client, name, bytes).catch((error: unknown) => {
    if (!(error instanceof WriteError)) throw error
    throw error.cause instanceof SlackError
      ? error.cause
      : new SlackError(error.code, error.kind, error.retryAfterMs, error)
  })
  return {
    tell: async (user) => {
      // Slack opens the conversation by the user's id, and says which it is; a file wants to know.
      const {channel} = await callSlack(() => client.chat.postMessage({channel: user, text}))
      await callSlack(() =>
        client.files.completeUploadExternal({
          files: [{id, title: name}],
          channel_id: channel ?? user,
        }),
      )
    },
  }
}
