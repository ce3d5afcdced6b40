import type {ModalView} from '@slack/types'
import {expect, test} from 'vitest'
import {createStepTrail} from '../../../src/agents/steps/step-trail.ts'
import {createStepActs} from '../../../src/features/watch/steps.ts'
import {createTaskActs} from '../../../src/features/watch/tasks.ts'
import {watchTexts} from '../../../src/features/watch/texts.ts'
import {texts} from '../../../src/slack/texts.ts'
import type {Link} from '../../../src/store/tables/work/link.ts'
import {FRESH_LINK} from '../../support/fresh-link.ts'

type Handler = (press: object, link: Link, handling: object) => Promise<unknown>

/** What is shown to whoever presses [Steps] of this work, which is asked of nobody. */
async function shownOf(link: Link): Promise<string> {
  const shown: ModalView[] = []
  const show = (view: ModalView) => shown.push(view)
  const handlers: ((press: object, link: Link, handling: object) => Promise<unknown>)[] = []
  createStepActs({
    act: ((...of: unknown[]) => handlers.push(of[3] as never)) as never,
    checks: {} as never,
    clientOf: () => {
      throw new Error('The platform must not be asked')
    },
    deps: {sends: {} as never},
    forms: {
      push: async (_trigger: string, view: ModalView) => (show(view), 'V1'),
      update: async (_id: string, view: ModalView) => (show(view), true),
    } as never,
    stepTrail: createStepTrail({nowMs: () => 0}),
  })
  const press = {triggerId: 't', view: {id: 'V0'}}
  await handlers[0]?.(press, link, {signal: new AbortController().signal})
  return JSON.stringify(shown.at(-1)?.blocks)
}

test('steps of work that is over here are not shown any more, also from a modal that was open', async () => {
  const notice = {code: 'misplaced' as const}
  expect(await shownOf({...FRESH_LINK, state: 'ended', notice})).toContain('This work is over')
})

test('work that has not begun has used no tools', async () => {
  const link = {...FRESH_LINK, state: 'starting' as const, threadId: undefined}
  expect(await shownOf(link)).toContain('The agent has used no tools yet.')
})

test('nor are its tasks, by any of the buttons that lead to them', async () => {
  const link = {...FRESH_LINK, state: 'ended' as const, tasks: [{id: 'task_1'}] as never}
  const acts: {look: ((press: object) => Promise<unknown>) | undefined; handle: Handler}[] = []
  createTaskActs({
    act: ((...[, , check, handle]: [string, string, {look?: never}, Handler]) =>
      acts.push({look: check.look, handle})) as never,
    checks: {onLink: {}} as never,
    clientOf: () => {
      throw new Error('The platform must not be asked')
    },
    announcer: {} as never,
    permalinks: {} as never,
    forms: {} as never,
    deps: {links: {byId: async () => Promise.resolve(link)}} as never,
  })
  const {team, channel, slackThread} = link.place
  const press = {team, channel, slackThread, threadTs: slackThread, triggerId: 't'}
  for (const {look, handle} of acts) {
    const value = `${link.id}.task_1`
    const told = look
      ? await look({...press, value})
      : await handle(press, link, {signal: new AbortController().signal})
    expect(JSON.stringify(told)).toContain(look ? texts.notHere : watchTexts.workIsOver)
  }
})
