import {type BotProcess, createBot} from './bot.ts'
import {type Many, installByHand, startMany} from './many.ts'
import {onServer} from './postgres-server.ts'
import {barePostgres, takeTurn} from './postgres.ts'
import {until} from './until.ts'

/** Several bots on one PostgreSQL, each of which works for something. Slack delivers to the first one alone. */
interface Instances extends AsyncDisposable {
  many: Many
  database: string
  bots: readonly BotProcess[]
  origins: readonly string[]
  /** The process that works for this workspace; 0: none does. */
  ownerOf(team: string): Promise<number>
  /** Kills it; another one works for the workspace, and all run, when this returns. */
  killOwnerOf(team: string): Promise<void>
}

interface InstancesOptions extends Pick<Parameters<typeof startMany>[0], 'teams' | 'settings'> {
  count: number
}

export async function startInstances({count, ...options}: InstancesOptions): Promise<Instances> {
  await using opened = new AsyncDisposableStack()
  await takeTurn((end) => opened.defer(end))
  const database = await barePostgres((end) => opened.defer(end))
  const many = opened.use(await startMany({...options, pace: 0.1, database}))
  const others = Array.from({length: count - 1}, () => opened.use(createBot(() => many.settings())))
  const ports = await Promise.all(others.map(async (bot) => portIn(await bot.start())))
  for (const team of options.teams) {
    await installByHand(many, team)
    const channel = `C${team.slice(1)}GENERAL`
    await many.peopleOf(team).inviteBot(channel)
    // Else what a test lets Slack refuse could be this.
    await until('it says hello', () =>
      many.slack
        .messages(channel)
        .find(({metadata}) => metadata?.event_type === 'bosun_announcement'),
    )
  }
  await until('each has one', async () => {
    const rows = await onServer('select count(distinct owner) as owners from claims', database)
    return Number(rows[0]?.['owners']) === count
  })
  const bots = [many.bot, ...others]
  const ownerOf = async (team: string): Promise<number> => {
    const [row] = await onServer(
      `select instance.pid from claims
        join bosun_jobs.instance on instance.name = claims.owner where claims.name = '${team}'`,
      database,
    )
    return Number(row?.['pid'] ?? 0)
  }
  const resources = opened.move()
  return {
    ...{many, database, bots, ownerOf},
    origins: [many.origin, ...ports.map((port) => `http://127.0.0.1:${port}`)],
    killOwnerOf: async (team) => {
      const pid = await ownerOf(team)
      const owner = bots.find((bot) => bot.pid() === pid)
      await owner?.kill()
      await until('somebody else works for it', async () => ![0, pid].includes(await ownerOf(team)))
      await (owner === many.bot ? many.startBot() : owner?.start())
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

function portIn(line: string): string {
  return /port (\d+)/.exec(line)?.[1] ?? ''
}
