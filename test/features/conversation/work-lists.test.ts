import {describe, expect, test} from 'vitest'
import {createWorkLists} from '../../../src/features/conversation/work-lists.ts'
import {texts} from '../../../src/slack/texts.ts'
import {newLink, temporaryStore} from '../../store/temporary-store.ts'

const asked = {team: 'T1', channel: 'C1', user: 'U1'}

async function setUp(hidden: readonly string[] = []) {
  const store = await temporaryStore()
  const list = createWorkLists({
    deps: {
      ...{...store, show: async () => undefined},
      knowing: {isMisplaced: async (_place: object, {id}: {id: string}) => id === 'private'},
    },
    access: {remembering: () => async (channel: string) => !hidden.includes(channel)},
    permalinks: {
      find: async ({channel, slackThread}: {channel: string; slackThread: string}) =>
        `https://slack.example/${channel}/${slackThread}`,
    },
    ...{webUrl: undefined, zoneOf: async () => 'Europe/Berlin'},
  } as never)
  let serial = 0
  const open = async (title: string, change: object = {}, channel = 'C1', request?: string) => {
    serial += 1
    const place = {team: 'T1', channel, slackThread: `${serial}.0`}
    const requestId = request ?? `r${serial}`
    const {id} = await store.links.open({...newLink, place, requestId}, serial)
    await store.links.change(id, {state: 'open', status: 'active', title, ...change})
  }
  const show = async (
    kind: 'here' | 'mine' | 'tasks',
    filter: 'all' | 'needsYou' | 'running' | 'done' = 'all',
    from?: {madeAtMs: number; id: string},
  ) => {
    const result = await list({kind, filter}, asked, from)
    return {...result, words: JSON.stringify(result.answer?.blocks ?? result.answer?.text)}
  }
  return {open, show}
}

test('a list of work ends what is followed there and is nobody’s business any more', async () => {
  const {open, show} = await setUp()
  await open('Open to all', {}, 'C1', 'follow:T1:C1:1.0')
  await open('Not any more', {threadId: 'private'}, 'C1', 'follow:T1:C1:2.0')
  for (const kind of ['here', 'mine'] as const) {
    const {words} = await show(kind)
    expect(words).toContain('Open to all')
    expect(words).not.toContain('Not any more')
  }
})

describe('a list of work', () => {
  test.each([
    ['here', texts.commands.list.noneHere],
    ['mine', texts.commands.list.noneMine],
    ['tasks', texts.talk.taskList.none],
  ] as const)('of %s says that there is none', async (kind, words) => {
    const {show} = await setUp()
    expect(await show(kind)).toMatchObject({answer: {text: words}, inPlace: true})
    const from = {madeAtMs: 1, id: 'x'}
    expect((await show(kind, 'all', from)).answer?.text).toBe(texts.commands.list.noMore)
  })

  test('of a channel has what runs there, and leads to it', async () => {
    const {open, show} = await setUp()
    await open('Prices')
    await open('Elsewhere', {}, 'C2')
    await open('Over', {state: 'archived'})
    const {words} = await show('here')
    expect(words).toContain('Prices')
    expect(words).toContain('https://slack.example/C1/1.0')
    expect(words).not.toMatch(/Elsewhere|Over/)
  })

  test('of one’s own has all, but for where they may not look', async () => {
    const {open, show} = await setUp(['C3'])
    await open('Prices')
    await open('Elsewhere', {}, 'C2')
    await open('Secret', {}, 'C3')
    await open('Over', {state: 'archived'})
    const {words} = await show('mine')
    for (const title of ['Prices', 'Elsewhere', 'Over']) expect(words).toContain(title)
    expect(words).not.toContain('Secret')
  })

  test('of one’s own can be those that need them, that run, or that are done', async () => {
    const {open, show} = await setUp()
    await open('Waits', {status: 'pending_user'})
    await open('Runs')
    await open('Rests', {status: 'idle'})
    const titles = async (filter: 'needsYou' | 'running' | 'done') =>
      [...(await show('mine', filter)).words.matchAll(/Waits|Runs|Rests/g)].map(([title]) => title)
    expect(new Set(await titles('needsYou'))).toEqual(new Set(['Waits']))
    expect(new Set(await titles('running'))).toEqual(new Set(['Runs']))
    expect(new Set(await titles('done'))).toEqual(new Set(['Rests']))
  })

  test('has ten rows, and leads to the rest', async () => {
    const {open, show} = await setUp()
    for (let at = 1; at <= 11; at += 1) await open(`Work-${at}.`)
    const {words} = await show('mine')
    expect(words).toContain('Work-2.')
    expect(words).not.toContain('Work-1.')
    expect(words).toContain(texts.commands.list.more)
  })
})
