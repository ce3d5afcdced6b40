import type {ChoiceStore, Choices, Noise} from '../store/tables/choices.ts'
import type {Link} from '../store/tables/work/link.ts'
import type {ModelWish} from './models/model-choice.ts'
import type {BindingStore, BudgetSettings, Settings} from '../store/tables/channels/bindings.ts'

/** Where a setting comes from: what is nearer wins. */
export type Source = 'channel' | 'workspace' | 'environment' | 'default'

type Name = keyof Settings
/** What holds everywhere, if only because nobody has said otherwise. */
type Settled = keyof typeof DEFAULTS
type Values = {[Key in Settled]-?: NonNullable<Settings[Key]>} & {
  [Key in Exclude<Name, 'connectionId'>]: Settings[Key] | undefined
}

/** What holds in a channel, and where each of it comes from. */
export interface Effective {
  values: Values & {connectionId: string | undefined}
  /** False: there is no key to reach a platform with. */
  isConnected: boolean
  sources: Readonly<Record<Name, Source>>
}

/** What the environment gives to an install of one workspace; `undefined` where it gives no key. */
type Standard = {projectId: string | undefined} | undefined

export const DEFAULTS = {
  followUps: 'everyone',
  noise: 'normal',
  allowed: {who: 'everyone'},
  guests: false,
  externals: false,
  planFirst: false,
  longReplies: 'file',
  fixPullRequests: false,
  workflows: false,
  rooms: 'asked',
} as const satisfies Settings

/** In the order in which they are asked, and told. */
export const BUDGET_NAMES = [
  ...(['budgetPerWork', 'budgetPerPersonDay', 'budgetPerPersonMonth'] as const),
  ...(['budgetPerChannelDay', 'budgetPerChannelMonth'] as const),
] as const satisfies (keyof BudgetSettings)[]

const NAMES = [
  ...['connectionId', 'projectId', 'projectName', 'modelId', 'effort', 'modes', 'machineSize'],
  ...['followUps', 'noise', 'allowed', 'guests', 'externals', 'instructions'],
  ...['startsPerPerson', 'startsPerChannel', 'planFirst', 'longReplies', 'fixPullRequests'],
  ...(['workflows', 'rooms'] as const),
  ...BUDGET_NAMES,
] as const satisfies Name[]

/**
 * Whether workflows may start work there. Said for the whole workspace, it counts where everybody may look and use Bosun; elsewhere
 * the channel says so itself.
 */
export function areWorkflowsLetIn(
  {values, sources}: Pick<Effective, 'values' | 'sources'>,
  isPrivate: boolean,
): boolean {
  const isForAll = values.allowed.who === 'everyone' && !isPrivate
  return values.workflows && (sources.workflows === 'channel' || isForAll)
}

/** A project belongs to the key that reaches it, and its name to the project: they are chosen together. */
const WITH_CONNECTION: readonly Name[] = ['projectId', 'projectName']

/** Channel over workspace over environment. */
export function settle(layers: {
  channel: Settings | undefined
  workspace: Settings | undefined
  standard: Standard
}): Effective {
  const {channel = {}, workspace = {}, standard} = layers
  const connectionSource: Source =
    channel.connectionId !== undefined
      ? 'channel'
      : workspace.connectionId !== undefined
        ? 'workspace'
        : 'environment'
  const environment: Settings = {
    connectionId: null,
    ...(standard?.projectId !== undefined && {projectId: standard.projectId}),
  }
  const all: readonly (readonly [Source, Settings])[] = [
    ['channel', channel],
    ['workspace', workspace],
    ['environment', environment],
    ['default', DEFAULTS],
  ]
  const near = all.findIndex(([source]) => source === connectionSource)
  const sourceOf = (name: Name): Source => {
    // What is further away than the key was said for another one.
    const layers = WITH_CONNECTION.includes(name) ? all.slice(0, near + 1) : all
    return layers.find(([, settings]) => settings[name] !== undefined)?.[0] ?? 'default'
  }
  const sources = Object.fromEntries(NAMES.map((name) => [name, sourceOf(name)])) as Record<
    Name,
    Source
  >
  const layerOf = new Map(all)
  const read = <Key extends Name>(name: Key): Settings[Key] | undefined =>
    layerOf.get(sources[name])?.[name]
  const connectionId = read('connectionId') ?? undefined
  return {
    values: {
      connectionId,
      // An empty choice is one, too: none.
      projectId: read('projectId') || undefined,
      projectName: read('projectName') || undefined,
      modelId: read('modelId') || undefined,
      effort: read('effort') || undefined,
      modes: read('modes'),
      machineSize: read('machineSize') || undefined,
      followUps: read('followUps') ?? DEFAULTS.followUps,
      noise: read('noise') ?? DEFAULTS.noise,
      allowed: read('allowed') ?? DEFAULTS.allowed,
      guests: read('guests') ?? DEFAULTS.guests,
      externals: read('externals') ?? DEFAULTS.externals,
      planFirst: read('planFirst') ?? DEFAULTS.planFirst,
      longReplies: read('longReplies') ?? DEFAULTS.longReplies,
      fixPullRequests: read('fixPullRequests') ?? DEFAULTS.fixPullRequests,
      workflows: read('workflows') ?? DEFAULTS.workflows,
      rooms: read('rooms') ?? DEFAULTS.rooms,
      instructions: read('instructions') || undefined,
      startsPerPerson: read('startsPerPerson') || undefined,
      startsPerChannel: read('startsPerChannel') || undefined,
      ...budgetsIn(read),
    },
    isConnected: connectionId !== undefined || standard !== undefined,
    sources,
  }
}

