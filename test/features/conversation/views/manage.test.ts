import type {ActionsBlock, Button} from '@slack/types'
import {describe, expect, test} from 'vitest'
import {drawArchiving, drawManage} from '../../../../src/features/conversation/views/manage.ts'
import {type Thread, threadSchema} from '../../../../src/platform/model.ts'
import type {Link} from '../../../../src/store/tables/work/link.ts'
import {FRESH_LINK} from '../../../support/fresh-link.ts'

const link: Link = {...FRESH_LINK, title: '*x* <!here>'}
const wordsOf = (credits: number): string =>
  JSON.stringify(
    drawManage({
      link: {...link, credits},
      ...{thread: undefined, startedBy: '@Jane', said: undefined},
    }),
  )

test('to take work over asks first, since nobody can undo it', () => {
  expect(wordsOf(1)).toMatch(/"confirm":\{"title":\{[^}]*"Take over\?".*Nobody can undo that here/)
})

test('a title ends no emphasis of ours, and a day stands beside the hour', () => {
  expect(wordsOf(1)).toContain('*∗x∗ &lt;!here&gt;* · ')
  expect(wordsOf(1)).toContain('{date_short_pretty} {time}')
})

test('a cost that is no number is one word', () => {
  expect(wordsOf(1500)).toContain('Total: 1500 credits ($1.50)')
  expect(wordsOf(NaN)).toContain('Total: unknown"')
  expect(wordsOf(Infinity)).toContain('Total: unlimited"')
})

test('ids stand last, in one line, and nowhere else', () => {
  const told = {...link, threadId: 'thread_1', projectId: 'project_1', projectName: 'web'}
  const {blocks} = drawManage({
    link: {...told, status: 'idle', state: 'open'},
    ...{thread: undefined, startedBy: '@Jane', said: undefined},
  })
  const [last, ...others] = blocks.toReversed()
  expect(JSON.stringify(last)).toContain(`For support: \`thread_1\` · \`${link.id}\``)
  const words = others
    .toReversed()
    .flatMap((block) => ('fields' in block ? (block.fields ?? []) : []))
  expect(JSON.stringify(words)).not.toMatch(/_1|idle/)
  expect(JSON.stringify(blocks[0])).not.toContain('idle')
})

type Authors = Pick<Parameters<typeof drawManage>[0], 'author' | 'previousAuthor'>

describe('what the platform knows', () => {
  const fieldsOf = (thread: Partial<Thread>, authors: Authors = {}): string[] =>
    drawManage({
      link,
      thread: threadSchema.parse({id: 'thread_1', status: 'idle', ...thread}),
      ...{startedBy: '@Jane', ...authors, said: undefined},
    }).blocks.flatMap((block) =>
      'fields' in block ? (block.fields ?? []).map(({text}) => text) : [],
    )

  test('stands there where it says it', () => {
    const told = fieldsOf(
      {
        ...{createdAt: '2026-11-20T09:30:00Z', lastActivityAt: '2026-11-25T14:00:00Z'},
        ...{hasUnreads: true, mentionCount: 1},
        pullRequestAuthor: 'svc',
        ...{crewCount: 3, crewNeedsYou: 1, crewMentionCount: 2},
      },
      {author: 'Kim Lee', previousAuthor: 'Ada <Lovelace>'},
    )
    expect(told).toContainEqual(
      expect.stringMatching(/^\*Created\*\n<!date.*\|2026-11-20 09:30 UTC>$/),
    )
    expect(told).toContainEqual(
      expect.stringMatching(/^\*Last activity\*\n<!date.*\|2026-11-25 14:00 UTC>$/),
    )
    expect(told).toEqual(
      expect.arrayContaining([
        '*Author*\nKim Lee',
        '*Author before*\nAda &lt;Lovelace&gt;',
        '*Pull requests are opened by*\nthe agent platform’s own app',
        '*For Bosun’s account*\nsomething unread · mentioned once',
        '*Crew*\n3 in all · 1 needs somebody · mentioned 2 times',
      ]),
    )
  })

  test.each([
    ['user', 'whoever it works for'],
    ['<bot>', '&lt;bot&gt;'],
  ])('says who opens its pull requests: %s', (pullRequestAuthor, words) => {
    expect(fieldsOf({pullRequestAuthor})).toContain(`*Pull requests are opened by*\n${words}`)
  })

  test('takes no place where it does not', () => {
    const silent = {createdAt: 'yesterday', hasUnreads: false, mentionCount: 0, crewCount: 0}
    expect(fieldsOf(silent)).toEqual(fieldsOf({}))
    expect(fieldsOf({})).toHaveLength(6)
  })
})

describe('what can be done with work', () => {
  const buttonsOf = (
    change: Partial<Link>,
    hasRooms = false,
  ): Record<string, string | undefined> => {
    const {blocks} = drawManage({
      link: {...link, ...change},
      ...{thread: undefined, startedBy: '@Jane', said: undefined, hasRooms},
    })
    const all = blocks
      .filter((block): block is ActionsBlock => block.type === 'actions')
      .flatMap(({elements}) => elements)
      .filter((one): one is Button => one.type === 'button')
    return Object.fromEntries(
      all.map(({action_id: action = '', style}) => [action.slice('bosun:'.length), style]),
    )
  }

  test.each<[Partial<Link>, string[]]>([
    [{state: 'starting'}, ['stop']],
    [
      {status: 'active'},
      ['stop', 'stop-archive', 'archive-only', 'new-title', 'mute', 'steps', 'file', 'take-over'],
    ],
    [{muted: true}, ['archive', 'new-title', 'unmute', 'steps', 'file', 'take-over']],
    [{threadId: undefined}, ['archive', 'new-title', 'mute', 'take-over']],
    [{state: 'archived'}, ['unarchive', 'steps', 'file']],
    [{state: 'archived', threadId: undefined}, []],
    [{state: 'ended'}, []],
  ])('%o', (change, names) => {
    expect(Object.keys(buttonsOf(change))).toEqual(names)
  })

  test('is a room, where there can be one, and a review of what the agent named last', () => {
    const address = 'https://github.com/acme/web/pull/12'
    const pullRequests = [{address, delivery: 'd1'}]
    expect(Object.keys(buttonsOf({pullRequests}, true)).slice(-3)).toEqual([
      ...['room-open', 'review', 'take-over'],
    ])
  })

  test('is dangerous where it stops', () => {
    expect(buttonsOf({status: 'active'})).toMatchObject({stop: 'danger', mute: undefined})
  })
})

test('whoever archives work that goes on hears of what waits for it', () => {
  expect(JSON.stringify(drawArchiving(link, 0))).not.toContain('waiting for it')
  expect(JSON.stringify(drawArchiving(link, 2))).toContain('2 messages are still waiting for it.')
})
