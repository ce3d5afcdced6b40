import {expect, test} from 'vitest'
import {createAlerts} from '../../../src/features/rules/alerts.ts'
import {newLink, temporaryStore} from '../../store/temporary-store.ts'
import {CHANNEL, hear, keepRules, messageOf, ruleOf} from './stage.ts'

/** A rule has decided to begin work for the message 5.0. */
async function setUp() {
  const store = await temporaryStore()
  await keepRules(store, [ruleOf('r1')])
  const alert = await hear(store, messageOf('5.0'), 3)
  if (alert === undefined) throw new Error('No rule matched.')
  const shown: string[] = []
  const said: unknown[] = []
  const alerts = createAlerts({
    deps: {...store, show: async (linkId: string) => void shown.push(linkId)},
    replies: {say: (place: unknown) => void said.push(place)},
  } as never)
  return {store, shown, said, alerts, alert}
}

const place = {team: 'T1', channel: CHANNEL, slackThread: '5.0'}

test('work that a rule was to begin and nobody tries to any more is over, and its card says so', async () => {
  const {store, shown, said, alerts, alert} = await setUp()
  const {id} = await store.links.open({...newLink, place, requestId: `slack:T1:${CHANNEL}:5.0`}, 4)
  await alerts.giveUp(alert.id)
  expect(await store.links.byId(id)).toMatchObject({state: 'ended', notice: {code: 'given-up'}})
  expect([shown, said]).toEqual([[id], []])
  expect((await store.alerts.byId(alert.id))?.wish).toBeUndefined()
})

test('where it has no card yet the Slack thread is told', async () => {
  const {shown, said, alerts, alert} = await setUp()
  await alerts.giveUp(alert.id)
  expect([shown, said]).toEqual([[], [{channel: CHANNEL, slackThread: '5.0'}]])
})
