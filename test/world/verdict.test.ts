import {describe, expect, test} from 'vitest'
import type {StoredMessage} from '../../local/slack/messages/messages.ts'
import {type Entry, entrySchema} from '../../src/platform/model.ts'
import {FAULTLESS, verdict} from '../support/verdict.ts'

const PLACE = {channel: 'C', ts: '1.0'}
const FILES: Readonly<Record<string, string>> = {F1: 'c = 3\nd = 4\n```\n\nThe end & more.'}
const CARD = [{type: 'section', text: {type: 'mrkdwn', text: 'Working'}}]

const said = (...texts: string[]): Entry[] =>
  texts.map((text, index) =>
    entrySchema.parse({id: `e${index}`, source: 'assistant', text, callId: `call${index}`}),
  )

const markdown = (text: string): StoredMessage => message([{type: 'markdown', text}])
const card = message(CARD)

const keyOf = (key: string): NonNullable<StoredMessage['metadata']> => ({
  event_type: 'bosun_post',
  event_payload: {link: 'link', key},
})

function message(
  blocks: StoredMessage['blocks'],
  more: Partial<StoredMessage> = {},
): StoredMessage {
  const sender = {channel: 'C', ts: '2.0', userId: 'U', text: ''}
  return {...sender, reactions: [], ...(blocks !== undefined && {blocks}), ...more}
}

/** What is wrong when these entries are shown so. */
function judge(entries: Entry[], ours: StoredMessage[]): Partial<typeof FAULTLESS> {
  const seen = verdict(
    {
      slack: {teamId: 'T', fileText: (id) => FILES[id]},
      threadIn: () => ({id: 't', requestId: 'slack:T:C:1.0', status: 'idle'}),
      transcriptIn: () => entries,
      ours: () => ours,
      requests: () => [],
    },
    PLACE,
  )
  const names = Object.keys(FAULTLESS) as (keyof typeof FAULTLESS)[]
  const differing = names.filter(
    (name) =>
      name !== 'creations' && JSON.stringify(seen[name]) !== JSON.stringify(FAULTLESS[name]),
  )
  return Object.fromEntries(differing.map((name) => [name, seen[name]]))
}

describe('the verdict on a Slack thread', () => {
  test('finds what is lost, doubled, out of order, wrong, and a card too many', () => {
    const [one, two] = [markdown('One, first.'), markdown('Two, second.')]
    const both = said('One, first.', 'Two, second.')
    expect(judge(both, [card, one, two])).toEqual({})
    expect(judge(both, [card, one])).toEqual({lost: ['Two, second.']})
    expect(judge(both, [card, one, two, one])).toEqual({doubled: ['One, first.']})
    expect(judge(both, [card, two, one])).toEqual({outOfOrder: ['Two, second.']})
    expect(judge(both, [card, one, two, markdown('Three.')])).toEqual({wrong: ['Three.']})
    expect(judge(both, [card, card, one, two])).toEqual({cards: 2})
  })

  test('reads letters and digits, whatever became of marks, links and entities', () => {
    const text = '**See** [the `plan`](https://x.test/1) & a < b\\_c.'
    expect(
      judge(said(text), [card, markdown('See the `plan` (https://x.test/1) & a &lt; b_c.')]),
    ).toEqual({})
    expect(
      judge(said(text), [
        card,
        message([], {text: 'See the `plan` (https://x.test/1) &amp; a &lt; b_c.'}),
      ]),
    ).toEqual({})
    expect(
      judge(said(text), [card, markdown('See the `plan` (https://x.test/2) & a &lt; b_c.')]),
    ).toMatchObject({lost: [text]})
  })

  test('reads code character for character', () => {
    const text = 'Run:\n\n```sh\nrm -rf ./build && ls\n```\n'
    expect(judge(said(text), [card, markdown(text)])).toEqual({})
    for (const wrong of [
      text.replace('&& ', ''),
      text.replace('-rf', '- rf'),
      text.replace('./', '/'),
    ]) {
      expect(judge(said(text), [card, markdown(wrong)])).toMatchObject({lost: [text]})
    }
  })

  test('joins parts, their repeated heads, and the file in which a long reply goes on', () => {
    const table = '| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |'
    const parts = [
      markdown('| a | b |\n| --- | --- |\n| 1 | 2 |'),
      markdown('| a | b |\n| --- | --- |\n| 3 | 4 |'),
    ]
    expect(judge(said(table), [card, ...parts])).toEqual({})
    const code = '```py\na = 1\nb = 2\nc = 3\nd = 4\n```\n\nThe end & more.'
    const file = message(undefined, {fileIds: ['F1']})
    const first = [markdown('```py\na = 1\n```'), markdown('```py\nb = 2\n```')]
    expect(judge(said(code), [card, ...first, file])).toEqual({})
    expect(judge(said(code), [card, ...first])).toMatchObject({lost: [code]})
    expect(judge(said(code), [card, file, ...first])).toMatchObject({lost: [code]})
  })

  test('takes quotes, questions and what broke off for no replies', () => {
    const note = (text: string) => ({type: 'context', elements: [{type: 'mrkdwn', text}]})
    const quote = message([note('💬 Jane wrote'), {type: 'markdown', text: '> One.'}])
    const stopped = [{type: 'markdown', text: 'One.'}, note('⏹ Stopped before it was finished.')]
    const broken = message(stopped, {metadata: keyOf('say:call_of_before:0')})
    const again = message([{type: 'markdown', text: 'One.'}, note('Posted again, because …')])
    const question = message(CARD, {text: 'Not sure this arrived: hello'})
    expect(judge(said('One.'), [card, quote, broken, again, question])).toEqual({})
    expect(judge(said('One.'), [card, quote, broken])).toEqual({lost: ['One.']})
    expect(judge(said('One.', 'Two.'), [card, markdown('Two.'), again])).toEqual({})
    expect(judge(said('One.', 'Two.'), [card, markdown('Two.'), markdown('One.')])).toEqual({
      outOfOrder: ['Two.'],
    })
    const sameCall = message(stopped, {metadata: keyOf('say:call0:0')})
    expect(judge(said('One.'), [card, sameCall, again])).toEqual({doubled: ['One.']})
  })
})