/** What somebody has chosen for themselves of how their work starts. */
type OwnDefaults = Pick<Choices, 'model' | 'effort' | 'modes' | 'size'>

/**
 * How work starts where its message does not say, nearest first: as the channel has it, then the person, then the
 * workspace.
 */
export function standardWishes(
  {values, sources}: Pick<Effective, 'values' | 'sources'>,
  own: OwnDefaults,
): (ModelWish & {size?: string | undefined})[] {
  const {modelId: model, effort, modes, machineSize: size} = values
  const from = (isOfChannel: boolean) => {
    const isIts = (name: Name): boolean => (sources[name] === 'channel') === isOfChannel
    return {
      ...(isIts('modelId') && {model}),
      ...(isIts('effort') && {effort}),
      ...(isIts('modes') && {modes}),
      ...(isIts('machineSize') && {size}),
    }
  }
  return [from(true), own, from(false)]
}

/** Nothing is an amount, too; that none was chosen is told by `null`. */
function budgetsIn(read: (name: keyof BudgetSettings) => number | null | undefined) {
  return {
    budgetPerWork: read('budgetPerWork') ?? undefined,
    budgetPerPersonDay: read('budgetPerPersonDay') ?? undefined,
    budgetPerPersonMonth: read('budgetPerPersonMonth') ?? undefined,
    budgetPerChannelDay: read('budgetPerChannelDay') ?? undefined,
    budgetPerChannelMonth: read('budgetPerChannelMonth') ?? undefined,
  }
}

/** Who chose the project that work starts in. */
export type ProjectSource = 'channel' | 'person' | 'workspace'

/**
 * Where work starts that names no project itself. What somebody has chosen for themselves goes before what holds in
 * the whole workspace, and never before what was chosen for the channel. `own`: of the person, if the key reaches it.
 */
export function standardProject(
  {values, sources}: Pick<Effective, 'values' | 'sources'>,
  own: string | undefined,
): {projectId: string; by: ProjectSource} | undefined {
  const {projectId} = values
  if (projectId !== undefined && sources.projectId === 'channel') return {projectId, by: 'channel'}
  if (own !== undefined) return {projectId: own, by: 'person'}
  return projectId === undefined ? undefined : {projectId, by: 'workspace'}
}

export type SettingsOf = (team: string, channel: string | undefined) => Promise<Effective>

/** Reads what holds in a channel now; without a channel, in the whole workspace. */
export function createSettings(bindings: BindingStore, standard: Standard): SettingsOf {
  return async (team, channel = '') => {
    const [workspace, own] = await Promise.all([
      bindings.of(team, ''),
      channel === '' ? undefined : bindings.of(team, channel),
    ])
    return settle({channel: own, workspace, standard})
  }
}

/** What work calls its starter for, and shows them: as they have chosen, else as holds where it is. */
type NoiseOf = (link: Pick<Link, 'place' | 'startedBy'>) => Promise<Noise>

export function createNoiseOf(choices: Pick<ChoiceStore, 'of'>, settingsOf: SettingsOf): NoiseOf {
  return async ({place: {team, channel}, startedBy: user}) => {
    const own = await choices.of({team, user})
    return own.noise ?? (await settingsOf(team, channel)).values.noise
  }
}
