import {isDeepStrictEqual} from 'node:util'
import {RETRY_MS} from '../../../platform/contract/frames.ts'
import {pathOf} from '../asking.ts'
import {openedOf} from '../probe.ts'
import type {Frame} from '../stream.ts'
import {Untried, expect} from '../verdicts.ts'
import {only, recorded} from './recorded.ts'
import type {Rule} from './rule.ts'

const DOUBLED =
  'what was shown is known by its id: nothing is shown twice, but reading takes longer'

/** Section 6: what comes over a stream. */
export const streamRules: readonly Rule[] = [
  {
    section: '6.1',
    name: 'status is the first frame, of this thread',
    bosun: 'the card shows an old state until the next change',
    check: async (probe) => {
      const {threadId, frames} = await recorded(probe)
      const [first] = frames
      expect('a status frame first', first?.event === 'status', first)
      expect(`of the thread ${threadId}`, first.data['threadId'] === threadId, first.data)
    },
  },
  {
    section: '6.1',
    name: `retry: ${RETRY_MS} follows the first frame`,
    bosun: 'it waits two seconds and more all the same; another wait is not heard of',
    check: async (probe) => {
      const {retries} = await recorded(probe)
      const isThere = retries.some(({ms, afterFrames}) => ms === RETRY_MS && afterFrames <= 1)
      expect(`a line retry: ${RETRY_MS} behind the first frame`, isThere, retries)
    },
  },
  {
    section: '6.1',
    name: 'each transcript frame has an id line of its own',
    bosun: 'after a break the whole transcript is read again',
    check: async (probe) => {
      const frames = only('transcript', (await recorded(probe)).frames)
      expect('transcript frames', frames.length > 0, 'none')
      const bare = frames.filter(({id}) => id === undefined || id === '')
      expect('an id line', bare.length === 0, bare[0])
      const byEntry = new Map(frames.map(({id, data}) => [String(data['id']), id]))
      expect('another id for each entry', new Set(byEntry.values()).size === byEntry.size, [
        ...byEntry,
      ])
    },
  },
  {
    section: '4.3',
    name: 'without a cursor the whole transcript comes, in the order of its pages',
    bosun: 'replies are left out, or stand in Slack in another order',
    check: async (probe) => {
      const {frames, entries} = await recorded(probe)
      const inFrames = [...new Set(only('transcript', frames).map(({data}) => String(data['id'])))]
      const inPages = entries.map(({id}) => String(id))
      expect(`the entries ${inPages.join(', ')}`, inFrames.join() === inPages.join(), inFrames)
    },
  },
  {
    section: '6.2',
    name: 'each entry comes once on a connection',
    bosun: DOUBLED,
    check: async (probe) => {
      const ids = only('transcript', (await recorded(probe)).frames).map(({data}) =>
        String(data['id']),
      )
      expect('each entry once', new Set(ids).size === ids.length, ids)
    },
  },
  {
    section: '6.2',
    name: 'a transcript frame is the entry of the transcript',
    bosun: 'a reply reads otherwise in Slack than on the platform',
    check: async (probe) => {
      const {frames, entries} = await recorded(probe)
      for (const {data} of only('transcript', frames)) {
        const entry = entries.find(({id}) => id === data['id'])
        // One that no page has is another rule's.
        if (entry === undefined) continue
        expect(`the entry ${JSON.stringify(entry)}`, isDeepStrictEqual(entry, data), data)
      }
    },
  },
  {
    section: '6.2',
    name: 'a run begins and ends',
    bosun: 'fragments that no entry settles stay in Slack',
    check: async (probe) => expectPhases('run', (await recorded(probe)).frames),
  },
  {
    section: '6.2',
    name: 'a turn begins and ends with its outcome',
    bosun: 'little: it shows fewer of several replies at a time',
    check: async (probe) => expectPhases('turn', (await recorded(probe)).frames),
  },
  {
    section: '6.2',
    name: 'the last status frame says what the thread says',
    bosun: 'the card shows another state than the platform',
    check: async (probe) => {
      const {frames, status} = await recorded(probe)
      const last = only('status', frames).at(-1)
      expect(`the status ${status}`, last?.data['status'] === status, last)
    },
  },
  {
    section: '6.3',
    name: 'a reply comes in fragments that its entry replaces',
    bosun: 'replies do not grow while they are written: they come at once, when they are through',
    check: async (probe) => {
      const {frames, entries} = await recorded(probe)
      const fragments = Map.groupBy(only('assistant', frames), ({data}) => String(data['callId']))
      expect('assistant frames', fragments.size > 0, 'none')
      for (const [callId, those] of fragments) {
        const text = those.map(({data}) => String(data['text'])).join('')
        const entry = entries.find((one) => one['callId'] === callId)
        expect(`an entry with the callId ${callId}`, entry !== undefined, entries)
        expect('the fragments in order make up its text', entry['text'] === text, text)
      }
    },
  },
  {
    section: '6.3',
    name: 'the entry of a tool has the callId of its tool_call',
    bosun: 'the step stays in the status line until something else is heard',
    check: async (probe) => {
      const id = await probe.busy()
      using stream = openedOf(await probe.stream(pathOf('threads', id, 'stream')))
      const settled = (frames: readonly Frame[]): Frame | undefined =>
        only('transcript', frames).find(
          ({data}) =>
            data['source'] === 'tool' && called(frames).length > 0 && isAfterCall(frames, data),
        )
      await stream.until(
        (frames) => settled(frames) !== undefined,
        Math.min(probe.patienceMs, 30_000),
      )
      probe.shapes.lookAtFrames(stream.frames)
      const calls = called(stream.frames)
      const tools = only('transcript', stream.frames).map(({data}) => data)
      if (calls.length === 0) throw new Untried('the agent called no tool while it was watched')
      const isJoined = tools.some(({id: entry}) => calls.includes(entry))
      expect(
        `a tool entry whose id is one of ${calls.join(', ')}`,
        isJoined,
        tools.map((one) => one['id']),
      )
    },
  },
]

function called(frames: readonly Frame[]): unknown[] {
  return only('tool_call', frames).map(({data}) => data['callId'])
}

/** An entry that was there before the first call is none of those that were watched. */
function isAfterCall(frames: readonly Frame[], entry: Frame['data']): boolean {
  const call = frames.findIndex(({event}) => event === 'tool_call')
  return frames.findIndex(({data}) => data === entry) > call
}

function expectPhases(event: 'run' | 'turn', frames: readonly Frame[]): void {
  const phases = only(event, frames).map(({data}) => data['phase'])
  expect(`a ${event} frame with the phase start`, phases.includes('start'), phases)
  expect(
    `one with the phase end behind it`,
    phases.lastIndexOf('end') > phases.indexOf('start'),
    phases,
  )
}
