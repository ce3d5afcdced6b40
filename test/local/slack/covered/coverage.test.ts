import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {methodScopes} from '../../../../local/slack/edge/scopes.ts'
import {methodTable} from '../../../../local/slack/methods/table.ts'
import {openWorld} from '../../../world/open-world.ts'
import {openSlack, refusalOf} from '../slack-fixture.ts'
import {METHODS} from './methods.ts'
import {
  ACTION_ELEMENTS,
  BLOCKS,
  ELSEWHERE,
  FRAMES,
  GAPS,
  GENERIC,
  INPUT_ELEMENTS,
  INTERACTIONS,
  OTHER_ELEMENTS,
} from './surfaces.ts'

const root = join(import.meta.dirname, '../../../..')
const sorted = (names: Iterable<string>): string[] => [...new Set(names)].sort()

function sourcesOf(folder: string, ending = '.ts'): string[] {
  return readdirSync(join(root, folder), {recursive: true, encoding: 'utf8'})
    .filter((file) => file.endsWith(ending) && !file.startsWith('page/'))
    .map((file) => readFileSync(join(root, folder, file), 'utf8'))
}

/** What the pattern captures, anywhere. */
function captured(sources: string[], pattern: RegExp): string[] {
  return sources.flatMap((source) => [...source.matchAll(pattern)].map(([, name = '']) => name))
}

