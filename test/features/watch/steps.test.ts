import type {ModalView} from '@slack/types'
import {expect, test} from 'vitest'
import {createStepTrail} from '../../../src/agents/step-trail.ts'
import {createStepActs} from '../../../src/features/watch/steps.ts'
import type {Link} from '../../../src/store/tables/work/link.ts'
import {FRESH_LINK} from '../../support/fresh-link.ts'

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
