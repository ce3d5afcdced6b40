import {z} from 'zod'
import type {Bench} from '../bench.ts'
import {differs} from '../finding.ts'
import type {Scene} from '../scene.ts'
import {checkTexts} from '../texts.ts'
import {section} from './blocks.ts'

const whisperedSchema = z.looseObject({message_ts: z.string()})
const publishedSchema = z.looseObject({view: z.looseObject({id: z.string()})})

/** What one person alone sees. */
export const whispers: Scene = {
  ids: ['whisper', 'home'],
  without: ({place}) => (place.witness === undefined ? checkTexts.noWitness : undefined),
  play: async (bench) => {
    const {place, caller, attempt} = bench
    await attempt('whisper', () => tryWhisper(bench))
    await attempt('home', async () => {
      const text =
        'Bosun tries whether it may write here. It does so again as soon as you come back.'
      const view = {type: 'home', blocks: [section(text)]}
      publishedSchema.parse(await caller.call('views.publish', {user_id: place.witness, view}))
      return 'it was'
    })
  },
}

async function tryWhisper({place, caller, thread}: Bench) {
  const {channel, root, witness} = place
  const text = 'Only you see this: Bosun tries whether it can whisper.'
  const args = {channel, thread_ts: root, user: witness, text}
  const {message_ts: ts} = whisperedSchema.parse(await caller.call('chat.postEphemeral', args))
  const isListed = (await thread()).some((one) => one.ts === ts)
  return isListed ? differs('it stands in the thread for all') : 'it was'
}
