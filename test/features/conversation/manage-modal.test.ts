import type {ModalView} from '@slack/types'
import {expect, test} from 'vitest'
import {createManageModal} from '../../../src/features/conversation/manage-modal.ts'
import {startContract} from '../../contract/platform/contract.ts'
import {sharedStore} from '../../store/temporary-store.ts'
import {FRESH_LINK} from '../../support/fresh-link.ts'

const {links, models} = await sharedStore()

test('whose work it is stands there by name, and after it was taken over whose it was before', async () => {
  await using platform = await startContract()
  const {signal} = platform
  const ask = {requestId: 'taken', projectId: 'project_web', message: 'mend the gate'}
  const {id} = await platform
    .client('readWrite')
    .createThread({...ask, authorId: 'user_kim'}, signal)
  const shown: ModalView[] = []
  const modal = createManageModal({
    deps: {links, models, clientOf: () => platform.client(), nowMs: Date.now},
    names: {user: () => Promise.resolve('jane')} as never,
    offersRoom: async () => false,
    forms: {
      open: (_trigger: string, view: ModalView) => (shown.push(view), Promise.resolve('V1')),
      update: (_view: string, view: ModalView) => (shown.push(view), Promise.resolve(true)),
    } as never,
  })
  const look = async (): Promise<string> => {
    await modal.open('trigger', {...FRESH_LINK, threadId: id}, signal)
    return JSON.stringify(shown.at(-1)?.blocks)
  }
  const before = await look()
  expect(before).toContain(String.raw`*Author*\nKim Lee`)
  expect(before).not.toContain('Author before')
  await platform.client().takeOver(id, signal)
  expect(await look()).toContain(String.raw`*Author before*\nKim Lee`)
  expect(await look()).toContain(String.raw`*Created*\n<!date^`)
})
