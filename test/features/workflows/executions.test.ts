import {expect, onTestFinished, test, vi} from 'vitest'
import {DEFAULTS, settle} from '../../../src/agents/channel-settings.ts'
import {startExecutions} from '../../../src/features/workflows/executions.ts'
import {SlackError} from '../../../src/once/slack-error.ts'
import type {Execution} from '../../../src/store/tables/executions.ts'
import type {Link} from '../../../src/store/tables/work/link.ts'
import {openSlack} from '../../local/slack/slack-fixture.ts'
import {newLink, temporaryStore} from '../../store/temporary-store.ts'
import {until} from '../../support/until.ts'

const MANY = 50
const channel = 'C0WEB'

const LET_IN = settle({
  channel: {...DEFAULTS, connectionId: 'k', workflows: true},
  workspace: undefined,
  standard: undefined,
})
/** By the workspace alone: where everybody may look. */
const LET_IN_PUBLIC = settle({
  channel: undefined,
  workspace: {...DEFAULTS, connectionId: 'k', workflows: true},
  standard: undefined,
})

test('of many steps that wait those alone are looked at of which there is news, until it is time for all', async () => {
  const {slack, client} = await openSlack({rateScale: 1000})
  const store = await temporaryStore()
  const team = slack.teamId
  const world = {nowMs: Date.now(), looks: 0}
  const links: Link[] = []
  for (let index = 0; index < MANY; index += 1) {
    const place = {team, channel, slackThread: `${index}.0`}
    const requestId = `workflow:${team}:Fx${index}`
    const rule = {id: `Fx${index}`, name: 'start_agent', isWorkflow: true} as const
    const opened = await store.links.open({...newLink, place, requestId, rule}, world.nowMs)
    const link = await store.links.change(opened.id, {state: 'open', status: 'active'})
    if (link !== undefined) links.push(link)
    const limit = {most: MANY, sinceMs: 0, full: {error: 'full'}, nowMs: world.nowMs}
    await store.executions.take({id: `Fx${index}`, team, channel, requestId}, limit)
  }
  const workflows = startExecutions({
    ...{client, team, executions: store.executions, marks: store.marks},
    links: {
      ...store.links,
      byRequest: (requestId) => {
        world.looks += 1
        return store.links.byRequest(requestId)
      },
    },
    settingsOf: async () => LET_IN,
    membership: {visibilityOf: async () => 'public'},
    permalinks: {find: async () => 'https://acme.slack.com/archives/C0WEB/p1'},
    begin: async () => undefined,
    clockCheck: {isOlder: async () => false},
    nowMs: () => world.nowMs,
    log: {info: () => undefined, warn: () => undefined, error: () => undefined},
    show: async () => undefined,
  })
  onTestFinished(() => workflows[Symbol.asyncDispose]())
  await until('all are looked at once', () => world.looks === MANY)

  const [first, second] = links
  if (first === undefined || second === undefined) throw new Error('There are too few.')
  for (let times = 1; times <= 20; times += 1) {
    workflows.note(first)
    await until('it is looked at', () => world.looks === MANY + times)
  }
  world.nowMs += 60_000
  workflows.note(second)
  await until('all are looked at', () => world.looks === 2 * MANY + 20)
  // The clock was wrong, and is set right.
  world.nowMs -= 3_600_000
  workflows.note(second)
  await until('all are looked at once more', () => world.looks === 3 * MANY + 20)

  await store.links.change(first.id, {status: 'idle', statusSinceMs: world.nowMs})
  workflows.note(first)
  const told = await until('the one that is over is told', () =>
    slack.ledger.calls.find(({method}) => method === 'functions.completeSuccess'),
  )
  expect(told.args).toMatchObject({function_execution_id: 'Fx0'})
})

