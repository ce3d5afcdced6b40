import {z} from 'zod'
import {SlackError} from '../../once/slack-error.ts'
import {type Made, type Place, messagesSchema} from './bench.ts'
import {type Caller, Interrupted} from './caller.ts'

/** Slack's words for what is not there any more. */
const GONE: readonly string[] = [
  ...['message_not_found', 'thread_not_found', 'file_not_found', 'file_deleted'],
  'message_not_in_streaming_state',
]

/**
 * Takes away all that was made, and looks into the Slack thread for what was made and never confirmed. What it could not take
 * away, as Slack names it.
 */
export async function leave(
  {channel, root, botUserId, botId}: Pick<Place, 'channel' | 'root' | 'botUserId' | 'botId'>,
  made: Made,
  caller: Caller,
): Promise<string[]> {
  const left: string[] = []
  const tryTo = async (what: string, method: string, args: Record<string, unknown>) => {
    try {
      const said = await caller.refusal(method, args)
      if (said !== 'ok' && !GONE.includes(said)) left.push(`${what} (${said})`)
    } catch (error) {
      if (!(error instanceof SlackError || error instanceof Interrupted)) throw error
      left.push(what)
    }
  }
  for (const ts of made.streams) await tryTo(`the stream ${ts}`, 'chat.stopStream', {channel, ts})
  for (const file of made.files) await tryTo(`the file ${file}`, 'files.delete', {file})
  const isOurs = ({user, bot_id: bot}: {user?: string | undefined; bot_id?: string | undefined}) =>
    user === botUserId || (bot !== undefined && bot === botId)
  const ours = async (): Promise<string[]> =>
    (await readThread(caller, {channel, root})).filter(isOurs).map(({ts}) => ts)
  const remove = async (found: readonly string[]): Promise<void> => {
    for (const ts of [...found].sort().reverse()) {
      if (ts !== root) await tryTo(`the message ${ts}`, 'chat.delete', {channel, ts})
    }
  }
  await remove([...new Set([...made.messages, ...(await ours())])])
  if (left.length === 0) await remove(await ours())
  // It goes last: as long as replies remain Slack shows that something was there.
  await tryTo(`the message ${root}`, 'chat.delete', {channel, ts: root})
  return left
}

async function readThread(caller: Caller, {channel, root}: {channel: string; root: string}) {
  try {
    const query = {channel, ts: root, limit: 200}
    return messagesSchema.parse(await caller.call('conversations.replies', query)).messages
  } catch (error) {
    const isKnown =
      error instanceof SlackError || error instanceof Interrupted || error instanceof z.ZodError
    if (!isKnown) throw error
    return []
  }
}
