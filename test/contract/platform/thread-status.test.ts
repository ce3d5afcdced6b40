import {expect, test} from 'vitest'
import type {Frame} from '../../../src/platform/stream/frame.ts'
import {isWorking, type Thread} from '../../../src/platform/model.ts'
import {eventually, sharedContract, startContract, type Contract} from './contract.ts'
import {only} from './following.ts'

const quick = await sharedContract()
/** Work takes seconds here: time to meet it in progress. */
const patient = await sharedContract({pace: 0.3})

const statusesIn = (frames: readonly Frame[]): string[] =>
  only('status', frames).map(({status}) => status)

const read = (contract: Contract, threadId: string): Promise<Thread> =>
  contract.client().getThread(threadId, contract.signal)

const waitForStatus = (contract: Contract, threadId: string, status: string): Promise<Thread> =>
  eventually(
    `status ${status}`,
    () => read(contract, threadId),
    (thread) => thread.status === status,
  )

/** Who wrote the transcript, tools aside. */
const waitForCourse = async (
  contract: Contract,
  threadId: string,
  course: string[],
): Promise<void> => {
  const spoken = async (): Promise<string[]> =>
    (await contract.transcript(threadId))
      .map(({source}) => source)
      .filter((source) => source !== 'tool')
  await eventually(course.join(', '), spoken, (sources) => sources.join() === course.join())
}

test('3.1.r1 a new thread starts working and a billable run starts', async () => {
  const {begun, frames} = await patient.beginAndFinish('quick work')
  const {id, status, usage} = begun
  expect(isWorking(status)).toBe(true)
  expect(usage?.totalCredits).toBe(0)
  expect(frames).toContainEqual({type: 'run', phase: 'end'})
  expect((await read(patient, id)).usage?.totalCredits).toBeGreaterThan(0)
})

test.each([
  ['guides', 'active archived error idle pending_user ready_for_review waiting'],
  ['schema', 'archived failed idle waiting working'],
] as const)(
  '3.1.r2 a thread shows the words of one of the two value sets: %s',
  async (vocabulary, words) => {
    await using contract = await startContract({vocabulary, pace: 0.05})
    const seen = new Set<string>()
    for (const task of ['quick', 'one question', 'open a pr', 'please fail', 'wait for ci']) {
      const {begun, frames} = await contract.beginAndFinish(task)
      const {id, status} = begun
      const {status: rested} = await read(contract, id)
      for (const word of [status, ...statusesIn(frames), rested]) seen.add(word)
    }
    const {id} = await contract.begin('quick')
    seen.add((await contract.client().archive(id, contract.signal)).status)
    expect([...seen].sort().join(' ')).toBe(words)
  },
)

test('3.1.r3 live status frames carry the same status as the record', async () => {
  using held = patient.platform.control.hold()
  const {id} = await patient.begin('one question')
  await using stream = patient.follow({threadId: id})
  const expectBoth = async (status: string): Promise<void> => {
    await stream.until(status, (frames) => statusesIn(frames).at(-1) === status)
    expect((await read(patient, id)).status).toBe(status)
  }
  await expectBoth('active')
  held[Symbol.dispose]()
  await expectBoth('pending_user')
  await patient.client().archive(id, patient.signal)
  await expectBoth('archived')
})

test.each([
  ['idle', 'quick'],
  ['pending_user', 'one question'],
  ['ready_for_review', 'open a pr'],
  ['error', 'please fail'],
  ['archived', 'quick'],
])('3.1.r4 a message wakes the agent in any state: %s', async (status, task) => {
  const {id} = await quick.begin(task)
  await quick.finish(id)
  if (status === 'archived') await quick.client().archive(id, quick.signal)
  expect((await read(quick, id)).status).toBe(status)
  await quick.say(id, 'quick again')
  await waitForStatus(quick, id, 'idle')
  const [asked, answered] = (await quick.transcript(id)).slice(-2)
  expect([asked?.text, answered?.source]).toEqual(['quick again', 'assistant'])
})

test('3.1.r4 a message wakes the agent in any state: waiting', async () => {
  const {id} = await patient.begin('wait for ci')
  await waitForStatus(patient, id, 'waiting')
  await patient.say(id, 'quick again')
  await waitForStatus(patient, id, 'idle')
  expect((await patient.transcript(id)).at(-1)?.text).toContain('quick again')
})

test('3.1.r5 delivery interrupt, the default, interrupts current work', async () => {
  for (const delivery of [undefined, 'interrupt']) {
    const {id} = await patient.begin('some work')
    // The real client always names the delivery.
    await patient.raw().post(`/threads/${id}/message`, {text: 'quick change of mind', delivery})
    const frames = await patient.finish(id)
    expect(statusesIn(frames).at(-1)).toBe('idle')
    await waitForCourse(patient, id, ['user', 'user', 'assistant'])
  }
})