describe('methods', () => {
  test('every method of the local Slack is in the table, and every row of the table is there', () => {
    const listed = METHODS.map(({method}) => method)
    expect(sorted(listed)).toEqual(sorted(methodTable().keys()))
    expect(listed).toHaveLength(new Set(listed).size)
    expect(Object.keys(GAPS).filter((gap) => listed.includes(gap))).toEqual([])
  })

  test('each has the tier and the scopes of its row', () => {
    const perMinute = {1: 1, 2: 20, 3: 50, 4: 100}
    const table = methodTable()
    for (const {method, tier, scopes} of METHODS) {
      const rate = table.get(method)?.rate?.perMinute
      if (tier !== 'special') expect([method, rate]).toEqual([method, perMinute[tier]])
      else expect(Object.values(perMinute)).not.toContain(rate)
      expect([method, scopes]).toEqual([method, methodScopes[method] ?? []])
    }
    expect(Object.keys(methodScopes).filter((method) => !table.has(method))).toEqual([])
  })

  test('whatever the source of the bot calls is covered', () => {
    const sources = sourcesOf('src')
    const called = [
      ...captured(sources, /\bclient\s*\.((?:[a-z]\w*\.)+[a-z]\w*)\(/g),
      ...captured(sources, /apiCall\(\s*['"`]([\w.]+)/g),
    ].filter((name) => !['session.', 'chat.stream'].some((own) => name.startsWith(own)))
    expect(called).toContain('chat.postMessage')
    expect(sorted(called).filter((name) => !methodTable().has(name))).toEqual([])
  })

  test('whatever the bot calls while it works is covered', async (context) => {
    const world = await openWorld(context)
    await world.settled(await world.say('@Bosun fix the rounding'))
    const called = sorted(world.slack.ledger.calls.map(({method}) => method))
    expect(called).toContain('apps.connections.open')
    expect(called.filter((name) => !methodTable().has(name))).toEqual([])
  })
})

describe('errors', () => {
  const names = captured(
    sourcesOf('test/local/slack/errors', '.test.ts'),
    /['"`]([\w.]+: [a-z_]+)/g,
  )
  const isGeneric = (name: string): boolean =>
    GENERIC.modelled.some((error) => name.endsWith(`: ${error}`))

  test('every modelled error of a method has a test of that name, and every such test a row', () => {
    const listed = METHODS.flatMap(({method, modelled}) =>
      modelled.map((error) => `${method}: ${error}`),
    )
    expect(sorted(names.filter((name) => !isGeneric(name)))).toEqual(sorted(listed))
  })

  test('every modelled error that all methods share has a test of its name', () => {
    const tested = new Set(names.map((name) => name.split(': ')[1]))
    expect(GENERIC.modelled.filter((error) => !tested.has(error))).toEqual([])
  })

  test('every error that is written in the local Slack is in the table', () => {
    const written = captured(sourcesOf('local/slack'), /(?:Refusal|refuse)\('([a-z_]+)'[,)]/g)
    const listed = new Set([
      ...METHODS.flatMap(({modelled, byFault}) => [...modelled, ...byFault]),
      ...GENERIC.modelled,
      ...ELSEWHERE,
    ])
    expect(written.length).toBeGreaterThan(100)
    expect(sorted(written).filter((error) => !listed.has(error))).toEqual([])
  })

  test('no error is both modelled and by fault', () => {
    const both = METHODS.filter(({modelled, byFault}) =>
      byFault.some((error) => modelled.includes(error) || GENERIC.modelled.includes(error)),
    )
    expect(both).toEqual([])
  })

  const faulty = METHODS.filter(({byFault}) => byFault.length > 0)

  test.each(faulty)('$method answers with what is by fault', async ({method, byFault}) => {
    const {slack, client} = await openSlack({rateScale: Infinity})
    for (const error of byFault) {
      slack.faults.failNext(method, {times: 1, error, applied: false})
      expect(await refusalOf(client.apiCall(method))).toBe(error)
    }
  })

  test.each(GENERIC.byFault)('any method answers with %s by fault', async (error) => {
    const {slack, client} = await openSlack({rateScale: Infinity})
    for (const {method} of METHODS) {
      slack.faults.failNext(method, {times: 1, error, applied: false})
      expect(await refusalOf(client.apiCall(method))).toBe(error)
    }
  })
})

describe('surfaces', () => {
  test.each(Object.entries(BLOCKS))('a message takes the block %s', async (type, fields) => {
    const {client} = await openSlack()
    const post = {channel: 'C0WEB', text: 'x', blocks: [{type, ...fields}]}
    expect(await client.apiCall('chat.postMessage', post)).toMatchObject({ok: true})
  })

  test.each(Object.entries(ACTION_ELEMENTS))('an action may be %s', async (type, fields) => {
    const {client} = await openSlack()
    const blocks = [{type: 'actions', elements: [{type, action_id: 'a', ...fields}]}]
    const post = {channel: 'C0WEB', text: 'x', blocks}
    expect(await client.apiCall('chat.postMessage', post)).toMatchObject({ok: true})
  })

  test.each(INPUT_ELEMENTS)('an input may be %s', async (type) => {
    const {client} = await openSlack()
    const label = {type: 'plain_text', text: 'Goal'}
    const blocks = [{type: 'input', label, element: {type, action_id: 'a'}}]
    const post = {channel: 'C0WEB', text: 'x', blocks}
    expect(await client.apiCall('chat.postMessage', post)).toMatchObject({ok: true})
  })

  test('every block and element that the local Slack knows is in the table', () => {
    const read = (file: string) => readFileSync(join(root, 'local/slack/blocks', file), 'utf8')
    const checked = /\[\s*'(\w+)',\s*(?:check|\()/g
    const [, taken = ''] = /unchecked = new Set\(\s*'([^']+)'/.exec(read('blocks.ts')) ?? []
    const sources = ['blocks.ts', 'layout-blocks.ts'].map(read)
    const blocks = [...captured(sources, checked), ...taken.split(' ')]
    expect(sorted(blocks)).toEqual(sorted(Object.keys(BLOCKS)))
    const [, unlimited = ''] = /unlimited = \[([^;]+?)\n\]/.exec(read('element-check.ts')) ?? []
    const elements = [
      ...captured([read('element-check.ts')], checked),
      ...captured([unlimited], /'(\w+)'/g),
    ]
    const known = [...Object.keys(ACTION_ELEMENTS), ...INPUT_ELEMENTS, ...OTHER_ELEMENTS]
    expect(elements.length).toBeGreaterThan(20)
    expect(elements.filter((type) => !known.includes(type))).toEqual([])
  })

  test('every payload and frame of the table is written in the local Slack, and no other', () => {
    const payloads = [...sourcesOf('local/slack/views'), ...sourcesOf('local/slack/delivery')]
    const written = captured(payloads, /(?:wrap|triggered)\('(\w+)'|type: '(?:block_actions)'/g)
    expect(sorted([...written.filter((name) => name !== ''), 'block_actions'])).toEqual(
      INTERACTIONS,
    )
    const wire = [...sourcesOf('local/slack/delivery'), ...sourcesOf('local/slack/edge')].join()
    expect(FRAMES.filter((frame) => !wire.includes(`'${frame}'`))).toEqual([])
  })
})
