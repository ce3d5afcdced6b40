import {expect, test} from 'vitest'
import {createPickingActs} from '../../../src/features/conversation/calls/picking.ts'
import {createPlanActs} from '../../../src/features/conversation/calls/plans.ts'
import {PlatformForbidden} from '../../../src/platform/errors.ts'
import {ACTIONS, FORMS} from '../../../src/slack/ids.ts'
import type {Form} from '../../../src/slack/incoming/form.ts'
import {texts} from '../../../src/slack/texts.ts'
import type {LinkChange} from '../../../src/store/tables/work/link.ts'
import {pressOf} from '../../support/presses.ts'
import {openDesk} from '../../support/desk.ts'

const words = texts.notifications.plan

/** A plan that waits for a word. */
async function setUp(change: LinkChange = {}) {
  const desk = await openDesk({plan: 'planned', ...change})
  const views: {title: object; submit: object; blocks: object[]; private_metadata: string}[] = []
  const state = {isDead: false}
  const forms = {
    open: async (_trigger: string, view: never) => {
      views.push(view)
      return state.isDead ? undefined : 'V1'
    },
  } as never
  const acts = [...createPlanActs({...desk.tools, forms}), ...createPickingActs(desk.tools)]
  const {id: linkId} = await desk.link()
  const offers = ['1. Postgres', '2. SQLite']
  const call = {
    linkId,
    key: 'k',
    kind: 'needs-you',
    person: 'U1',
    words: {plan: true, offers},
  } as const
  const notification = await desk.store.notifications.add({...call, remindAtMs: 5}, 0)
  const id = notification?.id ?? ''
  return {
    ...{desk, views, state, said: desk.said, calls: desk.calls, link: desk.link},
    call: async () => desk.store.notifications.byId(id),
    press: async (action: string, key = 'row', user = 'U1', suffix = '') =>
      desk.run(acts, pressOf({actionId: action, value: `${id}${suffix}`, threadTs: '1.0', user}), {
        ...{key, id: 900},
      }),
    submit: async (text: string, key = 'row', of: object = {}) => {
      const metadata = JSON.stringify({channel: 'C1', ping: id, message: '2.0', ...of})
      const view = {id: 'V1', hash: 'h', callbackId: FORMS.planChange, metadata}
      const who = {team: 'T1', user: 'U1', userTeam: 'T1', callbackId: FORMS.planChange}
      const entered = {values: new Map([['change', text]]), blocks: new Set()}
      const form = {kind: 'form', ...who, view, ...entered} as unknown as Form
      await desk.run(acts, form, {key, id: 900})
    },
  }
}

test('the first word on a plan counts, and who comes later hears whose it was', async () => {
  const {press, calls, said, link, call} = await setUp()
  await press(ACTIONS.planGo, 'one')
  await press(ACTIONS.planGo, 'one')
  expect([calls, said, (await link()).plan]).toEqual([['send'], [], 'approved'])
  expect(await call()).toMatchObject({state: 'answered', endedBy: 'U1'})
  await press(ACTIONS.planDrop, 'two', 'U2')
  expect(calls).toEqual(['send'])
  expect(said).toEqual([expect.stringContaining('name of U1')])
})

test('what is to be different is written in a form, and not lost with it', async () => {
  const {press, submit, views, said, calls, link, state} = await setUp()
  await press(ACTIONS.planChange)
  const {title, submit: send, label} = words.form
  expect(views[0]).toMatchObject({title: {text: title}, submit: {text: send}})
  expect(JSON.stringify(views[0])).toContain(label)
  await submit(' without a cache ', 'one')
  expect([calls, said, (await link()).plan]).toEqual([['send'], [], 'changed'])
  await submit('with two caches', 'two')
  expect(calls).toEqual(['send'])
  expect(said).toEqual([expect.stringContaining('>with two caches')])
  await press(ACTIONS.planChange)
  expect(said.at(-1)).toBe(texts.choices.over)
  await submit('x', 'three', {channel: 'C2'})
  expect(said.at(-1)).toBe(texts.notHere)
  state.isDead = true
  expect(views).toHaveLength(1)
})

test('a form that Slack does not open can be asked for again', async () => {
  const {press, state, said} = await setUp()
  state.isDead = true
  await press(ACTIONS.planChange)
  expect(said).toEqual([texts.tooLateToOpen])
})

test('a plan is dropped with its work, which is stopped if it goes on', async () => {
  const rests = await setUp()
  await rests.press(ACTIONS.planDrop)
  expect([rests.calls, rests.said]).toEqual([['archive'], []])
  expect(await rests.link()).toMatchObject({state: 'archived', plan: 'dropped'})
  expect(await rests.call()).toMatchObject({state: 'answered', endedBy: 'U1'})
  const works = await setUp({status: 'active'})
  await works.press(ACTIONS.planDrop)
  expect(works.calls).toEqual(['interrupt', 'archive'])
})

test('a plan that could not be dropped waits for the next word', async () => {
  const {press, desk, said, calls, link, call} = await setUp({status: 'active'})
  desk.answers.interrupt = new PlatformForbidden('no', {status: 403, fields: {message: 'Not you'}})
  await press(ACTIONS.planDrop, 'one')
  expect(said).toEqual([expect.stringContaining('Not you')])
  expect([(await link()).plan, (await call())?.state]).toEqual(['planned', 'open'])
  await press(ACTIONS.planGo, 'two')
  expect([calls, (await link()).plan]).toEqual([['interrupt', 'send'], 'approved'])
})

test('a word that the platform declines leaves the plan waiting', async () => {
  const {press, desk, said, link} = await setUp()
  desk.answers.send = new PlatformForbidden('no', {status: 403, fields: {message: 'Not you'}})
  await press(ACTIONS.planGo)
  expect([(await link()).plan, said]).toEqual(['planned', [expect.stringContaining('Not you')]])
})

test('an answer that is offered is given by one press', async () => {
  const {press, calls, said, call} = await setUp()
  await press(ACTIONS.pick, 'none', 'U1', '.9')
  expect([calls, said]).toEqual([[], [texts.choices.over]])
  expect(await call()).toMatchObject({state: 'open'})
})