test('3.1.r6 delivery queue waits for current work to finish', async () => {
  const {id} = await patient.begin('some work')
  for (const text of ['quick one', 'quick two']) await patient.say(id, text)
  await waitForCourse(patient, id, ['user', 'assistant', 'user', 'assistant', 'user', 'assistant'])
})

test('3.1.r7 delivery steer is allowed, and enters the work in progress', async () => {
  const {id} = await patient.begin('some work')
  const text = 'quick turn to the left'
  expect(await patient.say(id, text, 'steer')).toMatchObject({deduped: false})
  const frames = await patient.finish(id)
  expect(only('transcript', frames).map(({entry}) => entry.text)).toContain(text)
})

test('3.1.r8 interrupt stops active work', async () => {
  const {id} = await patient.begin('some work')
  await using stream = patient.follow({threadId: id})
  await stream.until('work', (frames) => frames.some(({type}) => type === 'turn'))
  await patient.client().interrupt(id, patient.signal)
  await stream.until('the end', (frames) => statusesIn(frames).at(-1) === 'idle')
  expect(stream.frames).toContainEqual({type: 'turn', phase: 'end', outcome: 'aborted'})
  expect(stream.frames).toContainEqual({type: 'run', phase: 'end'})
  expect(isWorking((await read(patient, id)).status)).toBe(false)
})

test('3.1.r8 interrupt of a thread that waits ends the wait', async () => {
  const {id} = await patient.begin('wait for ci')
  await waitForStatus(patient, id, 'waiting')
  await patient.client().interrupt(id, patient.signal)
  expect((await read(patient, id)).status).toBe('idle')
})

test('3.1.r9 archive shows archived at once and returns the complete thread', async () => {
  const {id} = await patient.begin('some work')
  const archived = await patient.client().archive(id, patient.signal)
  expect(archived).toMatchObject({id, status: 'archived', archived: true})
  expect(Object.keys(archived).sort()).toEqual(Object.keys(await read(patient, id)).sort())
})

test('3.1.r10 archive does not stop active work', async () => {
  const {id} = await patient.begin('some work')
  await patient.client().archive(id, patient.signal)
  await waitForCourse(patient, id, ['user', 'assistant'])
  expect(await read(patient, id)).toMatchObject({status: 'archived', archived: true})
})

test('3.1.r10 archive and interrupt together stop it', async () => {
  const {id} = await patient.begin('some work')
  const before = await read(patient, id)
  await patient.client().archive(id, patient.signal)
  await patient.client().interrupt(id, patient.signal)
  expect(isWorking(before.status)).toBe(true)
  const back = await patient.client().unarchive(id, patient.signal)
  expect(isWorking(back.status)).toBe(false)
})

test('3.1.r11 archive closes the stream with done', async () => {
  const {id} = await patient.begin('some work')
  await using stream = patient.follow({threadId: id})
  await stream.until('work', (frames) => frames.some(({type}) => type === 'turn'))
  await patient.client().archive(id, patient.signal)
  const frames = await stream.ended()
  expect(frames.slice(-2)).toEqual([{type: 'status', status: 'archived'}, {type: 'done'}])
})

test('3.1.r12 archive clears the session token', async () => {
  const client = quick.client()
  const {id} = await quick.begin('quick')
  await quick.finish(id)
  const {token = ''} = await client.getSessionToken(id, quick.signal)
  expect(await client.verifySession(token, quick.signal)).toMatchObject({valid: true, threadId: id})
  await client.archive(id, quick.signal)
  await expect(client.getSessionToken(id, quick.signal)).rejects.toMatchObject({status: 404})
  expect(await client.verifySession(token, quick.signal)).toMatchObject({valid: false})
})

test('3.1.r13 unarchive returns the complete thread, archived no more', async () => {
  const client = quick.client()
  const {id} = await quick.begin('quick')
  await quick.finish(id)
  const before = await read(quick, id)
  await client.archive(id, quick.signal)
  const back = await client.unarchive(id, quick.signal)
  expect(back).toEqual({...before, updatedAt: back.updatedAt})
  expect(back).toMatchObject({id, archived: false, status: 'idle'})
})

test('3.1.r14 waiting counts as working for clients that poll', async () => {
  const {id} = await quick.begin('wait for ci')
  const seen = new Set<string>()
  const poll = async (): Promise<Thread> => {
    const thread = await read(quick, id)
    seen.add(thread.status)
    return thread
  }
  const {status} = await eventually('a rest', poll, (thread) => !isWorking(thread.status))
  expect([isWorking('waiting'), status]).toEqual([true, 'ready_for_review'])
  expect(seen).not.toContain('idle')
})
