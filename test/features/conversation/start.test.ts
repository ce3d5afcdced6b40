import {expect, test} from 'vitest'
import {conversation} from '../../../src/features/conversation/index.ts'
import {createStartActs} from '../../../src/features/conversation/starting/start.ts'
import type {StartRequest} from '../../../src/slack/gate/start-request.ts'
import type {Press} from '../../../src/slack/incoming/press.ts'
import {texts} from '../../../src/slack/texts.ts'
import {temporaryStore} from '../../store/temporary-store.ts'
import {createPresses} from '../../support/presses.ts'
import {startTexts} from '../../../src/features/conversation/start-texts.ts'

const request: StartRequest = {
  ...{requestId: 'r1', channel: 'C1', slackThread: '1.0', task: 'fix it', options: {size: 'x'}},
  ...{files: [], forwarded: []},
}

async function setUp() {
  const store = await temporaryStore()
  const start = await store.starts.open({requestId: 'r1', team: 'T1', user: 'U1', request}, 0)
  const begun: StartRequest[] = []
  const presses = createPresses(conversation.permits)
  const begin = async (one: StartRequest) => {
    begun.push(one)
    return Promise.resolve(undefined)
  }
  const acts = createStartActs({act: presses.act, deps: store, begin})
  const usual = {threadTs: '1.0', actionId: 'bosun:start-with', value: `${start.id} size=large`}
  const press = async (change: Partial<Press>, key = 'row'): Promise<void> =>
    presses.press(acts, {...usual, ...change}, key)
  const kept = async () => (await store.starts.byId(start.id))?.request
  return {start, begun, said: presses.said, press, kept}
}

test('a choice is that of who asked, whatever a payload says', async () => {
  const {start, begun, said, press} = await setUp()
  await press({user: 'U2'})
  await press({team: 'T2', userTeam: 'T2'})
  await press({value: 'no-such-id size=large'})
  await press({value: `${start.id} colour=red`})
  await press({value: ''})
  expect(begun).toEqual([])
  const {notYourQuestion: notYours} = texts.talk
  const {tooOld} = startTexts
  expect(said).toEqual([notYours, tooOld, tooOld, tooOld, tooOld])
})

test('the first choice counts, also when its row is handled again, and stays chosen', async () => {
  const {start, begun, said, press, kept} = await setUp()
  await press({}, 'row 1')
  await press({}, 'row 1')
  await press({value: `${start.id} size=small`}, 'row 2')
  const chosen = {...request, options: {size: 'large'}}
  expect(begun).toEqual([chosen, chosen])
  expect(await kept()).toEqual(chosen)
  expect(said).toEqual([startTexts.chosen])
})
