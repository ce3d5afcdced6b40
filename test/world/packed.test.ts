import {join} from 'node:path'
import {expect, test} from 'vitest'
import {unpack} from '../support/package.ts'
import {temporaryFolder} from '../support/temporary-folder.ts'
import {FAULTLESS, verdict} from '../support/verdict.ts'
import {openWorld} from './open-world.ts'

test('a release that is unpacked runs with what it needs in production alone', async (context) => {
  const folder = unpack(temporaryFolder(context.onTestFinished))
  const botMain = join(folder, 'src', 'main.ts')
  const world = await openWorld(context, {pace: 0.05, botMain})
  const place = await world.say('@Bosun a quick look at the release')
  await world.settled(place)
  expect(verdict(world, place)).toEqual(FAULTLESS)
})
