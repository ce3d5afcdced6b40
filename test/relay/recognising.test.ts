import {describe, expect, test} from 'vitest'
import type {Entry} from '../../src/platform/model.ts'
import {createRecognising} from '../../src/relay/recognising.ts'
import {FRESH_LINK} from '../support/fresh-link.ts'

type Options = Parameters<typeof createRecognising>[0]

const {team, channel} = FRESH_LINK.place
const entry = {id: 'e1', source: 'user', text: 'as the platform has it'} as unknown as Entry
const sent = {id: 's1', state: 'sent', isQuoted: false, receiptId: 'e1', token: '8k3f2p', text: 'x'}

/** What our table says of an entry: what we sent, and where from. */
function open({
  send,
  from,
  other = {},
  isPrivate = false,
  as = entry.text,
}: {
  send?: object
  from?: object
  /** What was sent from there. */
  other?: object
  isPrivate?: boolean
  /** What the entry says. */
  as?: string
}) {
  const did: string[] = []
  const recognise = createRecognising({
    sends: {
      ofEntry: async () => send,
      ofEntryElsewhere: async () => from && {send: {...sent, ...other}, place: from},
      arrive: async (id: string) => void did.push(`arrived ${id}`),
    } as unknown as Options['sends'],
    keeper: {
      link: () => FRESH_LINK,
      keep: (work: Promise<unknown>) => void work,
    } as unknown as Options['keeper'],
    tellArrived: (_, {id}) => void did.push(`told ${id}`),
    isPrivate: async () => isPrivate,
    refresh: async () => void did.push('shown anew'),
  })
  return {recognise: () => recognise({...entry, text: as}), did}
}

const ours = {isOurs: true, entry}
const others = {isOurs: false, entry}

describe('what we sent', () => {
  test.each(['sent', 'late'])('is ours, and is known to have arrived: %s', async (state) => {
    const {recognise, did} = open({send: {...sent, state}})
    expect(await recognise()).toEqual(ours)
    expect(did).toEqual([])
  })

  test('has arrived wherever its sending stood', async () => {
    const {recognise, did} = open({send: {...sent, state: 'unsure'}})
    expect(await recognise()).toEqual(ours)
    await new Promise(setImmediate)
    expect(did).toEqual(['told s1', 'arrived s1', 'shown anew'])
  })

  test('and nobody has seen here is shown in the name of who said it', async () => {
    const text = 'Jane Doe in #web (slack:8k3f2p):\nfix it'
    const {recognise} = open({send: {...sent, isQuoted: true, text}})
    const {isOurs, entry: shown} = await recognise()
    expect([isOurs, shown.authorName?.startsWith('Jane Doe'), shown.text]).toEqual([
      ...[false, true, 'fix it'],
    ])
    expect(shown.authorName).not.toContain('8k3f2p')
  })
})

describe('what somebody said elsewhere', () => {
  test('is theirs', async () => {
    expect(await open({}).recognise()).toEqual(others)
    const {isOurs} = await open({from: {team, channel}, isPrivate: true}).recognise()
    expect(isOurs).toBe(false)
  })

  test('stands in the name of who said it, without the line in front', async () => {
    const text = 'Jane Doe in #api (slack:8k3f2p):\nfix it'
    const {recognise} = open({from: {team, channel: 'C9'}, other: {text}})
    expect(await recognise()).toMatchObject({
      isOurs: false,
      entry: {authorName: 'Jane Doe in #api', text: 'fix it'},
    })
  })

  test('is theirs, and is shown, where it bears a token of ours that they have read', async () => {
    const text = 'Jane Doe in #web (slack:8k3f2p):\nas the platform has it, and some more'
    const copied = {text, receiptId: 'e0'}
    expect(await open({send: {...sent, ...copied}}).recognise()).toEqual(others)
    const from = {team, channel: 'C9'}
    expect(await open({from, other: copied}).recognise()).toEqual(others)
  })

  test('is passed over where it bears a token of a private place, whatever it says', async () => {
    const from = {team, channel: 'C9'}
    const other = {text: 'Jane Doe in #web (slack:8k3f2p):\nmore', receiptId: 'e0'}
    expect(await open({from, other, isPrivate: true}).recognise()).toEqual(ours)
  })

  test.each([
    'Jane Doe in #web (slack:8k3f2p):\n\n as the  platform ha\u0308s it\n',
    'Jane Doe in #web (slack:8k3f2p):\nas the platform…',
  ])('is ours where the platform has the blanks in other ways, or cut it off: %j', async (as) => {
    const text = 'Jane Doe in #web (slack:8k3f2p):\nas the \u200Bplatform h\u00E4s it'
    const of = {send: {...sent, text, receiptId: 'e0'}, as}
    expect(await open(of).recognise()).toMatchObject({isOurs: true})
  })

  test.each([
    ['another channel', {team, channel: 'C9'}],
    ['another workspace', {team: 'T9', channel}],
  ])('is passed over where it was private, in %s', async (_what, from) => {
    expect(await open({from, isPrivate: true}).recognise()).toEqual(ours)
    expect((await open({from}).recognise()).isOurs).toBe(false)
  })

  test('stands already where it was written in this room', async () => {
    const room = {team, channel, isRoom: true}
    expect(await open({from: room}).recognise()).toEqual(ours)
    expect((await open({from: {...room, channel: 'C9'}}).recognise()).isOurs).toBe(false)
  })
})

test('what we sent and nobody has seen here is shown, also where it was written in a room of this channel', async () => {
  const text = 'Jane Doe in #web (slack:8k3f2p):\nfix it'
  const send = {...sent, isQuoted: true, text}
  const from = {team, channel, isRoom: true}
  expect((await open({send, from}).recognise()).isOurs).toBe(false)
})
