import {nearest} from '../../src/agents/nearest-word.ts'
import {readCron} from '../../src/features/hooks/cron.ts'
import {readName} from '../../src/features/captains/names.ts'
import {readOptions} from '../../src/agents/start-options.ts'
import {readPeriod} from '../../src/features/browse/period.ts'
import {cellEnds} from '../../src/markdown/blocks.ts'
import {pairEmphasis} from '../../src/markdown/emphasis.ts'
import {readInlines} from '../../src/markdown/inlines.ts'
import {layOut} from '../../src/markdown/paragraphs.ts'
import {offersIn} from '../../src/markdown/offers.ts'
import {questionIn} from '../../src/markdown/question.ts'
import {readableLength} from '../../src/markdown/readable.ts'
import {splitMarkdown} from '../../src/markdown/split.ts'
import {toVisible} from '../../src/markdown/visible.ts'
import {createDraft, interrupt} from '../../src/relay/timeline/drafts.ts'
import {draftPosts, entryPosts} from '../../src/relay/posts/reply-posts.ts'
import {pullRequestIn} from '../../src/relay/posts/pull-request.ts'
import {csvLine} from '../../src/security/csv.ts'
import {mayBeGenuine} from '../../src/features/hooks/secret-check.ts'
import {createLeaks} from '../../src/security/leaks.ts'
import {createSealer} from '../../src/security/seal.ts'
import {Secret} from '../../src/security/secret.ts'
import {parseInteraction} from '../../src/slack/incoming/interaction.ts'
import {isDisguise, isPlainAddress} from '../../src/markdown/safe/addresses.ts'
import {breakAmbiguousLinks} from '../../src/markdown/safe/ambiguous-links.ts'
import {toSafeMarkdown} from '../../src/markdown/safe/safe-markdown.ts'
import {inBold, reasonLine} from '../../src/slack/markup/lines.ts'
import {escapedLength, plainMrkdwn, toReadable} from '../../src/slack/markup/markup.ts'
import {toPlain} from '../../src/slack/markup/plain.ts'
import {fence, quote} from '../../src/slack/prompts/quoting.ts'
import {readPullRequest, toRepo} from '../../src/slack/markup/pull-requests.ts'
import {readRuleFile, readScopes} from '../../src/features/reviews/rules.ts'
import {readThreadId} from '../../src/features/watch/follow.ts'
import {readInstruction} from '../../src/slack/incoming/instructions.ts'
import {createProtect} from '../../src/slack/secrecy.ts'
import type {Read} from './worst-inputs.ts'

const MARKS = ['*', '_', '~', '`', '[', ']', '(', ')', '<', '>', '|', '#', '-', '\\', '!', '&', ':']
const BLANKS = [' ', '\t', '\n', '\r', '\u00a0']
const LETTERS = [
  'a',
  'A',
  '1',
  '.',
  '/',
  '@',
  '"',
  "'",
  ';',
  '=',
  ',',
  '{',
  '\0',
  '\u0301',
  '👩',
  '\u200d',
]
const PLAIN = [...MARKS, ...BLANKS, ...LETTERS]
const MARKDOWN = [
  ...PLAIN,
  ...[
    '](',
    '![',
    '[a](',
    '[a](b',
    '](https://a.example',
    '```',
    '~~~',
    '\n> ',
    '\n- ',
    '\n1. ',
    '\n|',
  ],
  ...[
    '|-|',
    '&lt;',
    '&#x',
    'https://',
    'www.',
    'mailto:',
    '<https://a.b>',
    '\n[',
    '\n\n',
    '](a:b',
    '    ',
  ],
]
const COMMANDS = [
  ...PLAIN,
  ...[
    'title=',
    'title="',
    '"x',
    '[title=',
    'model=a',
    '<@U1',
    '<@W',
    '<#C1|',
    '!now',
    '!aside',
    'last ',
  ],
  ...[
    'to ',
    '2026-11',
    '..',
    '/pull/',
    '/pull/1',
    'https://',
    'a/b',
    'a/b: c\n',
    '.git',
    'Ada ',
    '“',
    '*/',
    '<a|',
  ],
]
const KEYS = [
  ...PLAIN,
  ...[
    'xoxb-',
    'xapp-',
    'api_',
    'sk-',
    'token-',
    'Bearer ',
    'API KEY',
    '/webhooks/automations/',
    'aB3dE5fG7',
    'aB3dE5fG7hJ9kL1m',
    'show-once-',
    '+',
    '~',
    'a1',
    'connect ',
  ],
]
const PAGES = [
  ...PLAIN,
  'https://',
  'https://a',
  '/pull/',
  '/pull/1',
  '/pulls',
  '/merge_requests/',
  '%',
]

const RULE = {maxCost: 3600, costOf: escapedLength}
const SHAPING = {shapes: new Map<string, 'small' | 'file'>(), noFiles: false}
const entryOf = (text: string, author?: string) => ({
  ...{
    entryId: 'e',
    delivery: 'd',
    author,
    text,
    attachments: undefined,
    cursor: undefined,
    steps: 0,
  },
})
const leaks = createLeaks()
leaks.learn(new Secret('xoxb-aB3dE5fG7hJ9kL1mN3pQ5'))
const protect = createProtect({leaks, sealer: createSealer([])})
const names = {
  user: (id: string) => Promise.resolve(id),
  channel: (id: string) => Promise.resolve(id),
  place: (id: string) => Promise.resolve(id),
}
const captains = new Map([1, 2, 3].map((id) => [id, `Ada ${id}`]))
const event = (text: string) => ({
  ...{type: 'event_callback', team_id: 'T1'},
  event: {type: 'message', user: 'U1', channel: 'C1', ts: '1.0', text},
})
const halves = (text: string): [string, string] => [
  text.slice(0, text.length / 2),
  text.slice(text.length / 2),
]

