import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {acceptBlocks} from '../../../local/slack/blocks/blocks.ts'
import type {CardContent, PostContent} from '../../../src/relay/post.ts'
import type {DrawRules} from '../../../src/slack/draw/blocks.ts'
import {draw, peopleIn} from '../../../src/slack/draw/draw.ts'

const rules: DrawRules = {
  nameOf: (id) => `@name of ${id}`,
  webUrl: 'https://app.example.com/t/{threadId}',
}
const card: CardContent = {
  kind: 'card',
  turn: 3,
  linkId: 'link1',
  state: 'open',
  title: 'Fix the prices',
  status: 'active',
  sinceMs: Date.UTC(2026, 10, 20, 14, 3),
  project: 'web',
  model: undefined,
  pullRequest: undefined,
  notes: undefined,
  startedBy: 'U1',
  stoppedBy: undefined,
  isStopping: false,
  isMuted: false,
  threadId: 'thread/1',
  notice: undefined,
  credits: 1234,
  steps: 2,
  tool: 'Read `a.ts`\nand more',
}
const say = (markdown: string, more = {}): PostContent => ({kind: 'say', markdown, ...more})
const unsure: PostContent = {
  kind: 'unsure',
  sendId: 'send1',
  sender: 'U1',
  text: 'Jane in #web (slack:abc):\nplease do it',
}
const labels = (content: PostContent, with_ = rules) =>
  draw(content, with_).blocks.flatMap((block) =>
    block.type === 'actions' ? block.elements.map((it) => ('text' in it ? it.text.text : '⋯')) : [],
  )
const headOf = (content: PostContent): string => {
  const [head] = draw(content, rules).blocks
  return head?.type === 'section' ? (head.text?.text ?? '') : ''
}
/** What the menu offers, and what is pressed then. */
const menuOf = (content: PostContent) =>
  draw(content, rules).blocks.flatMap((block) =>
    block.type !== 'actions'
      ? []
      : block.elements.flatMap((it) =>
          it.type === 'overflow' ? it.options.map(({text, value}) => [text.text, value]) : [],
        ),
  )

const menuItem = (text: string, value: string) => ({
  text: {type: 'plain_text', text, emoji: true},
  value,
})

