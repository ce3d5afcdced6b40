import {readDatabaseConfig} from '../config/config.ts'
import {doerIn} from '../slack/incoming/parse-body.ts'
import {type Erasure, createErasure} from '../store/forget/erasure.ts'
import {type ToolStore, keepBotsOut} from '../store/tool-store.ts'
import {ToolProblem, counted, openDatabase, runTool} from './tool.ts'

const help = `
npm run forget -- --workspace T… [--yes]               everything about a workspace; stop Bosun first
npm run forget -- --user U… [--workspace T…] [--yes]   somebody, everywhere or in one workspace; Bosun may run

Says what there is; --yes deletes it. Of a person it deletes what they chose and wrote, and puts nobody into the place
of their name. What stands in Slack and on the agent platform stays, and so does what is in backups.
`

await runTool({
  help,
  options: {
    workspace: {type: 'string'},
    user: {type: 'string'},
    yes: {type: 'boolean', default: false},
  },
  run: async ({values: {workspace: team, user, yes}}) => {
    if (team === undefined && user === undefined) {
      throw new ToolProblem('Say whom to forget: --workspace T… or --user U…')
    }
    if (team !== undefined && !/^[TE][A-Z0-9]+$/.test(team)) {
      throw new ToolProblem(`--workspace must be an id such as T012AB3CD, but is "${team}".`)
    }
    if (user !== undefined && !/^[UW][A-Z0-9]+$/.test(user)) {
      throw new ToolProblem(`--user must be an id such as U012AB3CD, but is "${user}".`)
    }
    if (user !== undefined) return forgetUser({user, team}, yes ? 'delete' : 'look')
    return forgetTeam(team ?? '', yes ? 'delete' : 'look')
  },
})

type Mode = 'look' | 'delete'

function erasureOf(store: ToolStore): Erasure {
  return createErasure({...store, doerOf: (body) => doerIn(JSON.parse(body))})
}

async function forgetUser(
  who: {user: string; team: string | undefined},
  mode: Mode,
): Promise<undefined> {
  await using store = await openDatabase()
  const erasure = erasureOf(store)
  if (!tell(who.user, await erasure.countUser(who), mode)) return
  await erasure.forgetUser(who)
  // What somebody did in this very moment may have come in between.
  if ((await erasure.countUser(who)).length > 0) await erasure.forgetUser(who)
  cut(store)
  console.log(
    `${who.user} is forgotten. In Slack and on the agent platform nothing was changed; backups from before still know them.`,
  )
}

async function forgetTeam(team: string, mode: Mode): Promise<undefined> {
  const {path} = readDatabaseConfig(process.env).database
  await using opened = new AsyncDisposableStack()
  if (mode === 'delete') {
    // A bot holds the workspace's keys, tokens and work in memory; none may start meanwhile.
    opened.use(await keepBotsOut(path))
  }
  const store = opened.use(await openDatabase())
  const erasure = erasureOf(store)
  if (!tell(team, await erasure.countTeam(team), mode)) return
  await erasure.forgetTeam(team)
  await store.vacuum()
  cut(store)
  console.log(
    `${team} is forgotten. Remove the app from the workspace in Slack, too: while it is there, Bosun hears of it anew.`,
  )
}

/** Says what there is; true when it is to be deleted. */
function tell(name: string, found: Awaited<ReturnType<Erasure['countTeam']>>, mode: Mode): boolean {
  if (found.length === 0) {
    console.log(`Nothing is known of ${name}.`)
    return false
  }
  for (const {what, count} of found) console.log(`${String(count).padStart(7)}  ${what}`)
  if (mode === 'look') console.log('Nothing was deleted yet: --yes does it.')
  else console.log(`${counted(found.length, 'kind')} of rows: deleting.`)
  return mode === 'delete'
}

/** What was deleted still stands in the log until that is cut off. */
function cut(store: ToolStore): void {
  if (!store.emptyLog()) {
    console.log('Bosun reads and writes: its log holds what was deleted a little longer.')
  }
}
