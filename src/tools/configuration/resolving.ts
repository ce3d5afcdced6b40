import {nearestOne} from '../../agents/nearest-word.ts'
import type {Project} from '../../platform/model.ts'
import type {Asking} from './asking.ts'
import {type Document, ENVIRONMENT, type FileProject} from './document.ts'
import type {ReadDocument, Wrong} from './reading.ts'
import type {ConnectionId, Lookup, Setup} from './setup.ts'
import type {Standing} from './standing.ts'
import {toSetup} from './to-setup.ts'

type Path = readonly PropertyKey[]
type Found = {id: string; name?: string | undefined}
/** `wanted` is whole where nothing is wrong. */
type Resolved = {wanted: Setup; problems: readonly []} | {problems: readonly Wrong[]}

interface ProjectMention {
  path: Path
  said: FileProject
  /** What it is reached by. */
  connection: string | undefined
}

/**
 * Finds what a document names. What stands in the workspace already is not asked about; `ask` is `undefined` where nobody is
 * to be asked, and then whatever else has an id is taken for granted.
 */
export async function resolve(
  {document, wrong}: ReadDocument,
  standing: Standing,
  ask: Asking | undefined,
): Promise<Resolved> {
  const connectionOf = connectionsBy(standing)
  const problems = [
    ...wrongConnections(document, standing, connectionOf).map((it) => wrong(...it)),
    ...wrongPlaces(document, standing).map((it) => wrong(...it)),
  ]
  if (problems.length > 0) return {problems}
  const found = new Map<string, Found>()
  const known = knownProjects(standing.setup)
  for (const {path, said, connection} of projectsIn(document)) {
    const id = connection === undefined ? null : (connectionOf(connection) ?? null)
    const project = await findProject({said, id, known: known.get(id) ?? new Map(), ask})
    if (typeof project === 'string') problems.push(wrong(path, project))
    else found.set(keyOf(said, id), project)
  }
  if (ask !== undefined) problems.push(...(await askPlaces({document, wrong}, standing, ask)))
  if (problems.length > 0) return {problems}
  const lookup: Lookup = {
    connection: (name) => connectionOf(name) ?? null,
    project: (said, id) => found.get(keyOf(said, id)) ?? idOf(said),
  }
  return {wanted: withOtherHooks(toSetup(document, lookup), standing.setup), problems: []}
}

/** `undefined`: there is none of that name. */
function connectionsBy({setup, connections}: Standing): (name: string) => ConnectionId | undefined {
  const byName = new Map<string, ConnectionId>([[ENVIRONMENT, null]])
  // One that was removed is known by its id to those who chose it.
  for (const {connectionId} of setup.settings.values()) {
    if (typeof connectionId === 'string') byName.set(connectionId, connectionId)
  }
  for (const {id, name} of connections) byName.set(id, id).set(name, id)
  return (name) => byName.get(name)
}

type Problem = [path: Path, words: string]

function wrongConnections(
  {workspace, channels = {}, models = []}: Document,
  {connections}: Standing,
  connectionOf: (name: string) => ConnectionId | undefined,
): Problem[] {
  const named: [Path, string | undefined][] = [
    [['workspace', 'connection'], workspace?.connection],
    ...Object.entries(channels).flatMap(
      ([id, {settings, watches = []}]): [Path, string | undefined][] => [
        [['channels', id, 'settings', 'connection'], settings?.connection],
        ...watches.map(({connection}, index): [Path, string | undefined] => [
          ['channels', id, 'watches', index, 'connection'],
          connection,
        ]),
      ],
    ),
    ...models.map(({connection}, index): [Path, string] => [
      ['models', index, 'connection'],
      connection,
    ]),
  ]
  const names = [ENVIRONMENT, ...connections.map(({name}) => name)]
  return named.flatMap(([path, name]): Problem[] => {
    if (name === undefined || connectionOf(name) !== undefined) return []
    const near = nearestOne(names, name)
    const instead = near === undefined ? 'An admin makes one: /bosun connect' : `Is it ${near}?`
    return [[path, `is no connection of this workspace: ${name}. ${instead}`]]
  })
}

function wrongPlaces({channels = {}}: Document, {setup, rooms}: Standing): Problem[] {
  return Object.entries(channels).flatMap(([id, {settings, watches = [], hooks = []}]) => {
    const origin = rooms.get(id)
    const said = watches.map(({project}) => idOf(project).id)
    const own = new Set(setup.hooks.get(id)?.map((hook) => `/hooks/${hook.id}`))
    const addresses = hooks.map(({address}) => address)
    const isTwice = (all: readonly string[]) => (one: string, index: number) =>
      all.indexOf(one) < index
    const at = (...path: Path): Path => ['channels', id, ...path]
    return [
      ...(origin !== undefined && settings !== undefined
        ? [[at('settings'), `are those of ${origin}, from which this room was opened`] as Problem]
        : []),
      ...said.flatMap((one, index): Problem[] =>
        isTwice(said)(one, index) ? [[at('watches', index), 'is there twice']] : [],
      ),
      ...addresses.flatMap((one, index): Problem[] => {
        if (isTwice(addresses)(one, index)) return [[at('hooks', index), 'is there twice']]
        const words = `is no hook of this channel: ${one}. An admin makes one: /bosun hooks new`
        return own.has(one) ? [] : [[at('hooks', index, 'address'), words]]
      }),
    ]
  })
}

