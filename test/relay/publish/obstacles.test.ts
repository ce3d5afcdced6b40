import {expect, onTestFinished, test, vi} from 'vitest'
import {createPacer} from '../../../src/relay/pace/pacer.ts'
import {createObstacles} from '../../../src/relay/publish/obstacles.ts'
import {createManualClock} from '../manual-clock.ts'

const METHOD = 'chat.postMessage'
const place = {team: 'T', channel: 'C'}
const call = {...place, method: METHOD}
const ask = {...call, rank: 'final' as const, sinceMs: 0, notBeforeMs: 0}

function open() {
  vi.spyOn(Math, 'random').mockReturnValue(1)
  onTestFinished(() => void vi.restoreAllMocks())
  const clock = createManualClock()
  const pacer = createPacer({budgets: {}, clock})
  const obstacles = createObstacles({pacer, clock})
  let told = 0
  const unwatch = obstacles.watch(() => void (told += 1))
  return {clock, pacer, obstacles, unwatch, told: () => told}
}

test('whoever meets one silences its scope for everybody, longer each time it is met again', () => {
  const {clock, pacer, obstacles} = open()
  const obstacle = {scope: place, code: 'not_in_channel'}
  for (const seconds of [60, 90, 150, 270, 510, 630, 630]) {
    obstacles.meet(obstacle)
    // Who was on the way already meets the same one.
    obstacles.meet(obstacle)
    expect(obstacles.at(place)).toMatchObject(obstacle)
    expect(pacer.isPaused(ask)).toBe(true)
    expect(pacer.isPaused({...ask, channel: 'D'})).toBe(false)
    // What one person alone is shown still goes there.
    expect(pacer.isPaused({...ask, method: 'chat.postEphemeral'})).toBe(false)
    clock.advance(seconds * 1000 - 1)
    expect(obstacles.at(place)).toBeDefined()
    clock.advance(1)
    expect(obstacles.at(place)).toBeUndefined()
    expect(pacer.isPaused(ask)).toBe(false)
    expect(obstacles.all()).toHaveLength(1)
  }
  obstacles.meet({...obstacle, code: 'is_archived'})
  clock.advance(60_000)
  expect(obstacles.at(place)).toBeUndefined()
})

test('it is over when Slack takes a call there, and others hear of all that', () => {
  const {obstacles, pacer, told, clock, unwatch} = open()
  obstacles.pass(call)
  expect(told()).toBe(0)
  for (const scope of [{team: 'T'}, place, {team: 'T', method: METHOD}]) {
    obstacles.meet({scope, code: 'no'})
  }
  expect(told()).toBe(3)
  obstacles.pass({...call, team: 'T2'})
  expect(obstacles.all()).toHaveLength(3)
  obstacles.pass(call)
  expect([obstacles.all(), pacer.isPaused(ask), told()]).toEqual([[], false, 6])
  clock.advance(60_000)
  expect(told()).toBe(9)
  unwatch()
  obstacles.meet({scope: place, code: 'no'})
  expect(told()).toBe(9)
})

test('a sign that something has changed ends what it is about', () => {
  const {obstacles} = open()
  obstacles.meet({scope: place, code: 'is_archived'})
  obstacles.retry(place, ['not_in_channel'])
  obstacles.retry({team: 'T'})
  expect(obstacles.at(place)).toBeDefined()
  obstacles.retry(place, ['not_in_channel', 'is_archived'])
  expect(obstacles.at(place)).toBeUndefined()
  obstacles.meet({scope: place, code: 'is_archived'})
  obstacles.retry(place)
  expect(obstacles.at(place)).toBeUndefined()
})

test('what holds in a workspace holds in its channels, and goes with the workspace', () => {
  const {obstacles} = open()
  obstacles.meet({scope: {team: 'T'}, code: 'token_revoked'})
  obstacles.meet({scope: {team: 'T2', channel: 'C'}, code: 'no'})
  expect(obstacles.at(place)).toMatchObject({code: 'token_revoked'})
  obstacles.forget('T')
  expect(obstacles.all()).toMatchObject([{code: 'no'}])
})
