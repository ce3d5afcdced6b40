import {describe, expect, test} from 'vitest'
import {
  STATES,
  readState,
  stateOfLink,
  stateOfThread,
  statusesOf,
} from '../../../../src/features/browse/find/states.ts'
import {threadSchema} from '../../../../src/platform/model.ts'
import {FRESH_LINK} from '../../../support/fresh-link.ts'

/** By hand from the table of states: the word to ask with, for what the platform says in either vocabulary. */
const MEANT = [
  ['active', false, 'working'],
  ['working', false, 'working'],
  ['waiting', false, 'waiting'],
  ['pending_user', false, 'needs-you'],
  ['ready_for_review', false, 'ready'],
  ['idle', false, 'done'],
  ['failed', false, 'failed'],
  ['error', false, 'failed'],
  ['archived', false, 'archived'],
  ['idle', true, 'needs-you'],
  ['working', true, 'needs-you'],
  ['failed', true, 'failed'],
  ['ready_for_review', true, 'ready'],
  ['dreaming', false, undefined],
  ['dreaming', true, 'needs-you'],
] as const

describe('the state that work is found by', () => {
  test.each(MEANT)(
    'of %s (needsYou: %s) is %s, here and on the platform',
    (status, needsYou, is) => {
      const state = status === 'archived' ? ('archived' as const) : ('open' as const)
      expect(stateOfLink({...FRESH_LINK, state, status, needsYou})).toBe(is)
      expect(stateOfThread(threadSchema.parse({id: 't', status, needsYou}))).toBe(is)
    },
  )

  test('is what we alone know of it', () => {
    expect(stateOfLink({...FRESH_LINK, state: 'starting', status: undefined})).toBe('working')
    expect(stateOfLink({...FRESH_LINK, stoppedBy: 'U1'})).toBe('stopped')
    expect(stateOfLink({...FRESH_LINK, status: 'active', stoppedBy: 'U1'})).toBe('working')
    const early = {code: 'stopped-early' as const}
    expect(stateOfLink({...FRESH_LINK, state: 'ended', notice: early})).toBe('stopped')
    const gone = {code: 'gone' as const}
    expect(stateOfLink({...FRESH_LINK, state: 'ended', notice: gone})).toBeUndefined()
  })

  test('is asked of the platform only where its statuses tell all of it', () => {
    // Whatever stands under a status that is not asked for must be in another state.
    for (const [status, needsYou, is] of MEANT) {
      if (is === undefined || statusesOf(is).length === 0) continue
      expect([is, needsYou, statusesOf(is).includes(status)]).toEqual([is, needsYou, true])
    }
    expect(statusesOf('needs-you')).toEqual([])
    expect(statusesOf(undefined)).toEqual([])
  })

  test('is understood as it is written', () => {
    for (const state of STATES) expect(readState(state.toUpperCase())).toBe(state)
    expect(readState('ready for review')).toBe('ready')
    expect(readState('constructor')).toBeUndefined()
    expect(readState('wrking')).toBeUndefined()
  })
})
