import {expect, test} from 'vitest'
import {acceptBlocks} from '../../../local/slack/blocks/blocks.ts'
import {declinedMessage} from '../../../src/slack/draw/declined.ts'
import {quoteUnsent} from '../../../src/slack/gate/written.ts'

test('words of the platform call nobody and lead nowhere', () => {
  const detail = 'No <!channel>, ask <https://evil.example|us> & go.'
  const {text} = declinedMessage({outcome: 'declined', why: 'refused', detail})
  expect(text).toBe(
    'The agent platform declined: No &lt;!channel&gt;, ask &lt;https://evil.example|us&gt; &amp; go.',
  )
})

test('of what was written in a form nothing is lost, beside buttons too', () => {
  const written = Array.from({length: 100}, (_, at) => `if (a[${at}] < b && c > d) return`)
  const button = {type: 'actions' as const, elements: []}
  const {blocks = []} = quoteUnsent('The budget is used up.', written.join('\n'), [button])
  acceptBlocks(JSON.parse(JSON.stringify(blocks.slice(0, -1))))
  const shown = JSON.stringify(blocks)
  for (const at of written.keys()) expect(shown).toContain(`>if (a[${at}] &lt; b &amp;&amp; c`)
  expect(blocks.at(-1)).toBe(button)
})
