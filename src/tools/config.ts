import {createHash} from 'node:crypto'
import {readFileSync} from 'node:fs'
import type {ToolStore} from '../store/tool-store.ts'
import {applySetup} from './configuration/applying.ts'
import {openAsking} from './configuration/asking.ts'
import {differences, lineOf} from './configuration/difference.ts'
import type {Document} from './configuration/document.ts'
import {type ReadDocument, type Wrong, readDocuments, refuse} from './configuration/reading.ts'
import {resolve} from './configuration/resolving.ts'
import type {Setup} from './configuration/setup.ts'
import {type Standing, readStanding, readTeams} from './configuration/standing.ts'
import {toDocument} from './configuration/to-document.ts'
import {writeDocuments} from './configuration/writing.ts'
import {ToolProblem, counted, openDatabase, runTool, say} from './tool.ts'

const help = `
npm run --silent config -- export [--workspace T…]   prints what admins have set: channels' settings, budgets, digests,
                                                     watches, rules, hooks and names of models; no secrets
npm run config -- plan FILE.yaml [--offline]         what would change, a line for each; ends with 0 if nothing, with 2 if something
npm run config -- apply FILE.yaml [--offline]        changes it, all at once or nothing; Bosun may run

What the file leaves out is taken away in the workspaces that it names; their hooks are left as they are. Channels and projects
that nobody has set anything of are looked up in Slack and on the agent platform; --offline asks nobody and believes the file.
`

/** The exit code of a plan by which something would change. */
const DIFFERENT = 2

await runTool({
  help,
  options: {workspace: {type: 'string'}, offline: {type: 'boolean', default: false}},
  takes: 2,
  run: async ({values: {workspace, offline}, positionals: [command, file]}) => {
    if (command === 'export' && file === undefined) return printAll(workspace)
    const isKnown = command === 'plan' || command === 'apply'
    if (!isKnown || file === undefined || workspace !== undefined) {
      throw new ToolProblem(
        'Say what to do: export, plan FILE.yaml or apply FILE.yaml. --help tells more.',
      )
    }
    return command === 'plan' ? plan(file, offline) : apply(file, offline)
  },
})

async function printAll(team: string | undefined): Promise<undefined> {
  if (team !== undefined && !/^T[A-Z0-9]+$/.test(team)) {
    throw new ToolProblem(`--workspace must be an id such as T012AB3CD, but is "${team}".`)
  }
  await using store = await openDatabase()
  const teams = team === undefined ? await readTeams(store.db) : [team]
  if (teams.length === 0) {
    throw new ToolProblem('Nothing is set in any workspace yet. Name one: --workspace T012AB3CD')
  }
  const documents: Document[] = []
  for (const one of teams) {
    const {setup, nameOf} = await readStanding(store.db, one)
    documents.push(toDocument(setup, nameOf))
  }
  process.stdout.write(writeDocuments(documents))
  return undefined
}

async function plan(file: string, offline: boolean): Promise<number> {
  await using store = await openDatabase()
  let count = 0
  const documents = readDocuments(file, readFileSync(file, 'utf8'))
  for (const {wanted} of await resolveAll(store, documents, offline)) {
    count += tell(wanted.team, changesOf(wanted, await readStanding(store.db, wanted.team)))
  }
  console.log(
    count === 0 ? 'Nothing would change.' : `${counted(count, 'change')}: apply makes them.`,
  )
  return count === 0 ? 0 : DIFFERENT
}

async function apply(file: string, offline: boolean): Promise<undefined> {
  await using store = await openDatabase()
  // Once: what comes from a pipe is gone then.
  const bytes = readFileSync(file)
  const all = await resolveAll(store, readDocuments(file, bytes.toString()), offline)
  const mark = createHash('sha256').update(bytes).digest('hex').slice(0, 12)
  const made = await store.write(async (transaction) => {
    const nowMs = Date.now()
    const told: [team: string, lines: string[]][] = []
    for (const {wanted, standing} of all) {
      const {team} = wanted
      const now = await readStanding(transaction, team)
      refuseOvertaken(team, standing, now)
      const lines = changesOf(wanted, now)
      if (lines.length === 0) continue
      const about = `${counted(lines.length, 'change')}, ${mark}`
      await applySetup(transaction, {before: now.setup, wanted, about, nowMs})
      told.push([team, lines])
    }
    if (told.length > 0) await store.tellBots(transaction)
    return told
  })
  const count = made.reduce((sum, [team, lines]) => sum + tell(team, lines), 0)
  console.log(count === 0 ? 'Nothing was to change.' : `${counted(count, 'change')} made.`)
  return undefined
}

/** What was looked up was looked up for what stood then. */
function refuseOvertaken(team: string, before: Standing, now: Standing): void {
  const told = (standing: Standing): string =>
    JSON.stringify([toDocument(standing.setup, standing.nameOf), standing.connections])
  if (told(before) === told(now)) return
  throw new ToolProblem(
    `Somebody changed settings of ${team} meanwhile: nothing was changed. See what plan says now.`,
  )
}

interface Resolved {
  wanted: Setup
  /** What was set when it was looked up. */
  standing: Standing
}

async function resolveAll(
  store: ToolStore,
  documents: readonly ReadDocument[],
  offline: boolean,
): Promise<Resolved[]> {
  await using asking = openAsking(store)
  const problems: Wrong[] = []
  const all: Resolved[] = []
  for (const read of documents) {
    const standing = await readStanding(store.db, read.document.team)
    const resolved = await resolve(read, standing, offline ? undefined : asking)
    problems.push(...resolved.problems)
    if ('wanted' in resolved) all.push({wanted: resolved.wanted, standing})
  }
  refuse(problems)
  return all
}

function changesOf(wanted: Setup, {setup, nameOf}: Standing): string[] {
  return differences(toDocument(setup, nameOf), toDocument(wanted, nameOf)).map(lineOf)
}

function tell(team: string, lines: readonly string[]): number {
  if (lines.length > 0) for (const line of [`${team}:`, ...lines]) say(line)
  return lines.length
}
