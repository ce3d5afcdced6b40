import type {Dialect} from './cut-streams.ts'
import type {RecordedFrame, Story} from './recorded-streams.ts'

/** What is recorded, and the dialect in which it is told again. */
interface ToldStory {
  story: Story
  dialect: Dialect
}

const plain: Dialect = {name: 'plain'}

const withoutCall = (frame: RecordedFrame): RecordedFrame[] => {
  const {callId, ...data} = frame.data
  const isReply = frame.event === 'transcript' && callId !== undefined
  return [isReply ? {...frame, data} : frame]
}

const isRow = ({event}: RecordedFrame): boolean => event === 'transcript'

/** The status behind a run's end stands in front of it. */
const statusFirst = (frames: readonly RecordedFrame[]): RecordedFrame[] => {
  const told = [...frames]
  told.forEach((frame, at) => {
    const next = told[at + 1]
    const isEnd = frame.event === 'run' && frame.data['phase'] === 'end'
    if (isEnd && next?.event === 'status') told.splice(at, 2, next, frame)
  })
  return told
}

const dialects = {
  plain,
  crlf: {name: 'CRLF, marked', lineEnd: '\r\n', isMarked: true},
  cr: {name: 'CR', lineEnd: '\r'},
  bytewise: {name: 'byte by byte', chunkBytes: 1},
  triples: {name: 'three bytes each', chunkBytes: 3, lineEnd: '\r\n'},
  withoutCalls: {name: 'replies without callId', encode: withoutCall},
  twice: {name: 'rows twice', encode: (frame) => (isRow(frame) ? [frame, frame] : [frame])},
  statusFirst: {name: 'status in front of the run’s end', retell: statusFirst},
  retryInside: {name: 'retry inside the first frame', retry: 'inside', tellsRunStart: true},
  noRetry: {name: 'no retry line, runs told', retry: 'never', tellsRunStart: true},
  noisy: {
    name: 'noise between frames',
    encode: (frame) => [
      {event: 'novelty', id: undefined, data: {callId: 'x', text: 'new'}},
      {...frame, data: {...frame.data, novelty: {deep: [1, null]}}},
      {event: 'heartbeat', id: undefined, data: {}},
    ],
  },
  oddCursors: {
    name: 'cursors that no header takes',
    retell: (frames) =>
      frames.map(({id, ...frame}) => ({...frame, id: id === undefined ? undefined : `…${id}`})),
  },
} satisfies Record<string, Dialect>

/** Scripts of which every piece is short enough to be cut at every byte in no time. */
const writes = (text: string) =>
  ({kind: 'say', fragments: text.match(/[^]{1,7}/g) ?? [''], delayMs: 0}) as const

const languages: Story = {
  name: 'languages',
  message: 'write in all scripts',
  steps: [
    // Cut in the middle of surrogate pairs, of joined emoji and of marks above letters.
    {
      kind: 'say',
      fragments: ['\uD83D', '\uDC69\uD83C', '\uDFFD\u200D', '💻 ok', ' 日本', '語 e', '\u0301'],
    },
    writes('مرحبا <b>&amp; *x* `y` שלום 🇩🇪🇫🇷 한국어 ไทย'),
  ],
}

const interleaved: Story = {
  name: 'interleaved deliveries',
  message: 'two at once',
  steps: [
    {kind: 'assistant', callId: 'one', text: 'The first '},
    {kind: 'assistant', callId: 'two', text: 'The second, '},
    {kind: 'assistant', callId: 'one', text: 'is long.'},
    {
      kind: 'entry',
      entry: {source: 'assistant', callId: 'two', text: 'The second, which settles first.'},
    },
    {kind: 'tool', name: 'read', text: 'Read a file'},
    {kind: 'entry', entry: {source: 'assistant', callId: 'one', text: 'The first is long.'}},
    {kind: 'entry', entry: {source: 'assistant', callId: 'two', text: 'The call of the second.'}},
    {kind: 'entry', entry: {source: 'assistant', text: 'Nobody saw this one come.'}},
    {kind: 'entry', entry: {source: 'assistant', callId: 'none', text: ''}},
  ],
}

const brokenTurns: Story = {
  name: 'aborted and dropped turns',
  message: 'break off',
  steps: [
    {kind: 'turn', outcome: 'aborted', steps: [{kind: 'draft', fragments: ['This was ', 'never']}]},
    {kind: 'turn', outcome: 'dropped', steps: [writes('Dropped, but it stands.')]},
    {kind: 'turn', outcome: 'settled', steps: [writes('And this is the end.')]},
    {kind: 'rest', state: 'error'},
  ],
}

const interrupted: Story = {
  name: 'interrupted run',
  message: 'never ends',
  steps: [
    {kind: 'draft', fragments: ['I am about ', 'to say']},
    {kind: 'think', delayMs: 3_600_000},
  ],
  then: async ({post, hears, rests}) => {
    await hears('to say')
    await post('/interrupt')
    await rests()
    await post('/message', {text: 'quick answer instead', delivery: 'queue'})
    await hears('instead')
  },
}

const followUps: Story = {
  name: 'follow-ups',
  message: 'quick start',
  then: async ({post}) => {
    await post('/message', {text: 'quick second', delivery: 'queue'})
    await post('/message', {text: 'quick third', delivery: 'queue'})
    await post('/message', {text: 'ask me a question', delivery: 'steer'})
  },
}

const archived: Story = {
  name: 'archive',
  message: 'quick, then nothing',
  then: async ({post, rests}) => {
    await rests()
    await post('/archive')
  },
}

const tell = (name: string, message: string, more: Partial<Story> = {}): Story => ({
  name,
  message,
  ...more,
})

/** Short ones, for every run of the tests. */
export const shortStories: readonly ToldStory[] = [
  {story: tell('quick reply', 'a quick word'), dialect: dialects.bytewise},
  {story: languages, dialect: dialects.triples},
  {story: interleaved, dialect: dialects.plain},
  {story: brokenTurns, dialect: dialects.noRetry},
  {story: interrupted, dialect: dialects.retryInside},
  {story: followUps, dialect: dialects.twice},
  {story: archived, dialect: dialects.crlf},
  {story: tell('question', 'ask me a question'), dialect: dialects.withoutCalls},
]

/** Every scenario of the agent, and dialects that others may speak. */
export const allStories: readonly ToldStory[] = [
  ...shortStories,
  {story: tell('work', 'fix the 価格 & <rounding> of the cart'), dialect: plain},
  {story: tell('work, told without calls', 'some work'), dialect: dialects.withoutCalls},
  {story: tell('long run', 'a long look at the cart'), dialect: plain},
  {
    story: tell('waiting', 'push, and wait for CI', {vocabulary: 'schema'}),
    dialect: dialects.statusFirst,
  },
  {story: tell('pull request', 'open a pull request'), dialect: dialects.oddCursors},
  {story: tell('screenshot', 'take a screenshot'), dialect: dialects.cr},
  {story: tell('tasks', 'do it in parallel'), dialect: plain},
  {story: tell('tasks that fail', 'let tasks fail'), dialect: dialects.noisy},
  {story: tell('failure', 'fail at the cart'), dialect: dialects.statusFirst},
  {story: tell('greeting', 'Ada', {isCaptain: true}), dialect: dialects.noisy},
  {story: tell('review', 'Review acme/web#12 at 1a2b3c4'), dialect: dialects.twice},
  {story: interleaved, dialect: dialects.withoutCalls},
]
