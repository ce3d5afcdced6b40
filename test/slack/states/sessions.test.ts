import {type TestContext, expect, test} from 'vitest'
import {createPacer} from '../../../src/relay/pace/pacer.ts'
import {Secret} from '../../../src/security/secret.ts'
import {createSlackClient} from '../../../src/slack/api/slack-client.ts'
import {createSlackLogger} from '../../../src/slack/api/log.ts'
import {slackBudgets} from '../../../src/slack/api/budgets.ts'
import {createSessions} from '../../../src/slack/states/sessions.ts'
import type {Link} from '../../../src/store/tables/work/link.ts'
import {answerJson, serve} from '../../platform/http-server.ts'
import {createManualClock} from '../../relay/manual-clock.ts'
import {FRESH_LINK} from '../../support/fresh-link.ts'
import {SILENT_LOG} from '../../support/silent-log.ts'

const MINUTE_MS = 60_000

const linkWith = (change: Partial<Link>, slackThread = '1.0'): Link => ({
  ...FRESH_LINK,
  id: slackThread,
  place: {...FRESH_LINK.place, slackThread},
  status: 'active',
  ...change,
})

/** Slack says these things, the last one for ever. */
async function sessionsWith({onTestFinished}: TestContext, ...errors: (string | undefined)[]) {
  let count = 0
  const slack = await serve((response) => {
    const error = errors[Math.min(count, errors.length - 1)]
    count += 1
    answerJson(response, 200, error === undefined ? {ok: true} : {ok: false, error})
  })
  const opened = openSessions(slack)
  onTestFinished(() => opened.sessions[Symbol.asyncDispose]())
  return opened
}

function openSessions({origin, requests}: Awaited<ReturnType<typeof serve>>) {
  const client = createSlackClient(async () => new Secret('xoxb-1'), {
    slackApiUrl: `${origin}/api/`,
    logger: createSlackLogger(SILENT_LOG),
  })
  const clock = createManualClock()
  const pacer = createPacer({budgets: slackBudgets(1), clock})
  const logged: string[] = []
  const log = {...SILENT_LOG, info: (_details: object, message: string) => logged.push(message)}
  const sessions = createSessions({client, pacer, team: 'T1', clock, log})
  const told = () =>
    requests.map(({body}) => {
      const said = new URLSearchParams(body)
      return `${said.get('thread_ts') ?? ''} ${said.get('status') ?? ''}`
    })
  return {sessions, told, clock, logged}
}

test('Slack is told of work when it begins and ends, and of nothing else', async (context) => {
  const {sessions, told, clock} = await sessionsWith(context, undefined)
  sessions.show(linkWith({status: 'idle'}, '2.0'))
  sessions.show(linkWith({state: 'archived'}, '3.0'))
  sessions.show(linkWith({}))
  sessions.show(linkWith({steps: 2}))
  await expect.poll(told).toEqual(['1.0 processing'])
  sessions.show(linkWith({status: 'pending_user'}))
  const soon = () => {
    clock.advance(1000) // what is nice to have leaves most of the budget to others
    return told()
  }
  await expect.poll(soon).toHaveLength(2)
  sessions.show(linkWith({status: 'idle'}))
  await expect.poll(soon).toHaveLength(3)
  sessions.show(linkWith({state: 'archived'}))
  await expect.poll(soon).toEqual(['1.0 processing', '1.0 suspended', '1.0 active', '1.0 closed'])
})

test('what came to rest while nobody told Slack of it is told once by whoever takes over', async (context) => {
  const {sessions, told, clock} = await sessionsWith(context, undefined)
  const runSinceMs = clock.dateMs() - MINUTE_MS
  const rested = linkWith({status: 'idle', runSinceMs})
  sessions.show(rested)
  sessions.show({...rested, steps: 2})
  sessions.show(linkWith({status: 'idle', runSinceMs: clock.dateMs()}, '2.0'))
  await expect.poll(told).toEqual(['1.0 active'])
  sessions.show({...rested, runSinceMs: undefined})
  sessions.show(linkWith({}, '3.0'))
  const soon = () => {
    clock.advance(1000)
    return told()
  }
  await expect.poll(soon).toContain('3.0 processing')
  expect(told()).toEqual(['1.0 active', '3.0 processing'])
})

