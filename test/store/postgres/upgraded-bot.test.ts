import {expect, test} from 'vitest'
import {barePostgres} from '../../support/postgres.ts'
import {goesOn} from '../../support/released/going-on.ts'
import {RELEASED} from '../../support/released/versions.ts'

// The oldest and the newest that a server can have; `test/world/upgrades.test.ts` is about files.
const SERVERS: string[] = RELEASED.filter(({on}) => on.some((one) => one === 'postgres')).map(
  ({name}) => name,
)

test.each([SERVERS.at(0), SERVERS.at(-1)])(
  'a bot finishes what one of version %s was killed over',
  async (name = '') => {
    const database = await barePostgres()
    await expect(goesOn(name, () => database, {DATABASE_URL: database})).resolves.toBeUndefined()
  },
)