test('a workflow is told that its work goes on for a week by a clock alone that is right', async () => {
  const {slack, client} = await openSlack({rateScale: 1000})
  const store = await temporaryStore()
  const team = slack.teamId
  const requestId = `workflow:${team}:Fx1`
  const place = {team, channel, slackThread: '1.0'}
  const rule = {id: 'Fx1', name: 'start_agent', isWorkflow: true} as const
  const {id} = await store.links.open({...newLink, place, requestId, rule}, 0)
  const link = await store.links.change(id, {state: 'open', status: 'active'})
  if (link === undefined) throw new Error('It is gone.')
  const limit = {most: 1, sinceMs: 0, full: {error: 'full'}, nowMs: 0}
  await store.executions.take({id: 'Fx1', team, channel, requestId}, limit)
  const world = {nowMs: 500 * 24 * 3_600_000, isRight: false, looks: 0}
  const workflows = startExecutions({
    ...{client, team, executions: store.executions, links: store.links},
    marks: {
      of: (linkId) => {
        world.looks += 1
        return store.marks.of(linkId)
      },
    },
    settingsOf: async () => LET_IN,
    membership: {visibilityOf: async () => 'public'},
    permalinks: {find: async () => 'https://acme.slack.com/archives/C0WEB/p1'},
    begin: async () => undefined,
    clockCheck: {
      isOlder: async (sinceMs, thanMs) => world.isRight && world.nowMs - sinceMs > thanMs,
    },
    nowMs: () => world.nowMs,
    log: {info: () => undefined, warn: () => undefined, error: () => undefined},
    show: async () => undefined,
  })
  onTestFinished(() => workflows[Symbol.asyncDispose]())
  for (let looks = 1; looks <= 3; looks += 1) {
    await until('it is looked at', () => world.looks >= looks)
    workflows.note(link)
  }
  const told = () =>
    slack.ledger.calls.find(({method}) => method === 'functions.completeSuccess')?.args
  expect(told()).toBeUndefined()
  world.isRight = true
  workflows.note(link)
  const args = await until('it is told', told)
  expect(JSON.stringify(args)).toContain('unfinished')
})

test('of a channel of which Slack says nothing keeps no other step from being told, nor does a table for long', async () => {
  const {slack, client} = await openSlack({rateScale: 1000})
  const store = await temporaryStore()
  const team = slack.teamId
  const world = {nowMs: Date.now(), isBroken: false, isSilent: true, failures: 0, looks: 0}
  const links: Link[] = []
  for (const [index, where] of ['C0SILENT', channel].entries()) {
    const requestId = `workflow:${team}:Fx${index}`
    const rule = {id: `Fx${index}`, name: 'start_agent', isWorkflow: true} as const
    const place = {team, channel: where, slackThread: `${index}.0`}
    const opened = await store.links.open({...newLink, place, requestId, rule}, world.nowMs)
    const link = await store.links.change(opened.id, {state: 'open', status: 'active'})
    if (link !== undefined) links.push(link)
    const limit = {most: 2, sinceMs: 0, full: {error: 'full'}, nowMs: world.nowMs + index}
    await store.executions.take({id: `Fx${index}`, team, channel: where, requestId}, limit)
  }
  const fail = () => {
    world.failures += 1
  }
  const workflows = startExecutions({
    ...{client, team, links: store.links},
    marks: {
      of: (linkId) => {
        world.looks += 1
        return store.marks.of(linkId)
      },
    },
    executions: {
      ...store.executions,
      untold: async (of) => {
        if (world.isBroken) throw new Error('The connection is broken')
        return store.executions.untold(of)
      },
    },
    settingsOf: async () => LET_IN_PUBLIC,
    membership: {
      visibilityOf: async (where) =>
        world.isSilent && where === 'C0SILENT' ? 'unknown' : 'public',
    },
    permalinks: {find: async () => 'https://acme.slack.com/archives/C0WEB/p1'},
    begin: async () => undefined,
    clockCheck: {isOlder: async () => false},
    nowMs: () => world.nowMs,
    log: {info: () => undefined, warn: fail, error: fail},
    show: async () => undefined,
  })
  onTestFinished(() => workflows[Symbol.asyncDispose]())
  await until('both are looked at', () => world.looks === 2)
  const [silent, other] = links
  if (silent === undefined || other === undefined) throw new Error('There are too few.')
  for (const {id} of links) await store.links.change(id, {status: 'idle'})
  world.isBroken = true
  workflows.note(silent)
  workflows.note(other)
  await until('the table could not be read', () => world.failures > 0)
  world.isBroken = false
  // It is not yet time for all.
  workflows.note({...other, requestId: 'workflow:T:none'})
  const told = () =>
    slack.ledger.calls
      .filter(({method}) => method === 'functions.completeSuccess')
      .map(({args}) => args['function_execution_id'])
  await until('the other one is told', () => told().length === 1, {withinMs: 5000})
  expect(told()).toEqual(['Fx1'])
  world.isSilent = false
  workflows.note(other)
  await until('this one is told', () => told().length === 2, {withinMs: 5000})
})

