import {expect, test} from 'vitest'
import {openStore} from '../../../src/store/store.ts'
import {serverPrograms, startServer} from '../../support/own-postgres.ts'
import {until} from '../../support/until.ts'
import {startOwnership, teams} from './ownerships.ts'

const programs = serverPrograms()

test.skipIf(programs === undefined)(
  'a server that is started anew finds each name with one owner, and hands out new ones',
  async () => {
    const server = await startServer(programs ?? '')
    await (await openStore({path: server.url, sealingKeys: []}))[Symbol.asyncDispose]()
    const one = await startOwnership(server.url)
    const other = await startOwnership(server.url)
    const have = (count: number) => () =>
      one.names().length === count && other.names().length === count
    await one.ownership.offer(teams(20))
    await until('both have their share', have(10))
    const before = [...one.taken, ...other.taken].filter(({over}) => !over.aborted)
    await server.restart()
    await one.ownership.offer(['later', 'latest'])
    await until('both have their share again', have(11))
    const all = [...one.names(), ...other.names()]
    expect(all.sort()).toEqual([...teams(20), 'later', 'latest'].sort())
    // It was away for less than a deadline: nobody has lost anything.
    expect(before.filter(({over}) => over.aborted)).toEqual([])
  },
)
