import type {ModalView} from '@slack/types'
import {describe, expect, test} from 'vitest'
import {createFormOpening} from '../../../src/features/conversation/starting/form-opening.ts'
import {startTexts} from '../../../src/features/conversation/start-texts.ts'
import {TryLater} from '../../../src/inbox/try-later.ts'
import {SlackError} from '../../../src/once/slack-error.ts'
import {START_FORMS} from '../../../src/slack/ids.ts'
import {texts} from '../../../src/slack/texts.ts'
import type {Place} from '../../../src/store/tables/work/link.ts'
import {openDesk} from '../../support/desk.ts'

const {signal} = new AbortController()
const words = startTexts.form

async function setUp(of: {taskId?: string} = {}) {
  const {store, link} = await openDesk({title: 'Prices'})
  const deps = {
    links: {
      byPlace: async (place: Place) => {
        const link = await store.links.byPlace(place)
        return link && {...link, ...of}
      },
      inRoom: async () => {
        const one = state.isRoom ? await link() : undefined
        return one && {...one, place: {...one.place, isRoom: true}}
      },
    },
  }
  const views: ModalView[] = []
  const state = {
    ...{at: 'inside', isConnected: true, mayKnow: true, direct: 'D1' as string | undefined},
    ...{isDead: false, takesUpdates: true, isSlow: false, isGone: false, isRoom: false},
    isUnread: false,
  }
  const prepared: string[] = []
  const open = createFormOpening({
    ...{deps, access: {mayKnow: async () => state.mayKnow}},
    catalogue: {projects: async () => []},
    client: {
      conversations: {
        open: async () => {
          if (state.direct === undefined) throw new SlackError('refused', 'user_disabled')
          return {channel: {id: state.direct}}
        },
      },
    },
    forms: {
      open: async (_trigger: string, view: ModalView) => {
        views.push(view)
        return state.isDead ? undefined : 'V1'
      },
      update: async (_id: string, view: ModalView) => {
        views.push(view)
        return state.takesUpdates
      },
    },
    presence: async () => state.at,
    whereAgentIs: async () => 'over there',
    settingsOf: async () => ({isConnected: state.isConnected, values: {planFirst: false}}),
  } as never)
  const prepare = async (channel: string) => {
    prepared.push(channel)
    if (state.isSlow) await new Promise((resolve) => setTimeout(resolve, 1700))
    if (state.isUnread) throw new TryLater(new SlackError('retry', 'no_answer'))
    const of = {team: 'T1', user: 'U1', requestId: 'r9'}
    const request = {...{channel, task: 'mend it', options: {}, files: [], forwarded: []}, ...of}
    return state.isGone ? undefined : store.starts.open({...of, request}, 0)
  }
  const asker = {team: 'T1', user: 'U1', channel: 'C1', triggerId: 't'}
  return {
    ...{state, views, prepared},
    show: async (more: object = {}, about: {slackThread?: string} = {}) => {
      const result = await open({...asker, ...more}, {...about, prepare}, signal)
      return {result, words: JSON.stringify(views.at(-1)), view: views.at(-1)}
    },
  }
}

describe('the form', () => {
  test('begins work where it is opened', async () => {
    const {show, views, prepared} = await setUp()
    const {view, result} = await show({threadTs: '1.0'})
    expect([result, views.length, prepared]).toEqual([undefined, 1, ['C1']])
    expect(view).toMatchObject({callback_id: START_FORMS.start, submit: {text: words.start}})
    expect(JSON.parse(view?.private_metadata ?? '')).toMatchObject({
      ...{channel: 'C1', slackThread: '1.0'},
    })
  })

  test('tells the agent that works in the Slack thread of the message', async () => {
    const {show} = await setUp()
    const {view, words: shown} = await show({}, {slackThread: '1.0'})
    expect(view).toMatchObject({callback_id: START_FORMS.send, submit: {text: words.send}})
    expect(shown).toContain(words.to('Prices'))
    expect(JSON.parse(view?.private_metadata ?? '')).toMatchObject({slackThread: '1.0'})
  })

  test('says of a task that it can’t be talked to', async () => {
    const {show} = await setUp({taskId: 'k1'})
    const {view, words: shown} = await show({}, {slackThread: '1.0'})
    expect(shown).toContain('Tasks can’t be talked to')
    expect(view).not.toHaveProperty('submit')
  })

  test('begins work in somebody’s direct messages from App Home, where they have any', async () => {
    const {show, prepared, state} = await setUp()
    expect((await show({channel: undefined})).words).toContain(words.inDirect)
    expect(prepared).toEqual(['D1'])
    state.mayKnow = false
    expect((await show({channel: undefined})).words).toContain(words.notForYou)
    state.direct = undefined
    expect((await show({channel: undefined})).words).toContain(words.notShown)
  })

  test.each([
    [{isConnected: false}, words.unconnected],
    [{at: 'outside'}, words.outside('<#C1>')],
    [{isRoom: true}, startTexts.inRoom],
    [{isGone: true}, words.gone],
  ])('says before anything is entered why nothing can begin: %o', async (change, why) => {
    const {show, state} = await setUp()
    Object.assign(state, change)
    const {view, words: shown} = await show()
    expect(shown).toContain(why)
    expect(view).not.toHaveProperty('submit')
  })

  test('goes to an agent wherever that is, whatever could not begin there', async () => {
    const {show, state} = await setUp()
    state.isConnected = false
    expect((await show({}, {slackThread: '1.0'})).view).toHaveProperty('submit')
  })

  test.for([undefined, '8.0'])(
    'goes to the agent of a room with any message there, and is answered below %s',
    async (threadTs) => {
      const {show, state} = await setUp()
      state.isRoom = true
      const {view, words: shown} = await show({threadTs}, {slackThread: '9.0'})
      expect(view).toMatchObject({callback_id: START_FORMS.send})
      expect(shown).toContain(words.to('Prices'))
      const {slackThread} = JSON.parse(view?.private_metadata ?? '') as {slackThread?: string}
      expect(slackThread).toBe(threadTs)
    },
  )

  test('is told of where Slack opens nothing any more', async () => {
    const {show, state} = await setUp()
    state.isDead = true
    const answer = {text: texts.tooLateToOpen}
    expect((await show()).result).toEqual({answer, again: true})
  })

  test('is filled in once it is open where that takes long, or says that it could not be', async () => {
    const {show, state, views} = await setUp()
    state.isSlow = true
    await show()
    expect(JSON.stringify(views[0])).toContain(words.loading)
    expect(views[1]).toHaveProperty('submit')
    state.takesUpdates = false
    expect((await show()).words).toContain(words.notShown)
    state.takesUpdates = true
    state.isUnread = true
    const {result, words: shown} = await show()
    expect([result, shown]).toEqual([undefined, expect.stringContaining(words.notShown)])
  })
})
