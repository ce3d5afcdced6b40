import {expect, test} from 'vitest'
import {declinedMessage} from '../../../src/slack/draw/declined.ts'

test('words of the platform call nobody and lead nowhere', () => {
  const detail = 'No <!channel>, ask <https://evil.example|us> & go.'
  const {text} = declinedMessage({outcome: 'declined', why: 'refused', detail})
  expect(text).toBe(
    'The agent platform declined: No &lt;!channel&gt;, ask &lt;https://evil.example|us&gt; &amp; go.',
  )
})
