import type {WebClient} from '@slack/web-api'
import {SlackError} from '../../once/slack-error.ts'
import {callSlack} from './slack-client.ts'
import {type PacedCall, paced} from './paced.ts'
import {UPLOAD_METHOD, uploadFile} from './uploads.ts'

/** A file for one person alone. */
interface DirectFile {
  name: string
  text: string
  bytes: Uint8Array<ArrayBuffer>
}

interface DirectFileOptions extends Pick<PacedCall, 'pacer' | 'team' | 'signal'> {
  client: WebClient
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
  {client, ...of}: DirectFileOptions,
  {name, text, bytes}: DirectFile,
): Promise<UploadedFile> {
  const call = async <Answer>(
    method: string,
    channel: string,
    act: () => Promise<Answer>,
  ): Promise<Answer> => {
    const answer = await paced({...of, method, channel}, act)
    if (answer === undefined) throw new Error('The process stops', {cause: of.signal.reason})
    return answer
  }

  const upload = () => uploadFile(client, name, bytes)
  const id = await call(UPLOAD_METHOD, '', upload)
  return {
    tell: async (user) => {
      const write = (channel: string) =>
        call('chat.postMessage', channel, () =>
          callSlack(() =>
            client.chat.postMessage({channel, text, unfurl_links: false, unfurl_media: false}),
          ),
        )
      // Slack opens the conversation by the user's id, and says which it is; a file wants to know.
      const {channel = user} = await write(user).catch(async (error: unknown) => {
        if (!(error instanceof SlackError) || error.code !== 'channel_not_found') throw error
        const opened = await call('conversations.open', user, () =>
          callSlack(() => client.conversations.open({users: user})),
        )
        return write(opened.channel?.id ?? user)
      })
      const files: [{id: string; title: string}] = [{id, title: name}]
      await call('files.completeUploadExternal', channel, () =>
        callSlack(() => client.files.completeUploadExternal({files, channel_id: channel})),
      )
    },
  }
}