/** Whatever reads texts of others: what it does, and words that mean something to it. */
export const READERS: Readonly<Record<string, {read: Read; words: readonly string[]}>> = {
  readableLength: {read: readableLength, words: MARKDOWN},
  splitMarkdown: {read: (text) => splitMarkdown(text, 3600, escapedLength), words: MARKDOWN},
  'splitMarkdown, growing': {
    read: (text) => splitMarkdown(text, 3600, escapedLength, 'growing'),
    words: MARKDOWN,
  },
  layOut: {read: layOut, words: MARKDOWN},
  cellEnds: {read: cellEnds, words: PLAIN},
  readInlines: {read: readInlines, words: MARKDOWN},
  pairEmphasis: {read: (text) => pairEmphasis(text, () => false), words: PLAIN},
  questionIn: {read: questionIn, words: PLAIN},
  offersIn: {read: offersIn, words: PLAIN},
  toVisible: {read: toVisible, words: PLAIN},
  toSafeMarkdown: {read: toSafeMarkdown, words: MARKDOWN},
  toPlain: {read: toPlain, words: MARKDOWN},
  plainMrkdwn: {read: plainMrkdwn, words: MARKDOWN},
  breakAmbiguousLinks: {read: breakAmbiguousLinks, words: MARKDOWN},
  'isDisguise, label': {read: (text) => isDisguise(text, 'https://a.b'), words: MARKDOWN},
  'isDisguise, target': {read: (text) => isDisguise('a.b', `https://${text}`), words: MARKDOWN},
  'isDisguise, both': {
    read: (text) => {
      const [label, rest] = halves(text)
      return isDisguise(label, `https://a.b/${rest}`)
    },
    words: [...PLAIN, 'a.b ', 'a.b\n'],
  },
  isPlainAddress: {read: (text) => isPlainAddress(`https://${text}`), words: PLAIN},
  toReadable: {read: (text) => toReadable(text, names), words: COMMANDS},
  oneLine: {read: (text) => inBold(text, 80), words: PLAIN},
  reasonLine: {read: reasonLine, words: PLAIN},
  readPullRequest: {read: readPullRequest, words: COMMANDS},
  toRepo: {read: toRepo, words: COMMANDS},
  readScopes: {read: readScopes, words: COMMANDS},
  readRuleFile: {read: readRuleFile, words: COMMANDS},
  readThreadId: {read: (text) => readThreadId(text, 'https://a/{threadId}/b'), words: COMMANDS},
  readInstruction: {
    read: (text) => readInstruction(text, {botUserId: 'U1', isDirect: false}),
    words: COMMANDS,
  },
  quote: {
    read: (text) => quote('h', [{author: text, text, files: [text], forwarded: []}]),
    words: PLAIN,
  },
  fence: {read: (text) => fence({name: text, text}), words: PLAIN},
  readName: {read: (text) => readName(text, captains), words: COMMANDS},
  nearest: {read: (text) => nearest([text, 'Ada'], text), words: PLAIN},
  readPeriod: {read: (text) => readPeriod(text, 1.8e12), words: COMMANDS},
  readCron: {
    read: (text) => readCron(text, 'UTC', 1.8e12),
    words: [' ', '1', ',', '*', '/', '-', '* '],
  },
  readOptions: {read: readOptions, words: COMMANDS},
  clean: {read: (text) => leaks.clean(text), words: KEYS},
  hide: {read: (text) => leaks.hide(text, '[hidden]'), words: KEYS},
  protect: {read: (text) => protect({command: '/bosun', text}), words: KEYS},
  csvLine: {read: (text) => csvLine([text]), words: PLAIN},
  mayBeGenuine: {
    read: (text) => mayBeGenuine({...claim, authorizations: [text]}, [new Secret('s')]),
    words: [...PLAIN, 'Bearer ', 'Bearer'],
  },
  'parseDeed, message': {read: (text) => parseInteraction(event(text)), words: COMMANDS},
  'parseDeed, command': {
    read: (text) =>
      parseInteraction({
        command: '/b',
        text,
        team_id: 'T',
        channel_id: 'C',
        user_id: 'U',
        trigger_id: 't',
      }),
    words: COMMANDS,
  },
  entryPosts: {read: (text) => entryPosts(entryOf(text), RULE, SHAPING), words: MARKDOWN},
  'entryPosts, quote': {
    read: (text) => entryPosts(entryOf(text, 'A'), RULE, SHAPING),
    words: [...PLAIN, ' (slack:1a2b3c4d):\n', ' (slack:'],
  },
  draftPosts: {read: (text) => draftPosts(createDraft('d', text), RULE, SHAPING), words: MARKDOWN},
  'draftPosts, interrupted': {
    read: (text) => draftPosts(interrupt(createDraft('d', text)), RULE, SHAPING),
    words: MARKDOWN,
  },
  pullRequestIn: {read: pullRequestIn, words: PAGES},
}
const claim = {timestamps: [], signatures: [], githubSignatures: []}
