import {join} from 'node:path'
import {expect, test} from 'vitest'
import {goesOn} from '../support/released/going-on.ts'
import {RELEASED} from '../support/released/versions.ts'

// The oldest and the newest file; `test/store/postgres/upgraded-bot.test.ts` is about servers.
const FILES: string[] = RELEASED.filter(({on}) => on.some((one) => one === 'sqlite')).map(
  ({name}) => name,
)

test.each([FILES.at(0), FILES.at(-1)])(
  'a bot finishes what one of version %s was killed over',
  async (name = '') => {
    const going = goesOn(name, (folder) => join(folder, 'bosun.db'))
    await expect(going).resolves.toBeUndefined()
  },
)
