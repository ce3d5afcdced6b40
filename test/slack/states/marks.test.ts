import {expect, onTestFinished, test} from 'vitest'
import type {Noise} from '../../../src/store/tables/choices.ts'
import type {Link} from '../../../src/store/tables/work/link.ts'
import type {MarkStore, StandingMark} from '../../../src/store/tables/work/marks.ts'
import {createMarks} from '../../../src/slack/states/marks.ts'
import {FRESH_LINK} from '../../support/fresh-link.ts'
import {slackThatSays} from './slack-that-says.ts'

const BEGUN: Link = {...FRESH_LINK, requestId: 'slack:T1:C1:7.5', state: 'open', status: 'active'}

interface Setting {
  errors?: (string | undefined)[]
  noise?: Noise
  /** What the table holds; `undefined`: the work is older than it. */
  noted?: StandingMark[] | undefined
  /** So often it cannot be read first. */
  failures?: number
}

async function open({errors = [undefined], noise = 'normal', ...setting}: Setting = {}) {
  const slack = await slackThatSays(...errors)
  let noted: StandingMark[] | undefined = 'noted' in setting ? setting.noted : []
  let left = setting.failures ?? 0
  const store: MarkStore = {
    of: async () => {
      left -= 1
      if (left >= 0) throw new Error('The connection is broken')
      return noted
    },
    put: async (_linkId, marks) => void (noted = [...marks]),
    unsettled: async () => {
      left -= 1
      if (left >= 0) throw new Error('The connection is broken')
      return [{...BEGUN, status: 'idle'}]
    },
  }
  const marks = createMarks({...slack, marks: store, noiseOf: async () => noise})
  onTestFinished(() => marks[Symbol.asyncDispose]())
  /** As time passes. */
  const told = () => {
    slack.clock.advance(1000)
    return slack.calls('timestamp', 'name')
  }
  return {...slack, marks, told, noted: () => noted}
}

const sure = (...names: string[]) => names.map((name) => ({name, isIntended: false}))

test('the newest state takes the place of the one before, and is noted', async () => {
  const {marks, told, noted} = await open()
  marks.show(BEGUN)
  marks.show({...BEGUN, status: 'idle', needsYou: true})
  await expect.poll(told).toEqual(['add 7.5 raising_hand', 'remove 7.5 eyes'])
  await expect.poll(noted).toEqual(sure('raising_hand'))
  marks.show({...BEGUN, status: 'idle'})
  await expect.poll(told).toHaveLength(4)
  expect(told().slice(2)).toEqual(['add 7.5 white_check_mark', 'remove 7.5 raising_hand'])
})

test.for([
  [{status: 'ready_for_review'}, 'white_check_mark'],
  [{status: 'failed'}, 'x'],
  [{status: 'error'}, 'x'],
  [{status: 'idle', stoppedBy: 'U1'}, 'black_square_for_stop'],
  [{state: 'archived'}, 'white_check_mark'],
  [{state: 'archived', stoppedBy: 'U1'}, 'black_square_for_stop'],
  [{state: 'ended', notice: {code: 'refused'}}, 'x'],
  [{state: 'ended', notice: {code: 'stopped-early'}}, 'black_square_for_stop'],
  [{state: 'ended', taskId: 'task'}, 'white_check_mark'],
] as const)('%o is shown as %s', async ([change, name]) => {
  const {marks, told} = await open()
  marks.show({...BEGUN, ...change})
  await expect.poll(told).toEqual([`add 7.5 ${name}`, 'remove 7.5 eyes'])
})

test.for([{status: 'waiting'}, {status: 'dreaming'}, {state: 'starting'}] as const)(
  '%o changes nothing',
  async (change) => {
    const {marks, told} = await open()
    marks.show({...BEGUN, ...change})
    marks.show({...BEGUN, id: 'other', status: 'idle'})
    await expect.poll(told).toHaveLength(2)
  },
)

test('it is shown also where the table could not be read at first, the newest one alone', async () => {
  const {marks, told} = await open({failures: 2})
  marks.show({...BEGUN, status: 'idle', needsYou: true})
  marks.show({...BEGUN, status: 'idle'})
  await expect.poll(told, {timeout: 5000}).toEqual(['add 7.5 white_check_mark', 'remove 7.5 eyes'])
})

test('whoever takes over shows what was missed, also where the table could not be read at first', async () => {
  const {marks, told} = await open({failures: 1})
  marks.recover()
  await expect.poll(told, {timeout: 5000}).toEqual(['add 7.5 white_check_mark', 'remove 7.5 eyes'])
})

test('what nobody wrote a message for is marked at the head of its Slack thread', async () => {
  const {marks, told, noted} = await open()
  const link = {...BEGUN, requestId: 'slack:T1:a-hash'}
  marks.show(link)
  await expect.poll(noted).toEqual(sure('eyes'))
  marks.show({...link, status: 'idle'})
  await expect.poll(told).toEqual(['add 1.0 eyes', 'add 1.0 white_check_mark', 'remove 1.0 eyes'])
})

test('whoever starts again finishes what was begun: what may stand is taken away', async () => {
  const noted = [...sure('eyes'), {name: 'raising_hand', isIntended: true}]
  const {
    marks,
    told,
    noted: now,
  } = await open({noted, errors: [undefined, 'no_reaction', undefined]})
  marks.show({...BEGUN, status: 'idle'})
  await expect
    .poll(told)
    .toEqual(['add 7.5 white_check_mark', 'remove 7.5 eyes', 'remove 7.5 raising_hand'])
  await expect.poll(now).toEqual(sure('white_check_mark'))
})

test('an intended one is put once more, since nobody knows that it was', async () => {
  const noted = [...sure('eyes'), {name: 'x', isIntended: true}]
  const {marks, told} = await open({noted, errors: ['already_reacted', undefined]})
  marks.show({...BEGUN, status: 'failed'})
  await expect.poll(told).toEqual(['add 7.5 x', 'remove 7.5 eyes'])
})

test('who wants it quiet sees 👀 alone, and work that rested before any was noted stays as it is', async () => {
  const quiet = await open({noise: 'quiet'})
  quiet.marks.show({...BEGUN, status: 'idle'})
  const old = await open({noted: undefined})
  old.marks.show({...BEGUN, status: 'idle'})
  await new Promise(setImmediate)
  old.marks.show({...BEGUN, status: 'active'})
  await new Promise(setImmediate)
  old.marks.show({...BEGUN, status: 'failed'})
  await expect.poll(old.told).toEqual(['add 7.5 x', 'remove 7.5 eyes'])
  expect(quiet.told()).toEqual([])
})

test('what was overtaken while it waited for its turn is never told', async () => {
  const {marks, told, pacer, calls, clock} = await open()
  pacer.pause({team: 'T1', method: 'reactions.add'}, 5000)
  for (const status of ['idle', 'active', 'failed', 'active', 'ready_for_review'] as const) {
    marks.show({...BEGUN, status})
    await new Promise(setImmediate)
  }
  expect(calls()).toEqual([])
  clock.advance(60_000)
  await expect.poll(told).toEqual(['add 7.5 white_check_mark', 'remove 7.5 eyes'])
})

test('without the right to it nothing is put for an hour', async () => {
  const {marks, told, clock} = await open({errors: ['missing_scope', undefined]})
  marks.show({...BEGUN, status: 'idle'})
  await expect.poll(told).toHaveLength(1)
  await new Promise(setImmediate)
  marks.show({...BEGUN, status: 'failed'})
  clock.advance(3_600_000)
  marks.show({...BEGUN, status: 'failed'})
  await expect.poll(told).toHaveLength(4)
})
