import {z} from 'zod'
import type {Bench} from '../bench.ts'
import {differs, untried} from '../finding.ts'
import type {Scene} from '../scene.ts'
import {checkTexts} from '../texts.ts'
import {mark, section} from './blocks.ts'
import {judgeMark} from './messages.ts'

const startedSchema = z.looseObject({ts: z.string()})
/** The relay ends a stream then: src/relay/publish/stream-steps.ts. */
const LIVES_MS = 240_000

/** One stream, from its start to what comes after its end. */
export const streams: Scene = {
  ids: [
    ...(['stream-starts', 'stream-grows', 'stream-locks-edits', 'stream-locks-deletes'] as const),
    ...(['stream-lives', 'stream-metadata', 'stream-over', 'stream-edited-after'] as const),
  ],
  without: ({place}) => (place.reader === undefined ? checkTexts.noReader : undefined),
  play: async (bench) => {
    const {place, caller, made, attempt, read} = bench
    const {channel} = place
    let ts = ''
    const isStarted = await attempt('stream-starts', async () => {
      ts = await startStream(bench, 'A stream begins, ')
      return 'it began'
    })
    if (!isStarted) return
    const append = {channel, ts, markdown_text: 'and goes on, '}
    await attempt('stream-grows', async () => {
      await caller.call('chat.appendStream', append)
      const isWhole = ({text}: {text: string}) => /A stream begins,\s+and goes on,/.test(text)
      const message = await read(ts, isWhole)
      return message !== undefined && isWhole(message)
        ? 'it does'
        : differs('other words stand there')
    })
    await attempt('stream-locks-edits', () =>
      tryRefused(bench, 'chat.update', {
        args: {channel, ts, text: 'Too soon.', blocks: [section('Too soon.')]},
        wanted: 'streaming_state_conflict',
      }),
    )
    const isKept = await attempt('stream-locks-deletes', () =>
      tryRefused(bench, 'chat.delete', {args: {channel, ts}, wanted: 'cant_delete_message'}),
    )
    if (!isKept) return
    await attempt('stream-lives', async () => {
      if (!place.isThorough) return untried(checkTexts.thorough)
      await bench.pause(LIVES_MS)
      await caller.call('chat.appendStream', append)
      return 'it was taken'
    })
    await attempt('stream-metadata', async () => {
      const end = {channel, ts, markdown_text: 'and ends.', metadata: mark('streamed')}
      await caller.call('chat.stopStream', end)
      made.streams.delete(ts)
      const message = await read(ts, ({metadata}) => metadata !== undefined)
      return message === undefined ? differs('the message is gone') : judgeMark(message, 'streamed')
    })
    if (made.streams.has(ts)) return
    await attempt('stream-over', () =>
      tryRefused(bench, 'chat.appendStream', {
        args: append,
        wanted: 'message_not_in_streaming_state',
      }),
    )
    await attempt('stream-edited-after', async () => {
      const text = 'What was streamed is edited.'
      await caller.call('chat.update', {channel, ts, text, blocks: [section(text)]})
      const message = await read(ts, (one) => one.text.includes(text))
      return message?.text.includes(text) === true ? 'it was' : differs('the old words stand there')
    })
  },
}

export async function startStream({place, caller, made}: Bench, text: string): Promise<string> {
  const {channel, root, team, reader} = place
  const whom = {recipient_user_id: reader, recipient_team_id: team}
  const args = {channel, thread_ts: root, ...whom, markdown_text: text}
  const {ts} = startedSchema.parse(await caller.call('chat.startStream', args))
  made.streams.add(ts)
  made.messages.add(ts)
  return ts
}

async function tryRefused(
  {caller}: Bench,
  method: string,
  {args, wanted}: {args: Record<string, unknown>; wanted: string},
) {
  const said = await caller.refusal(method, args)
  return said === wanted ? said : differs(checkTexts.insteadOf(wanted, said))
}
