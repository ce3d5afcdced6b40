import {isDeepStrictEqual} from 'node:util'
import {z} from 'zod'
import {type Bench, type Message, messagesSchema} from '../bench.ts'
import {differs} from '../finding.ts'
import type {Scene} from '../scene.ts'
import {mark, section} from './blocks.ts'

const TS = /^\d{10}\.\d{6}$/

/** That a message is posted, whose it is, and how it is found again. */
export const messages: Scene = {
  ids: [
    ...(['post-ts', 'reply-below', 'own-author', 'metadata-found', 'escapes-kept'] as const),
    ...(['permalink', 'persona-ours', 'history-metadata', 'links-plain'] as const),
  ],
  play: async (bench) => {
    const {place, caller, attempt, post} = bench
    const {channel, root} = place
    // A token that would call nobody, were it one.
    const escaped = `&lt;#${channel}&gt;`
    let ts = ''
    const stands = await attempt('post-ts', async () => {
      const text = `This is a reply: ${escaped} https://docs.slack.dev/`
      ts = await post({text, blocks: [section(text)], metadata: mark('reply')})
      return TS.test(ts) ? 'a ts came back' : differs('the ts is of another form')
    })
    if (!stands) return
    await attempt('persona-ours', () => tryPersona(bench))
    await attempt('permalink', async () => {
      const {permalink} = linkSchema.parse(
        await caller.call('chat.getPermalink', {channel, message_ts: ts}),
      )
      const isIts = URL.canParse(permalink) && permalink.includes(ts.replace('.', ''))
      return isIts ? 'an address that holds its ts' : differs('no address of this message')
    })
    const message = await readReply(bench, ts)
    if (message === undefined) return
    await attempt('own-author', async () => judgeAuthor(bench, message))
    await attempt('metadata-found', async () => judgeMark(message, 'reply'))
    await attempt('escapes-kept', async () =>
      message.text.includes(escaped) ? 'as it was sent' : differs('it came back as something else'),
    )
    await attempt('history-metadata', async () => {
      const oldest = String(Math.floor(Number(root)) - 1)
      const query = {channel, oldest, limit: 200, include_all_metadata: true}
      const listed = messagesSchema.parse(await caller.call('conversations.history', query))
      const found = listed.messages.find((one) => one.ts === root)
      return found === undefined
        ? differs('the root is not in the history')
        : judgeMark(found, 'root')
    })
    // By now Slack had time to look at the link.
    await attempt('links-plain', async () => {
      const later = await bench.read(ts)
      const count = later?.attachments?.length ?? 0
      return count === 0 ? 'no preview' : differs('a preview stands below it')
    })
  },
}

const linkSchema = z.looseObject({permalink: z.string()})

async function readReply(bench: Bench, ts: string): Promise<Message | undefined> {
  let message: Message | undefined
  await bench.attempt('reply-below', async () => {
    message = await bench.read(ts)
    if (message === undefined) return differs('the reply is not among those of its root')
    return message.thread_ts === bench.place.root ? 'it does' : differs('it stands elsewhere')
  })
  return message
}

function judgeAuthor({place}: Bench, {user}: Message) {
  return user === place.botUserId ? 'the app’s user' : differs('another user, or none')
}

export function judgeMark({metadata}: Message, key: string) {
  if (metadata === undefined) return differs('there is no metadata')
  const {event_payload: wanted} = mark(key)
  return isDeepStrictEqual(metadata.event_payload, wanted)
    ? 'as it was sent'
    : differs('the metadata is not what was sent')
}

async function tryPersona(bench: Bench) {
  const {botUserId, botId} = bench.place
  const persona = {username: 'Bosun, checking', icon_emoji: ':hammer_and_wrench:'}
  const ts = await bench.post({text: 'This one bears another name.', ...persona})
  const {user, bot_id: bot} = (await bench.read(ts)) ?? {}
  const isOurs = user === botUserId || (user === undefined && bot === botId)
  return isOurs ? 'the app’s bot id' : differs('neither the app’s user nor its bot id')
}
