import type {Bench} from '../bench.ts'
import {differs} from '../finding.ts'
import type {Scene} from '../scene.ts'
import {checkTexts} from '../texts.ts'
import {section, words} from './blocks.ts'

/** How much a part of a reply holds: `splitRule` in src/slack/posts/writer.ts. */
const PART = 3600
const MOST_BLOCKS = 50
const MOST_SECTION = 3000

/** Blocks at their limits, and over one. */
export const limits: Scene = {
  ids: ['part-fits', 'fifty-blocks', 'long-elements', 'over-refused'],
  play: async (bench) => {
    const {place, caller, attempt, post} = bench
    const {channel} = place
    await attempt('part-fits', async () => {
      const text = words(PART)
      const blocks = [{type: 'markdown', text}]
      const ts = await post({text, blocks})
      await caller.call('chat.update', {channel, ts, text, blocks})
      return 'both were taken'
    })
    await attempt('fifty-blocks', async () => {
      const lines = Array.from({length: MOST_BLOCKS / 2}, (_, at) => section(`Block ${at + 1}`))
      await post({text: 'Many blocks.', blocks: lines.flatMap((one) => [one, {type: 'divider'}])})
      return 'they were taken'
    })
    await attempt('long-elements', async () => {
      const button = {
        type: 'button',
        text: {type: 'plain_text', text: words(75)},
        value: words(2000),
        action_id: 'bosun-check',
      }
      const blocks = [section(words(MOST_SECTION)), {type: 'actions', elements: [button]}]
      await post({text: 'Long elements.', blocks})
      return 'they were taken'
    })
    await attempt('over-refused', () => tryTooMuch(bench))
  },
}

async function tryTooMuch({place, caller}: Bench) {
  const {channel, root} = place
  const blocks = [section(words(MOST_SECTION + 1))]
  const args = {channel, thread_ts: root, text: 'Too much.', blocks}
  // Taken all the same, it is found by the last look into the thread.
  const said = await caller.refusal('chat.postMessage', args)
  return said === 'invalid_blocks' ? said : differs(checkTexts.insteadOf('invalid_blocks', said))
}