describe('the card', () => {
  test('of work in progress', () => {
    const value = `link1.open-active-${card.sinceMs.toString(36)}-3-XytREH`
    expect(draw(card, rules)).toEqual({
      text: `*Fix the prices* · 🔵 Working since <!date^1795183380^{time}|14:03 UTC>
web · asked by @name of U1 · 2 steps · $1.23`,
      blocks: [
        {
          type: 'section',
          text: {
            type: 'mrkdwn',
            text: '*Fix the prices* · 🔵 Working since <!date^1795183380^{time}|14:03 UTC>',
          },
        },
        {
          type: 'context',
          elements: [{type: 'mrkdwn', text: 'web · asked by @name of U1 · 2 steps · $1.23'}],
        },
        {type: 'context', elements: [{type: 'mrkdwn', text: '`Read ˋa.tsˋ and more`'}]},
        {
          type: 'actions',
          elements: [
            {
              ...{type: 'button', action_id: 'bosun:stop', style: 'danger', value},
              text: {type: 'plain_text', text: 'Stop', emoji: true},
            },
            {
              ...{type: 'button', action_id: 'bosun:open', value},
              text: {type: 'plain_text', text: 'Open', emoji: true},
              url: 'https://app.example.com/t/thread%2F1',
            },
            {
              ...{type: 'overflow', action_id: 'bosun:menu'},
              options: [
                menuItem('Archive', `bosun:ask-archive ${value}`),
                menuItem('New title', `bosun:new-title ${value}`),
                menuItem('Tasks', `bosun:tasks ${value}`),
                menuItem('Details', `bosun:details ${value}`),
                menuItem('Mute here', `bosun:mute ${value}`),
              ],
            },
          ],
        },
      ],
    })
  })

  test.each<[string, Partial<CardContent>, string, string[]]>([
    [
      'starting',
      {state: 'starting', status: undefined, threadId: undefined},
      '⏳ Starting…',
      ['Stop'],
    ],
    ['done', {status: 'idle'}, '⚪️ Done', ['Open', '⋯']],
    ['stopped', {status: 'idle', stoppedBy: 'U2'}, '⏹ Stopped by @name of U2', ['Open', '⋯']],
    ['in need', {status: 'pending_user'}, '🟠 *Needs you*', ['Open', '⋯']],
    [
      'in need and at work',
      {status: 'pending_user', isAtWork: true},
      '🟠 *Needs you*',
      ['Stop', 'Open', '⋯'],
    ],
    ['failed', {status: 'error'}, '🔴 Failed', ['Open', '⋯']],
    [
      'archived',
      {state: 'archived', status: 'archived'},
      '📦 Archived',
      ['Unarchive', 'Open', '⋯'],
    ],
    ['of a new kind', {status: 'dreaming'}, 'dreaming', ['Open', '⋯']],
  ])('of work that is %s', (_name, change, words, buttons) => {
    const content = {...card, ...change}
    expect(headOf(content)).toBe(`*Fix the prices* · ${words}`)
    expect(labels(content)).toEqual(buttons)
  })

  test('offers in its menu what fits its state', () => {
    const items = (change: Partial<CardContent>) =>
      menuOf({...card, ...change}).map(([label, value]) => `${label}: ${value?.split(' ')[0]}`)
    expect(items({status: 'idle'})).toEqual([
      ...['Archive: bosun:archive', 'New title: bosun:new-title', 'Tasks: bosun:tasks'],
      ...['Details: bosun:details', 'Mute here: bosun:mute'],
    ])
    expect(items({isMuted: true})).toContain('Unmute: bosun:unmute')
    expect(items({state: 'archived', status: 'archived'})).toEqual([
      'Tasks: bosun:tasks',
      'Details: bosun:details',
      'File in a folder: bosun:file',
    ])
    expect(items({state: 'ended', threadId: undefined})).toEqual([])
  })

  test('of a Slack thread in which nobody listens says so', () => {
    expect(JSON.stringify(draw({...card, isMuted: true}, rules).blocks)).toContain('🔇 muted')
  })

  test('tells what was chosen, what the agent made of it, and how it was started', () => {
    const {blocks} = draw(
      {
        ...card,
        model: 'fast',
        pullRequest: 'https://git.example/acme/web/-/merge_requests/12',
        notes: {
          read: 14,
          passed: ['log.txt'],
          notPassed: [{name: 'clip.mov', why: 'huge'}],
          byKey: 'nobody',
        },
      },
      rules,
    )
    const [, facts, notes] = blocks
    expect(facts).toEqual({
      type: 'context',
      elements: [
        {
          type: 'mrkdwn',
          text: 'web · fast · asked by @name of U1 · 2 steps · $1.23 · <https://git.example/acme/web/-/merge_requests/12|PR #12 on git.example>',
        },
      ],
    })
    expect(notes).toEqual({
      type: 'context',
      elements: [
        {
          type: 'mrkdwn',
          text: [
            'Read 14 earlier messages',
            'Passed: log.txt. Not passed: clip.mov (over 50 MB).',
            "Started with the team's key: no platform user has your e-mail",
          ].join('\n'),
        },
      ],
    })
  })

  test('says who brought work here that was begun elsewhere, and what could not be read', () => {
    const followed = {...card, isFollowed: true, notes: {unread: true}} as const
    const drawn = JSON.stringify(draw(followed, rules).blocks)
    expect(drawn).toContain('web · followed by @name of U1 · ')
    expect(drawn).toContain('The earlier messages could not be read')
  })

  test('has no [Open] where there is nowhere to go', () => {
    expect(labels(card, {...rules, webUrl: undefined})).toEqual(['Stop', '⋯'])
  })

  test('tells cost in words where it is no number', () => {
    for (const [credits, words] of [
      [NaN, 'cost unknown'],
      [Infinity, 'cost unlimited'],
    ] as const) {
      expect(JSON.stringify(draw({...card, credits}, rules))).toContain(words)
    }
  })

  test('tells what it may cost beside what it costs', () => {
    const budgetMicros = 5_000_000
    for (const [credits, words] of [
      [undefined, '$0.00 of $5'],
      [840, '$0.84 of $5'],
      [NaN, 'cost unknown · budget $5'],
    ] as const) {
      expect(JSON.stringify(draw({...card, credits, budgetMicros}, rules))).toContain(words)
    }
    const stopped = draw({...card, status: 'idle', stoppedBy: 'budget'}, rules)
    expect(stopped.text).toContain('⏹ Stopped by the budget')
    expect(peopleIn({...card, stoppedBy: 'budget'})).toEqual(['U1'])
  })

  test('has another button value after its state changed', () => {
    const valueOf = (content: CardContent) =>
      /"value":"([^"]*)"/.exec(JSON.stringify(draw(content, rules)))?.[1]
    expect(valueOf({...card, sinceMs: card.sinceMs + 1})).not.toBe(valueOf(card))
    expect(valueOf({...card, steps: 9, tool: 'other'})).toBe(valueOf(card))
  })

  test('says in its text what its blocks say, for whoever hears it read out', () => {
    const notice = {code: 'refused', detail: 'This project is archived.'} as const
    const started = {notes: {read: 3}, room: 'C9', isMuted: true}
    expect(draw({...card, ...started, state: 'ended', status: 'error', notice}, rules).text).toBe(
      `*Fix the prices* · 🔴 Failed
⚠️ The agent platform declined: This project is archived.
web · asked by @name of U1 · 2 steps · $1.23 · 🔇 muted: only mentions of me go to the agent
🚪 Goes on in <#C9>
Read 3 earlier messages`,
    )
  })

  test('is one line at its head, whatever its title says', () => {
    const title = 'a\n\n> *Archived* by\r\nthe boss\u2028x \u202Egnorw\u2066'
    const [head] = headOf({...card, title}).split(' · ')
    expect(head).toBe('*a &gt; ∗Archived∗ by the boss x gnorw*')
  })
})

