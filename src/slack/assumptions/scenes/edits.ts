import {z} from 'zod'
import type {Bench} from '../bench.ts'
import {differs} from '../finding.ts'
import type {Scene} from '../scene.ts'
import {checkTexts} from '../texts.ts'
import {mark, section, words} from './blocks.ts'
import {judgeMark} from './messages.ts'

const editedSchema = z.looseObject({ts: z.string()})
const TOO_LONG = 4001

/** That messages that stand are changed, and how far. */
export const edits: Scene = {
  ids: [
    ...(['edit-keeps-ts', 'edit-repeated', 'edit-keeps-metadata'] as const),
    ...(['edit-limit', 'edit-clears-blocks'] as const),
  ],
  play: async (bench) => {
    const {place, caller, attempt, post, read} = bench
    const {channel} = place
    const ts = await post({
      text: 'Before the edit.',
      blocks: [{...section('Before the edit.'), block_id: 'before'}],
      metadata: mark('edited'),
    })
    const text = 'After the edit.'
    const edit = {channel, ts, text, blocks: [{...section(text), block_id: 'after'}]}
    const isEdited = await attempt('edit-keeps-ts', async () => {
      const answer = editedSchema.parse(await caller.call('chat.update', edit))
      if (answer.ts !== ts) return differs('the answer names another ts')
      const message = await read(ts, (one) => one.text.includes(text))
      return message?.text.includes(text) === true
        ? 'it does'
        : differs('the old words stand there')
    })
    if (!isEdited) return
    await attempt('edit-repeated', async () => {
      await caller.call('chat.update', edit)
      return 'it was taken again'
    })
    await attempt('edit-keeps-metadata', async () => {
      const message = await read(ts)
      return message === undefined ? differs('the message is gone') : judgeMark(message, 'edited')
    })
    await attempt('edit-limit', async () => {
      const said = await caller.refusal('chat.update', {channel, ts, text: words(TOO_LONG)})
      return said === 'msg_too_long' ? said : differs(checkTexts.insteadOf('msg_too_long', said))
    })
    await attempt('edit-clears-blocks', () => tryClearing(bench, ts))
  },
}

async function tryClearing({place, caller, read}: Bench, ts: string) {
  const text = 'Words alone.'
  await caller.call('chat.update', {channel: place.channel, ts, text, blocks: []})
  const isClear = (one: {blocks?: {block_id?: string | undefined}[] | undefined}): boolean =>
    one.blocks?.some(({block_id: id}) => id === 'after') !== true
  const message = await read(ts, isClear)
  if (message === undefined) return differs('the message is gone')
  return isClear(message) ? 'they are gone' : differs('the blocks stand there still')
}
