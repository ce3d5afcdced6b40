import {describe, expect, test} from 'vitest'
import {Refusal} from '../../../src/slack/gate/act.ts'
import {createChecks} from '../../../src/slack/gate/checks.ts'
import type {Press} from '../../../src/slack/incoming/press.ts'
import {HOME} from '../../../src/slack/ids.ts'
import type {Notification} from '../../../src/store/tables/work/notifications.ts'
import {newLink, place, temporaryStore} from '../../store/temporary-store.ts'
import {budgetsOf} from '../../support/budgets.ts'
import {openHouse} from '../../support/open-house.ts'

const view = {id: 'V1', hash: 'h', callbackId: HOME, metadata: ''}
const atHome = {channel: undefined, messageTs: undefined, threadTs: undefined, view}

describe('a press', () => {
  const setting = async () => {
    const store = await temporaryStore()
    const link = await store.links.open(newLink, 0)
    const call = {linkId: link.id, key: 'k', kind: 'needs-you', person: 'U1', words: {}} as const
    const notification = await store.notifications.add({...call, remindAtMs: undefined}, 0)
    const clientOf = () => {
      throw new Error('not asked for')
    }
    const attribute = () => Promise.resolve({byKey: 'nobody' as const})
    const deps = {
      ...store,
      knowing: openHouse,
      clientOf,
      attribute,
      show: async () => undefined,
      budgets: budgetsOf(store),
      nowMs: () => 0,
    }
    const checks = createChecks(deps, async () => undefined)
    const press = (change: Partial<Press>): Press => ({
      ...{kind: 'press', team: place.team, user: 'U1', userTeam: undefined},
      ...{channel: place.channel, messageTs: '1.1', threadTs: place.slackThread, view: undefined},
      ...{
        actionId: 'bosun:stop',
        value: `${link.id}.x`,
        actionTs: '2.0',
        triggerId: 't',
        ticked: new Map(),
      },
      whisperUrl: undefined,
      ...change,
    })
    const isLet = async (change: Partial<Press>): Promise<boolean> =>
      !((await checks.onLink.look(press(change))) instanceof Refusal)
    const mayAnswer = async (change: Partial<Press>): Promise<boolean> => {
      const value = (notification as Notification).id
      return !((await checks.onNotification.look(press({value, ...change}))) instanceof Refusal)
    }
    return {isLet, mayAnswer}
  }

  test('in the Slack thread is anybody’s of the workspace, and of no other place', async () => {
    const {isLet, mayAnswer} = await setting()
    for (const may of [isLet, mayAnswer]) {
      expect(await may({user: 'U2'})).toBe(true)
      expect(await may({channel: 'C2'})).toBe(false)
      expect(await may({team: 'T2'})).toBe(false)
      expect(await may({threadTs: '9.0'})).toBe(false)
      expect(await may({value: 'none'})).toBe(false)
    }
  })

  test('in the preview of a link is as good as in the Slack thread, anywhere in its channel', async () => {
    const {isLet, mayAnswer} = await setting()
    for (const may of [isLet, mayAnswer]) {
      expect(await may({threadTs: '9.0', isInUnfurl: true})).toBe(true)
      expect(await may({threadTs: undefined, isInUnfurl: true})).toBe(true)
      expect(await may({channel: 'C2', isInUnfurl: true})).toBe(false)
      expect(await may({team: 'T2', isInUnfurl: true})).toBe(false)
    }
  })

  test('in App Home is for whoever asked for the work, in their workspace', async () => {
    const {isLet, mayAnswer} = await setting()
    for (const may of [isLet, mayAnswer]) {
      expect(await may(atHome)).toBe(true)
      expect(await may({...atHome, user: 'U2'})).toBe(false)
      expect(await may({...atHome, team: 'T2'})).toBe(false)
      expect(await may({...atHome, view: {...view, callbackId: 'bosun:answer'}})).toBe(false)
      // A message is judged by where it stands, whatever else is said of it.
      expect(await may({channel: 'C2', view})).toBe(false)
    }
  })
})