describe('a card', () => {
  test('can be edited, whatever its parts are escaped to', () => {
    const title = '&'.repeat(140)
    const notice = {code: 'refused', detail: '<'.repeat(400)} as const
    const notes = {passed: Array.from({length: 9}, (_, index) => `${index}${'&'.repeat(80)}.png`)}
    const {text} = draw({...card, title, notice, notes, state: 'ended'}, rules)
    expect(text.length).toBeGreaterThan(2000)
    expect(text.length).toBeLessThanOrEqual(4000)
  })

  test('of work without a project begins with what is known', () => {
    const facts = JSON.stringify(draw({...card, project: '', model: 'fast'}, rules).blocks[1])
    expect(facts).toContain('"text":"fast · ')
  })
})

describe('a reply', () => {
  test('is a markdown block with the same words beside it', () => {
    expect(draw(say('**a** < b & c > d'), rules)).toEqual({
      text: 'a &lt; b &amp; c &gt; d',
      blocks: [{type: 'markdown', text: '**a** &lt; b & c > d'}],
    })
  })

  test('tells what is special about it, below', () => {
    const attachments = {count: 2, names: ['chart.png']}
    const special = {attachments, continues: true, interrupted: true, again: true} as const
    const notes = draw(say('x', special), rules)
    expect(notes.blocks.map(({type}) => type)).toEqual([
      'markdown',
      'context',
      'context',
      'context',
      'context',
    ])
    expect(notes.text.split('\n')).toEqual([
      'x',
      '📎 2 attachments: chart.png',
      '⤵ The rest of this reply stands below.',
      '⏹ Stopped before it was finished. The agent does not remember this text.',
      'Posted again, because the first message was deleted or could no longer be changed.',
    ])
  })

  test('that was cut off by the archive comes whole later, and does not say that it was stopped', () => {
    const notes = draw(say('x', {interrupted: true, isPutAway: true}), rules)
    expect(notes.text.split('\n')).toEqual([
      'x',
      '📦 Archived before it was finished: the rest comes once it is unarchived.',
    ])
  })

  test('names as many attachments as fit beside a whole part', () => {
    const names = Array.from({length: 99}, (_, index) => `<&>${index}${'&'.repeat(90)}.png`)
    const {text} = draw(say('x'.repeat(3600), {attachments: {count: 99, names}}), rules)
    expect(text).toMatch(/📎 99 attachments: .*…$/u)
    expect(text.length).toBeLessThan(4000)
  })

  test('fits into what an edit takes beside all that is told below its last part', () => {
    const names = Array.from({length: 99}, (_, index) => `${index}${'&'.repeat(90)}.png`)
    const special = {attachments: {count: 99, names}, endsHere: true, again: true} as const
    expect(draw(say('x'.repeat(3600), special), rules).text.length).toBeLessThanOrEqual(4000)
  })

  test('of attachments alone has no empty block', () => {
    const {blocks} = draw(say('', {attachments: {count: 1, names: []}}), rules)
    expect(blocks).toEqual([
      {type: 'context', elements: [{type: 'mrkdwn', text: '📎 1 attachment'}]},
    ])
  })

  test('that Slack refused is text alone', () => {
    expect(draw(say('**a** <b>', {plain: true}), rules)).toEqual({text: 'a &lt;b&gt;', blocks: []})
  })
})

