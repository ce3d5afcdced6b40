import type {TestContext} from 'vitest'
import {type World, type WorldOptions, startWorld} from '../support/world.ts'

/** A world that ends with the test, whether that passes, fails or takes too long. */
export async function openWorld(
  {onTestFinished}: Pick<TestContext, 'onTestFinished'>,
  options: WorldOptions = {},
): Promise<World> {
  const world = await startWorld(options)
  onTestFinished(() => world[Symbol.asyncDispose]())
  return world
}
