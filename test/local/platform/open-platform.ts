import {afterAll, onTestFinished} from 'vitest'
import type {PlatformOptions} from '../../../local/platform/options.ts'
import {startPlatform, type Platform} from '../../../local/platform/server.ts'

/** One platform for all the tests of a file, which ends with them. */
export async function sharedPlatform(options: PlatformOptions): Promise<Platform> {
  const platform = await startPlatform(options)
  afterAll(() => platform.close())
  return platform
}

/** A platform that ends with the test. */
export async function openPlatform(options: PlatformOptions = {}): Promise<Platform> {
  const platform = await startPlatform(options)
  onTestFinished(() => platform.close())
  return platform
}
