import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {ACTIONS} from '../../src/slack/ids.ts'
import {startInstances} from '../support/instances.ts'
import type {Many} from '../support/many.ts'
import {onServer} from '../support/postgres-server.ts'
import {until} from '../support/until.ts'
import type {Place} from '../support/verdict.ts'

const BETA = 'T0BETA'
const CHANNEL = 'C0BETAGENERAL'
/** Who asks for work, and an admin. */
const [RITA, ALEX] = ['U0BETARITA', 'U0BETAALEX']

/** Slack delivers to the first one, and either of them may work for the workspace. */
describe('two instances', () => {
  let all: Awaited<ReturnType<typeof startInstances>>
  let many: Many

  beforeAll(async () => {
    all = await startInstances({teams: [BETA], count: 2, settings: {BOSUN_WATCH_SECONDS: '1'}})
    ;({many} = all)
    await onServer(
      `insert into bindings values ('${BETA}', '${CHANNEL}', '{"budgetPerWork":5}', 'U0ADMIN', 1)`,
      all.database,
    )
    const steps = [{kind: 'think' as const, delayMs: 3_600_000}]
    for (const text of ['long work', 'Go on.']) {
      many.platform.control.planScript({when: {text}, times: 99, steps})
    }
  })
  afterAll(() => all[Symbol.asyncDispose]())

  const threadOf = ({ts}: Place) =>
    many.platform.threads().find(({requestId}) => requestId === `slack:${BETA}:${CHANNEL}:${ts}`)
  const press = (ts: string, actionId: string, as = RITA) =>
    many.peopleOf(BETA).press({as, channel: CHANNEL, ts, actionId})
  const said = (place: Place, words: string) =>
    many.ours(BETA, place).filter(({text}) => text.includes(words))
  const told = (id = ''): string[] =>
    many.platform
      .transcript(id)
      .flatMap(({source, text}) => (source === 'user' ? [text] : []))
      .slice(1)
  const asked = (path: RegExp, words = '') =>
    [...many.platform.ledger].filter(
      ({method, path: at, body}) =>
        method === 'POST' && path.test(at) && JSON.stringify(body ?? '').includes(words),
    )
  /** The next thing that Rita is told. */
  const whispered = async (act: () => Promise<unknown>) => {
    const whispers = () => many.slack.ephemerals(CHANNEL, RITA)
    const before = whispers().length
    await act()
    return until('she is told', () => whispers()[before])
  }
  const reply = ({ts: threadTs}: Place, text: string) =>
    many.peopleOf(BETA).post({as: RITA, channel: CHANNEL, text, threadTs})

  test.for(['', 'where one is killed'])(
    'stop work for its budget once, tell it once, and let it go on once %s',
    async (kills) => {
      const place = await many.say(BETA, '@Bosun long work')
      await until('it works', () => threadOf(place)?.status === 'active')
      const id = threadOf(place)?.id ?? ''
      many.platform.control.setUsage(id, 5100)
      await until('it is stopped', () => threadOf(place)?.status === 'idle')
      if (kills !== '') await all.killOwnerOf(BETA)
      const stopped = () => said(place, 'Stopped: this work has used its $5.00.')
      const notice = await until('it is told', () => stopped()[0])

      const fault = {kind: 'answer' as const, status: 503, applied: true}
      const match = {path: `/threads/${id}/message$`}
      if (kills !== '') many.platform.control.faults.add({match, fault, times: 1})
      await Promise.all([RITA, ALEX].map((as) => press(notice.ts, ACTIONS.goOn, as)))
      await until('the agent is told', () => told(id).length > 0)
      if (kills !== '') await all.killOwnerOf(BETA)
      await until('it works', () => threadOf(place)?.status === 'active')
      await until('that is told', () => said(place, 'let it go on with $5 more')[0])
      await until('the card says it', () =>
        JSON.stringify(many.ours(BETA, place)[0]?.blocks).includes('of $10'),
      )
      expect(stopped()).toHaveLength(1)
      expect(told(id)).toEqual([expect.stringMatching(/:\nGo on\.$/)])
      const [audit] = await onServer(
        `select count(*) as stops from audit join links on about = links.id || ' $5.1 of $5'
          where act = 'budget work' and links.thread_id = '${id}'`,
        all.database,
      )
      expect(Number(audit?.['stops'])).toBe(1)
      if (kills === '') expect(asked(new RegExp(`${id}/interrupt`))).toHaveLength(1)
    },
  )

  test('begin work once with one of two models that two people choose', async () => {
    const threads = many.platform.threads().length
    const place = await many.say(BETA, '@Bosun model=own-subscription a quick choice')
    const card = () => many.ours(BETA, place)[0]
    const says = (words: string) => JSON.stringify(card()?.blocks ?? []).includes(words) && card()
    const {ts} = await until('it asks', () => says('cannot be used'))
    await Promise.allSettled([
      press(ts, `${ACTIONS.startModel}:0`, RITA),
      press(ts, `${ACTIONS.startModel}:1`, ALEX),
    ])
    await until('it is done', () => says('Done'))
    expect(many.platform.threads()).toHaveLength(threads + 1)
    const begun = asked(/\/threads$/, 'a quick choice').filter(({status}) => status === 200)
    expect(new Set(begun.map(({body}) => (body as {requestId?: string}).requestId)).size).toBe(1)
  })

  test.for(['', 'where one is killed'])(
    'send a message once with another model, of two that are pressed %s',
    async (kills) => {
      const place = await many.say(BETA, '@Bosun a quick talk')
      await many.settled(BETA, place)
      const id = threadOf(place)?.id ?? ''
      const refused = await whispered(() => reply(place, '!model own-subscription a quick word'))
      expect(refused.text).toContain('The model *own-subscription* cannot be used.')
      const fault = {kind: 'answer' as const, status: 503, applied: true}
      const match = {path: `/threads/${id}/message$`}
      if (kills !== '') many.platform.control.faults.add({match, fault, times: 1})
      const choices = ['0', '1', 'default'].map((which) => `${ACTIONS.sendModel}:${which}`)
      // Slack delivers a press once: of an instance that is about to go nobody may have taken any.
      await until('one is taken', async () => {
        const pressed = await Promise.all(choices.map((choice) => press(refused.ts, choice)))
        return pressed.includes('acked')
      })
      await until('the agent has it', () => told(id).length > 0)
      if (kills !== '') await all.killOwnerOf(BETA)
      await many.settled(BETA, place)
      expect(told(id)).toEqual([expect.stringMatching(/:\na quick word$/)])
      expect(said(place, 'Not sure this arrived')).toEqual([])
    },
  )
})
