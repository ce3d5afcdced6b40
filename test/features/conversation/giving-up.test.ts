import {expect, test} from 'vitest'
import {createGivingUp} from '../../../src/features/conversation/starting/giving-up.ts'
import type {Interaction} from '../../../src/slack/incoming/interaction.ts'
import {openDesk} from '../../support/desk.ts'
import {hear, keepRules, messageOf, ruleOf} from '../rules/stage.ts'

const requestId = 'slack:T1:C1:5.0'
const message = {kind: 'message', team: 'T1', channel: 'C1', ts: '5.0'}

/** Work that was asked for by the message 5.0, or by a button below a question about it. */
async function setUp() {
  const {store, deps} = await openDesk()
  const place = {team: 'T1', channel: 'C1', slackThread: '5.0'}
  const work = {place, requestId, projectId: 'p', connectionId: undefined, startedBy: 'U1'}
  const link = await store.links.open({...work, ask: {message: 'fix it'}}, 0)
  await store.links.change(link.id, {notice: {code: 'unreachable'}})
  const asked = {team: 'T1', user: 'U1', requestId, request: {channel: 'C1'}}
  const start = await store.starts.open(asked, 0)
  await keepRules(store, [ruleOf('r1', {does: 'ask'})])
  const alert = await hear(store, messageOf('5.0'), 3)
  if (alert === undefined) throw new Error('No rule matched.')
  const giveUp = createGivingUp({deps: {...deps, starts: store.starts, alerts: store.alerts}})
  return {
    ...{start, alert},
    link,
    standing: () => store.links.byId(link.id),
    giveUp: (of: object) => giveUp({team: 'T1', ...of} as unknown as Interaction),
    begin: () => store.links.change(link.id, {state: 'open', threadId: 't1', notice: undefined}),
  }
}

test.for<[string, (of: Record<'start' | 'link' | 'alert', {id: string}>) => object]>([
  ['a message', () => message],
  ['a button of a question', ({start}) => ({kind: 'press', value: `${start.id} size=small`})],
  ['[Start] of a rule’s question', ({alert}) => ({kind: 'press', value: alert.id})],
  ['[Try again]', ({link}) => ({kind: 'press', value: `${link.id}.x`})],
  [
    'a form',
    ({start}) => ({
      kind: 'form',
      view: {metadata: JSON.stringify({start: start.id, channel: 'C1'})},
    }),
  ],
])('work that was to begin by %s says that it is given up', async ([, of]) => {
  const {giveUp, standing, ...ids} = await setUp()
  await giveUp(of(ids))
  expect(await standing()).toMatchObject({state: 'ended', notice: {code: 'given-up'}})
})

test('a choice of which nothing came may be made anew, and one that has a card may not', async () => {
  const {store, deps} = await openDesk()
  const giveUp = createGivingUp({deps: {...deps, starts: store.starts, alerts: store.alerts}})
  const asked = {team: 'T1', user: 'U1', requestId: 'r2', request: {channel: 'C1'}}
  const start = await store.starts.open(asked, 0)
  const press = {kind: 'press', value: `${start.id} size=small`}
  const giveUpIn = (team: string) => giveUp({...press, team} as unknown as Interaction)
  expect(await store.starts.take(start.id, 'one')).toBe(true)
  await giveUpIn('T2')
  expect(await store.starts.take(start.id, 'two')).toBe(false)
  await giveUpIn('T1')
  expect(await store.starts.take(start.id, 'two')).toBe(true)
  const place = {team: 'T1', channel: 'C1', slackThread: '6.0'}
  const work = {place, requestId: 'r2', projectId: 'p', connectionId: undefined, startedBy: 'U1'}
  await store.links.open({...work, ask: {message: 'fix it'}}, 0)
  await giveUpIn('T1')
  expect(await store.starts.take(start.id, 'three')).toBe(false)
})

test('work that has begun, or belongs to something else, goes on', async () => {
  const {giveUp, standing, begin} = await setUp()
  await giveUp({...message, ts: '6.0'})
  await giveUp({...message, team: 'T2'})
  await giveUp({kind: 'command'})
  await giveUp({kind: 'form', view: {metadata: 'none'}})
  expect(await standing()).toMatchObject({state: 'starting'})
  await begin()
  await giveUp(message)
  expect(await standing()).toMatchObject({state: 'open'})
})