function projectsIn({workspace, channels = {}}: Document): ProjectMention[] {
  const wide = workspace?.connection
  const mention = (
    path: Path,
    said: FileProject | null | undefined,
    connection: string | undefined,
  ) => (said == null ? [] : [{path, said, connection}])
  return [
    ...mention(['workspace', 'project'], workspace?.project, wide),
    ...Object.entries(channels).flatMap(([id, {settings, watches = []}]) => {
      const near = settings?.connection ?? wide
      return [
        ...mention(['channels', id, 'settings', 'project'], settings?.project, near),
        ...watches.flatMap(({project, connection = near}, index) =>
          mention(['channels', id, 'watches', index, 'project'], project, connection),
        ),
      ]
    }),
  ]
}

/** Those that somebody has chosen already, by what reaches them: their names. */
function knownProjects(setup: Setup): Map<ConnectionId, Map<string, string | undefined>> {
  const known = new Map<ConnectionId, Map<string, string | undefined>>()
  const note = (connectionId: ConnectionId, id: string, name?: string): void => {
    const own = known.get(connectionId) ?? new Map<string, string | undefined>()
    known.set(connectionId, own.set(id, name ?? own.get(id)))
  }
  const wide = setup.settings.get('')?.connectionId ?? null
  for (const {connectionId = wide, projectId, projectName} of setup.settings.values()) {
    if (projectId !== undefined) note(connectionId, projectId, projectName)
  }
  for (const watch of [...setup.watches.values()].flat()) note(watch.connectionId, watch.projectId)
  return known
}

async function findProject({
  said,
  id: connectionId,
  known,
  ask,
}: {
  said: FileProject
  id: ConnectionId
  known: ReadonlyMap<string, string | undefined>
  ask: Asking | undefined
}): Promise<Found | string> {
  const {id, name} = idOf(said)
  if (known.has(id)) return {id, name: name ?? known.get(id)}
  if (ask === undefined) {
    if (typeof said !== 'string') return {id, name}
    return 'is a name that nobody may be asked about: write {id: …, name: …}'
  }
  const projects = await ask.projects(connectionId)
  if (typeof projects === 'string') return `cannot be looked up: ${projects}`
  const found = projects.find((one) => one.id === id) ?? byName(projects, said)
  if (found !== undefined) return {id: found.id, name: found.name}
  const near = nearestOne(
    projects.map((one) => one.name),
    name ?? id,
  )
  return `is no project that its connection reaches: ${id}.${near === undefined ? '' : ` Is it ${near}?`}`
}

function byName(projects: readonly Project[], said: FileProject): Project | undefined {
  if (typeof said !== 'string') return undefined
  const isSaid = (name: string | undefined): boolean => name?.toLowerCase() === said.toLowerCase()
  return projects.find(({name}) => isSaid(name)) ?? projects.find(({code}) => isSaid(code))
}

/** Asks for the workspace, and for the channels, of which nothing is set yet. */
async function askPlaces(
  {document: {team, channels = {}}, wrong}: ReadDocument,
  {setup: {settings, digests, watches, rules, hooks}, connections}: Standing,
  ask: Asking,
): Promise<Wrong[]> {
  const standing = new Set(
    [settings, digests, watches, rules, hooks].flatMap((of) => [...of.keys()]),
  )
  if (standing.size === 0 && connections.length === 0) {
    const why = await ask.workspace(team)
    if (why !== undefined) return [wrong(['team'], `is not known: ${why}`)]
  }
  const problems: Wrong[] = []
  for (const id of Object.keys(channels)) {
    const why = standing.has(id) ? undefined : await ask.channel(team, id)
    if (why !== undefined) problems.push(wrong(['channels', id], `is not known: ${why}`))
  }
  return problems
}

/** Hooks hold secrets: those that a file does not name are left as they are. */
function withOtherHooks(wanted: Setup, {hooks: standing}: Setup): Setup {
  const hooks = [...standing].map(([channel, all]) => {
    const named = new Map(wanted.hooks.get(channel)?.map((hook) => [hook.id, hook]))
    return [channel, all.map((hook) => named.get(hook.id) ?? hook)] as const
  })
  return {...wanted, hooks: new Map(hooks)}
}

function idOf(said: FileProject): Found {
  return typeof said === 'string' ? {id: said} : said
}

function keyOf(said: FileProject, connectionId: ConnectionId): string {
  return JSON.stringify([
    connectionId,
    typeof said === 'string' ? said : [said.id, said.name ?? null],
  ])
}
