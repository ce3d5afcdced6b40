import type {TestContext} from 'vitest'
import {createMovingBot} from '../support/bot-inside.ts'
import {type World, type WorldOptions, startWorld} from '../support/world.ts'

/** What only a process of its own has. */
const OF_PROCESSES = ['haste', 'clock', 'botMain'] as const

export type OpenOptions = WorldOptions & {apart?: true}

/**
 * A world that ends with the test, whether that passes, fails or takes too long. Its bot runs inside of the test's process,
 * unless it is to be `apart`: then it can be killed.
 */
export async function openWorld(
  {onTestFinished}: Pick<TestContext, 'onTestFinished'>,
  {apart, ...options}: OpenOptions = {},
): Promise<World> {
  const isApart = apart ?? OF_PROCESSES.some((it) => options[it] !== undefined)
  const world = await (isApart ? startWorld(options) : startInside(options))
  onTestFinished(() => world[Symbol.asyncDispose]())
  return world
}

/** A world whose bot runs inside of the test's process: a start costs a tenth. It moves out to be killed. */
export function startInside(options: WorldOptions = {}): Promise<World> {
  return startWorld({...options, openBot: createMovingBot})
}
