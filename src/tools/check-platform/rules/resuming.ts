import {pathOf} from '../asking.ts'
import {type Probe, QUICK, openedOf} from '../probe.ts'
import type {Frame} from '../stream.ts'
import {Broken, Untried, expect, expectRefusal, tell} from '../verdicts.ts'
import {only, recorded} from './recorded.ts'
import type {Rule} from './rule.ts'

/** Sections 4.3 and 8: where a stream begins, goes on and ends. */
export const resumingRules: readonly Rule[] = [
  {
    section: '4.3',
    name: 'Last-Event-ID resumes behind its entry',
    bosun: 'after a break replies are left out, or the whole transcript is read again',
    check: async (probe) => resumes(probe, (cursors) => ({lastEventId: cursors[0]})),
  },
  {
    section: '4.3',
    name: 'after is the same cursor',
    bosun: 'where a cursor cannot stand in a header, replies are left out',
    check: async (probe) => resumes(probe, ([after]) => ({query: {after}})),
  },
  {
    section: '4.3',
    name: 'Last-Event-ID wins over after',
    bosun: 'nothing: it sends one of them',
    check: async (probe) =>
      resumes(probe, (cursors) => ({lastEventId: cursors[0], query: {after: cursors.at(-1)}})),
  },
  {
    section: '4.3',
    name: 'a cursor that is not valid answers 400 before the stream starts',
    bosun: 'it does not read from the beginning, and what it missed may stay missed',
    check: async (probe) => {
      const path = pathOf('threads', await probe.resting(), 'stream')
      using stream = await probe.stream(path, {lastEventId: 'check-platform'})
      const {refusal} = stream
      expect('a refusal before the stream starts', refusal !== undefined, 'a stream')
      expectRefusal(refusal, 'InvalidRequest')
    },
  },
  {
    section: '4.3',
    name: 'the stream of an absent thread answers 404 as JSON',
    bosun: 'it connects to what is gone again and again',
    check: async (probe) => {
      using stream = await probe.stream(pathOf('threads', 'check-platform-absent', 'stream'))
      const {refusal} = stream
      expect('a refusal before the stream starts', refusal !== undefined, 'a stream')
      expectRefusal(refusal, 'ThreadNotFound')
    },
  },
  {
    section: '4.3',
    name: 'until=run ends at once where nothing works',
    bosun: 'nothing: it reads on',
    check: async (probe) => {
      const id = await probe.resting()
      await probe.rest(id)
      await expectDone(probe, id)
    },
  },
  {
    section: '4.3',
    name: 'until=run ends with done behind the run, and has its reply',
    bosun: 'nothing: it reads on',
    check: async (probe) => {
      const id = await probe.resting()
      await probe.rest(id)
      const before = (await probe.transcript(id)).length
      await probe.post(pathOf('threads', id, 'message'), {text: QUICK, delivery: 'queue'})
      const frames = await expectDone(probe, id)
      const fresh = only('transcript', frames).slice(before)
      const hasReply = fresh.some(({data}) => data['source'] === 'assistant')
      expect(
        'the reply of the run',
        hasReply,
        frames.map(({event}) => event),
      )
    },
  },
  {
    section: '8',
    name: 'a heartbeat comes every 15 seconds',
    bosun: 'a silent stream counts as broken after 35 seconds, and is opened again',
    check: async (probe) => {
      const id = await probe.resting()
      using stream = openedOf(await probe.stream(pathOf('threads', id, 'stream')))
      const came = await stream.until(
        (frames) => only('heartbeat', frames).length > 0,
        probe.heartbeatWithinMs,
      )
      expect('a heartbeat', came, `none in ${probe.heartbeatWithinMs / 1000} s`)
    },
  },
]

/** Behind the first entry every later one comes, and nothing else. */
async function resumes(
  probe: Probe,
  toRequest: (cursors: readonly (string | undefined)[]) => Parameters<Probe['stream']>[1],
): Promise<void> {
  const id = await probe.resting()
  const {frames, entries} = await recorded(probe)
  const whole = only('transcript', frames)
  const cursors = entries.map(({id: entry}) => whole.find(({data}) => data['id'] === entry)?.id)
  if (cursors.some((cursor) => cursor === undefined || cursor === '')) {
    throw new Untried('transcript frames have no id line')
  }
  const wanted = entries.slice(1).map(({id: entry}) => String(entry))
  await probe.rest(id)
  using stream = openedOf(await probe.stream(pathOf('threads', id, 'stream'), toRequest(cursors)))
  const ids = (all: readonly Frame[]): string[] => [
    ...new Set(only('transcript', all).map(({data}) => String(data['id']))),
  ]
  const last = wanted.at(-1) ?? ''
  await stream.until((all) => ids(all).includes(last), Math.min(probe.patienceMs, 10_000))
  const came = ids(stream.frames).slice(0, wanted.length)
  expect(`the entries ${wanted.join(', ')}`, came.join() === wanted.join(), came)
}

async function expectDone(probe: Probe, threadId: string): Promise<readonly Frame[]> {
  const path = pathOf('threads', threadId, 'stream')
  using stream = await probe.stream(path, {query: {until: 'run'}})
  const {refusal} = stream
  if (refusal !== undefined) throw new Broken('a stream of events', tell(refusal))
  const isEnded = await stream.ended(probe.patienceMs)
  expect('a stream that ends', isEnded, `it is open after ${probe.patienceMs / 1000} s`)
  expect('done as its last frame', stream.frames.at(-1)?.event === 'done', stream.frames.at(-1))
  return stream.frames
}
