import {afterAll, beforeAll, describe, expect, test, vi} from 'vitest'
import {createBot} from '../support/bot.ts'
import {type Many, installByHand, startMany} from '../support/many.ts'
import {onServer} from '../support/postgres-server.ts'
import {barePostgres, takeTurn} from '../support/postgres.ts'
import {sessionTokenOf} from '../support/sessions.ts'
import {until} from '../support/until.ts'

vi.setConfig({testTimeout: 240_000, hookTimeout: 240_000})

const BETA = 'T0BETA'
const GAMMA = 'T0GAMMA'

/** Three instances for two workspaces and for what one does for all: each works for one of them. */
describe('three instances', () => {
  const ends = new AsyncDisposableStack()
  let database: string
  let many: Many
  let origins: string[]

  beforeAll(async () => {
    await takeTurn((end) => ends.defer(end))
    database = await barePostgres((end) => ends.defer(end))
    many = ends.use(await startMany({teams: [BETA, GAMMA], pace: 0.1, database}))
    const others = [1, 2].map(() => ends.use(createBot(() => many.settings())))
    const ports = await Promise.all(others.map(async (bot) => portIn(await bot.start())))
    origins = [many.origin, ...ports.map((port) => `http://127.0.0.1:${port}`)]
    for (const team of [BETA, GAMMA]) {
      await installByHand(many, team)
      await many.peopleOf(team).inviteBot(`C${team.slice(1)}GENERAL`)
    }
    await until('each has one', async () => {
      const rows = await onServer('select count(distinct owner) as owners from claims', database)
      return Number(rows[0]?.['owners']) === 3
    })
  })
  afterAll(() => ends.disposeAsync())

  test('know what another one shows, and wait for what it makes of a post', async () => {
    const place = await many.say(BETA, '@Bosun fix the rounding of the cart')
    await many.settled(BETA, place)
    const {id = ''} = many.platform.threads()[0] ?? {}
    await until('the other workspace reads of it', () => readsOfIt(many))

    const token = await sessionTokenOf({platform: many.platform, secrets: {}}, id)
    for (const [index, origin] of origins.entries()) {
      const answer = await fetch(`${origin}/agent/posts`, {
        method: 'POST',
        headers: {'content-type': 'application/json', authorization: `Bearer ${token}`},
        body: JSON.stringify({thread: id, text: `Built by ${index}`}),
      })
      expect([answer.status, await answer.json()]).toMatchObject([200, {state: 'posted'}])
      expect(many.ours(BETA, place).map(({text}) => text)).toContain(`Built by ${index}`)
    }
  })

  test('go on with what one of them did, once: where it stood still, and where it was killed', async () => {
    for (const fault of ['SIGSTOP', 'SIGKILL'] as const) {
      const place = await many.say(BETA, '@Bosun long report of the prices')
      await until('it is being shown', () => many.ours(BETA, place).length > 1)
      const pid = await ownerOf(BETA)
      process.kill(pid, fault)
      await until('somebody else works for it', async () => (await ownerOf(BETA)) !== pid)
      if (fault === 'SIGSTOP') process.kill(pid, 'SIGCONT')
      await many.settled(BETA, place)
    }
  })

  /** Its process. */
  async function ownerOf(team: string): Promise<number> {
    const [row] = await onServer(
      `select instance.pid from claims
        join bosun_jobs.instance on instance.name = claims.owner where claims.name = '${team}'`,
      database,
    )
    return Number(row?.['pid'] ?? 0)
  }
})

function portIn(line: string): string {
  return /port (\d+)/.exec(line)?.[1] ?? ''
}

async function readsOfIt(many: Many): Promise<boolean> {
  const {slack} = many
  const channel = 'C0GAMMAGENERAL'
  const before = slack.ephemerals(channel, 'U0GAMMARITA').length
  await many
    .peopleOf(GAMMA)
    .command({as: 'U0GAMMARITA', channel, command: '/bosun', text: 'find cart'})
  const told = await until('it is answered', () => slack.ephemerals(channel, 'U0GAMMARITA')[before])
  return told.text.includes('rounding')
}