test('a quote of files alone tells of them, and has no empty bar', () => {
  const attachments = {count: 1, names: ['chart.png']}
  const {text, blocks} = draw({kind: 'quote', author: 'Eve', text: ' ', attachments}, rules)
  expect(text).toContain('📎 1 attachment: chart.png')
  expect(blocks.map(({type}) => type)).toEqual(['context', 'context'])
  const both = draw({kind: 'quote', author: 'Eve', text: 'See this', attachments}, rules)
  expect(both.blocks.map(({type}) => type)).toEqual(['context', 'markdown', 'context'])
})

test('no line of a quote is outside of it, whatever ends its lines', () => {
  const text = 'hi\r\rApproved\nreally\r\nso\u2028there'
  const {blocks} = draw({kind: 'quote', author: 'Eve', text}, rules)
  const [, quote] = blocks
  const lines = quote?.type === 'markdown' ? quote.text.split(/\r\n|[\r\n]/) : []
  expect(lines).toEqual(['> hi', '> ', '> Approved', '> really', '> so\u2028there'])
})

test('a message that may not have arrived is quoted without its first line', () => {
  const {text, blocks} = draw(unsure, rules)
  expect(text).toBe('⚠️ *Not sure this arrived*: “please do it” · @name of U1')
  expect(blocks.map(({type}) => type)).toEqual(['section', 'context', 'actions'])
  expect(labels(unsure)).toEqual(['Check again', 'Send again'])
})

describe('what waits', () => {
  const row = (sendId: string, sender: string, words: string) => ({sendId, sender, words})

  test('is listed in one message, each with its buttons', () => {
    const rows = [row('s1', 'U1', 'use the staging\ndatabase'), row('s2', 'U2', 'and <b> a test')]
    const {text, blocks} = draw({kind: 'waiting', rows, more: 7}, rules)
    expect(text.split('\n')).toEqual([
      '⏳ *Waiting for the agent’s current work to end*',
      '“use the staging database” · @name of U1',
      '“and &lt;b&gt; a test” · @name of U2',
      'and 7 more',
    ])
    expect(blocks.map(({type}) => type)).toEqual([
      ...['section', 'section', 'actions', 'section', 'actions', 'context'],
    ])
    expect(labels({kind: 'waiting', rows, more: 7})).toEqual([
      ...['Send now', 'Cancel', 'Send now', 'Cancel'],
    ])
    expect(peopleIn({kind: 'waiting', rows: [...rows, ...rows], more: 0})).toEqual(['U1', 'U2'])
  })
})

test('people are named whose names are needed', () => {
  expect(peopleIn({...card, stoppedBy: 'U2'})).toEqual(['U1', 'U2'])
  expect(peopleIn(unsure)).toEqual(['U1'])
  expect(peopleIn(say('x'))).toEqual([])
})

