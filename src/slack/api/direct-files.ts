import type {WebClient} from '@slack/web-api'
import {WriteError} from '../../relay/ports.ts'
import {SlackError, callSlack} from './calls.ts'
import {type Turn, inTurn} from './turns.ts'
import {UPLOAD_METHOD, uploadFile} from './uploads.ts'

/** A file for one person alone. */
interface DirectFile {
  name: string
  text: string
  bytes: Uint8Array<ArrayBuffer>
}

interface DirectFileOptions extends Pick<Turn, 'pacer' | 'team' | 'signal'> {
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
    const answer = await inTurn({...of, method, channel}, act)
    if (answer === undefined) throw new Error('The process stops', {cause: of.signal.reason})
    return answer
  }

  const upload = () => uploadFile(client, name, bytes)
  const id = await call(UPLOAD_METHOD, '', upload).catch((error: unknown) => {
    if (!(error instanceof WriteError)) throw error
    throw error.cause instanceof SlackError
      ? error.cause
      : new SlackError(error.code, error.kind, error.retryAfterMs, error)
  })
  return {
    tell: async (user) => {
      // Slack opens the conversation by the user's id, and says which it is; a file wants to know.
      const {channel = user} = await call('chat.postMessage', user, () =>
        callSlack(() => client.chat.postMessage({channel: user, text})),
      )
      const files: [{id: string; title: string}] = [{id, title: name}]
      await call('files.completeUploadExternal', channel, () =>
        callSlack(() => client.files.completeUploadExternal({files, channel_id: channel})),
      )
    },
  }
}