/** Steps that are over and not told, of which Slack makes what `answer` says; nothing of it waits for a real clock. */
function openTold(ids: readonly string[], answer: (id: string) => SlackError | undefined) {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const ending = {error: 'It has not begun.'}
  const open = new Map(
    ids.map((id): [string, Execution] => [
      id,
      {...{id, team: 'T1', channel, requestId: id, askedAtMs: 0, isTold: false}, ending},
    ]),
  )
  const [asked, logged] = [[] as string[], [] as string[]]
  const completeError = async ({function_execution_id: id}: {function_execution_id: string}) => {
    asked.push(id)
    const error = answer(id)
    if (error !== undefined) throw error
  }
  const log = (_details: object, message: string) => void logged.push(message)
  const workflows = startExecutions({
    client: {functions: {completeError}} as never,
    executions: {
      untold: async () => [...open.values()],
      end: async () => undefined,
      told: async (id) => void open.delete(id),
      take: async () => Promise.reject(new Error('None is asked for.')),
    },
    links: {byRequest: async () => undefined, changeIf: async () => undefined},
    marks: {of: async () => []},
    settingsOf: async () => LET_IN,
    membership: {visibilityOf: async () => 'public'},
    permalinks: {find: async () => undefined},
    begin: async () => undefined,
    clockCheck: {isOlder: async () => false},
    nowMs: () => Date.now(),
    ...{team: 'T1', log: {info: log, warn: log, error: log}},
    show: async () => undefined,
  })
  onTestFinished(() => workflows[Symbol.asyncDispose]())
  const news = {requestId: 'x', rule: {id: 'x', name: 'x', isWorkflow: true}} as Link
  return {asked, logged, open, note: () => workflows.note(news)}
}

test('a token that is refused is tried less and less often, with one step and one line at a time', async () => {
  let isRefused = true
  const {asked, logged, open, note} = openTold(['a', 'b', 'c'], () =>
    isRefused ? new SlackError('dead', 'token_revoked') : undefined,
  )
  for (let minutes = 0; minutes < 60; minutes += 1) {
    note()
    await vi.advanceTimersByTimeAsync(60_000)
  }
  expect(asked.length).toBeGreaterThan(10)
  // As often as it was tried each 15 seconds: 240 times, with all of them.
  expect(asked.length).toBeLessThan(120)
  expect(logged).toHaveLength(asked.length)
  isRefused = false
  await vi.advanceTimersByTimeAsync(320_000)
  expect([...open.keys()]).toEqual([])
})

test('what Slack fails at for one step alone keeps no other from being told', async () => {
  const {asked, open} = openTold(['a', 'b', 'c'], (id) =>
    id === 'a' ? new SlackError('retry', 'internal_error') : undefined,
  )
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asked.slice(0, 4)).toEqual(['a', 'b', 'c', 'a'])
  expect([...open.keys()]).toEqual(['a'])
})

test('nor one that it declined before', async () => {
  let isDown = true
  const {open} = openTold(['a', 'b'], (id) =>
    isDown || id === 'a' ? new SlackError('retry', 'internal_error') : undefined,
  )
  await vi.advanceTimersByTimeAsync(100_000)
  isDown = false
  await vi.advanceTimersByTimeAsync(600_000)
  expect([...open.keys()]).toEqual(['a'])
})

test('Slack is asked nothing before it wants to be', async () => {
  const limited = new SlackError('wait', 'ratelimited', {retryAfterMs: 600_000})
  let isLimited = true
  const {asked, open, note} = openTold(['a', 'b'], () => (isLimited ? limited : undefined))
  await vi.advanceTimersByTimeAsync(1)
  isLimited = false
  note()
  await vi.advanceTimersByTimeAsync(599_000)
  expect(asked).toEqual(['a'])
  await vi.advanceTimersByTimeAsync(1000)
  expect([...open.keys()]).toEqual([])
})

test('a step that is given up ends its work, which nobody tries to begin any more', async () => {
  const {slack, client} = await openSlack({rateScale: 1000})
  const store = await temporaryStore()
  const team = slack.teamId
  const place = {team, channel, slackThread: '1.0'}
  const {id} = await store.links.open({...newLink, place, requestId: `workflow:${team}:Fx1`}, 0)
  const shown: string[] = []
  const workflows = startExecutions({
    ...{...store, client, team},
    settingsOf: async () => LET_IN,
    membership: {visibilityOf: async () => 'public'},
    permalinks: {find: async () => undefined},
    begin: async () => undefined,
    show: async (linkId) => void shown.push(linkId),
    clockCheck: {isOlder: async () => false},
    nowMs: () => 0,
    log: {info: () => undefined, warn: () => undefined, error: () => undefined},
  })
  onTestFinished(() => workflows[Symbol.asyncDispose]())
  const step = {team, id: 'Fx1', callbackId: 'start_agent', inputs: {channel, task: 'look'}}
  await workflows.giveUp(step as never)
  expect(await store.links.byId(id)).toMatchObject({state: 'ended', notice: {code: 'given-up'}})
  expect(shown).toEqual([id])
  const told = await until('Slack is told', () =>
    slack.ledger.calls.find(({method}) => method === 'functions.completeError'),
  )
  expect(told.args).toMatchObject({function_execution_id: 'Fx1'})
})