/** Words from outside, of any length, with everything that Slack reads as more than words. */
const hostile = fc
  .array(
    fc.constantFrom(
      ...[
        '<!channel>',
        '<!here>',
        '<@U1>',
        '<#C1>',
        '<!subteam^S1>',
        '<https://evil.example|bank>',
      ],
      ...['&lt;!channel&gt;', '\n', '`', '*', '> ', '👩🏽‍💻', '<', '&', 'words ', '|', '\u202E'],
    ),
    {maxLength: 20},
  )
  .chain((parts) => fc.constantFrom(1, 3, 300).map((times) => parts.join('').repeat(times)))
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, {nil: undefined})
const anyCard: fc.Arbitrary<PostContent> = fc.record({
  kind: fc.constant('card' as const),
  turn: fc.constant(0),
  linkId: fc.constant('link1'),
  state: fc.constantFrom('starting', 'ended', 'archived', 'open'),
  title: maybe(hostile),
  status: maybe(fc.oneof(hostile, fc.constantFrom('active', 'idle'))),
  sinceMs: fc.constant(0),
  project: hostile,
  model: maybe(hostile),
  pullRequest: maybe(fc.constantFrom('https://github.com/o/r/pull/1', 'https://e.x/a/pulls/2')),
  notes: maybe(
    fc.record({
      read: fc.nat(30),
      passed: fc.array(hostile, {maxLength: 3}),
      notPassed: fc.array(fc.record({name: hostile, why: fc.constant('no-text' as const)}), {
        maxLength: 3,
      }),
      byKey: fc.constantFrom('nobody' as const, 'unread' as const, 'left' as const),
    }),
  ),
  startedBy: hostile,
  stoppedBy: maybe(hostile),
  isStopping: fc.boolean(),
  isMuted: fc.boolean(),
  threadId: maybe(hostile),
  notice: maybe(fc.record({code: fc.constant('refused' as const), detail: hostile})),
  credits: maybe(fc.double()),
  steps: fc.nat(),
  tool: maybe(hostile),
})
const anyUnsure: fc.Arbitrary<PostContent> = fc.record({
  kind: fc.constant('unsure' as const),
  sendId: fc.constant('s'),
  sender: hostile,
  text: hostile,
})
const anyWaiting: fc.Arbitrary<PostContent> = fc.record({
  kind: fc.constantFrom('waiting' as const, 'held' as const, 'held-archived' as const),
  rows: fc.array(fc.record({sendId: fc.constant('s'), sender: hostile, words: hostile}), {
    minLength: 1,
    maxLength: 20,
  }),
  more: fc.nat(),
})
const anySay: fc.Arbitrary<PostContent> = fc.record({
  kind: fc.constant('say' as const),
  markdown: hostile.map((text) => text.slice(0, 600)),
})

describe('whatever is in it', () => {
  test('Slack takes it', () => {
    fc.assert(
      fc.property(fc.oneof(anyCard, anyUnsure, anySay, anyWaiting), (content) => {
        const {text, blocks} = draw(content, rules)
        expect(text.length).toBeLessThanOrEqual(4000)
        if (blocks.length > 0) acceptBlocks(blocks)
      }),
      {numRuns: 300},
    )
  })

  test('nobody is called, and nothing looks like another place', () => {
    fc.assert(
      fc.property(fc.oneof(anyCard, anyUnsure, anySay, anyWaiting), (content) => {
        const {text, blocks} = draw(content, rules)
        const texts = JSON.stringify({text, blocks}, (name, value: unknown) =>
          name === 'value' ? undefined : value,
        )
          .replaceAll(/<!date\^\d+\^\{time\}\|[\d:]+ UTC>/g, '')
          .replaceAll(/<https:[\w/.]+\|PR #\d( on e\.x)?>/g, '')
        expect(texts).not.toMatch(/<[!@#]|<https?:/)
      }),
      {numRuns: 300},
    )
  })
})

test('half a character is replaced, since the official client cannot send it', () => {
  const {text, blocks} = draw({kind: 'say', markdown: 'cut in the middle \ud83d'}, rules)
  expect(text).toBe('cut in the middle \ufffd')
  expect(JSON.stringify(blocks)).not.toContain('\\ud83d')
})