test('long work is told again before Slack forgets it', async (context) => {
  const {sessions, told, clock} = await sessionsWith(context, undefined)
  sessions.show(linkWith({}))
  sessions.show(linkWith({}, '2.0'))
  // Told one at a time: the first has been answered.
  await expect.poll(told).toEqual(['1.0 processing', '2.0 processing'])
  clock.advance(49 * MINUTE_MS)
  expect(told()).toHaveLength(2)
  clock.advance(2 * MINUTE_MS)
  await expect.poll(() => told().filter((it) => it === '1.0 processing')).toHaveLength(2)
})

test('an app that is no agent is not told of for an hour', async (context) => {
  const {sessions, told, clock, logged} = await sessionsWith(context, 'not_agent_app', undefined)
  sessions.show(linkWith({}))
  await expect.poll(() => logged).toEqual(['Slack shows no agent sessions for this app'])
  sessions.show(linkWith({}, '2.0'))
  clock.advance(59 * MINUTE_MS)
  sessions.show(linkWith({}, '2.0'))
  clock.advance(2 * MINUTE_MS)
  sessions.show(linkWith({}, '3.0'))
  await expect.poll(told).toEqual(['1.0 processing', '3.0 processing'])
})

test('an answer that is lost is asked for again', async (context) => {
  const {sessions, told, clock} = await sessionsWith(context, 'internal_error', undefined)
  sessions.show(linkWith({}))
  await expect.poll(told).toHaveLength(1)
  await expect
    .poll(() => {
      clock.advance(MINUTE_MS)
      return told().length
    })
    .toBe(2)
})

test('the end of a stream moves the session along, and what was told meanwhile is told behind it', async (context) => {
  const {sessions, told} = await sessionsWith(context, undefined)
  const {place} = linkWith({})
  sessions.show(linkWith({}))
  await expect.poll(told).toEqual(['1.0 processing'])
  const phases: unknown[] = []
  await sessions.ending(place, async (phase) => {
    phases.push(phase)
    sessions.show(linkWith({status: 'pending_user'}))
    await Promise.resolve()
    expect(told()).toEqual(['1.0 processing'])
  })
  await expect.poll(told).toEqual(['1.0 processing', '1.0 suspended'])
  await sessions.ending(place, async (phase) => {
    await Promise.resolve()
    phases.push(phase)
  })
  const lost = sessions.ending(place, () => Promise.reject(new Error('lost')))
  await expect(lost).rejects.toThrow('lost')
  await expect.poll(told).toHaveLength(3)
  expect(phases).toEqual(['processing', 'suspended'])
})

test('a session that a stream closed is forgotten', async (context) => {
  const {sessions, told, clock} = await sessionsWith(context, undefined)
  sessions.show(linkWith({}))
  sessions.show(linkWith({}, '2.0'))
  await expect.poll(told).toEqual(['1.0 processing', '2.0 processing'])
  // What it has come to is told by the end of its stream.
  sessions.show(linkWith({status: 'idle'}, '2.0'))
  sessions.show(linkWith({state: 'archived'}))
  await sessions.ending(linkWith({}).place, () => Promise.resolve())
  const soon = () => {
    clock.advance(1000)
    return told().at(-1)
  }
  await expect.poll(soon).toBe('2.0 active')
  clock.advance(MINUTE_MS)
  sessions.show(linkWith({status: 'idle'}))
  sessions.show(linkWith({status: 'pending_user'}, '2.0'))
  await expect.poll(soon).toBe('2.0 suspended')
  expect(told().filter((it) => it.startsWith('1.0'))).toEqual(['1.0 processing'])
})

test('work that begins again while Slack is told of its end is told of behind it', async ({
  onTestFinished,
}) => {
  const answers: (() => void)[] = []
  const slack = await serve((response) => {
    answers.push(() => answerJson(response, 200, {ok: true}))
  })
  const {sessions, told, clock} = openSessions(slack)
  onTestFinished(() => sessions[Symbol.asyncDispose]())
  sessions.show(linkWith({}))
  await expect.poll(told).toEqual(['1.0 processing'])
  answers[0]?.()
  sessions.show(linkWith({state: 'archived'}))
  const soon = () => {
    clock.advance(1000)
    return told()
  }
  await expect.poll(soon).toEqual(['1.0 processing', '1.0 closed'])
  sessions.show(linkWith({}))
  answers[1]?.()
  await expect.poll(soon).toEqual(['1.0 processing', '1.0 closed', '1.0 processing'])
  answers[2]?.()
})
