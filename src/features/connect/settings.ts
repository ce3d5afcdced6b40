import {BUDGET_NAMES, DEFAULTS, areWorkflowsLetIn} from '../../agents/channel-settings.ts'
import {z} from 'zod'
import {checkKey} from '../../agents/key-check.ts'
import {isSize} from '../../agents/creation.ts'
import {nearest} from '../../agents/nearest-word.ts'
import type {Handling} from '../../inbox/worker.ts'
import {EFFORTS, MODES, type Project} from '../../platform/model.ts'
import type {Allowed, Settings} from '../../store/tables/channels/bindings.ts'
import {NOISES} from '../../store/tables/choices.ts'
import type {StoredConnection} from '../../store/tables/platform-keys.ts'
import {parseJson} from '../../security/foreign-json.ts'
import type {Form} from '../../slack/incoming/form.ts'
import {inBold, whoChanged} from '../../slack/markup/lines.ts'
import {drawSettingsForm} from './views/settings-form.ts'
import {KEY_FORMS} from '../../slack/ids.ts'
import {keyName, texts} from '../../slack/texts.ts'
import {type Act, type Check, type ActResult, Refusal} from '../../slack/gate/act.ts'
import {type KeyActsOptions, originText} from './key-forms.ts'
import {shown} from '../../slack/gate/staying.ts'
import {connectTexts} from './texts.ts'

/** What is being chosen, for which place. */
interface At {
  team: string
  channel: string | undefined
  scope: 'channel' | 'workspace'
  /** `undefined`: the key of the environment. */
  connection: StoredConnection | undefined
}

/** The same, as the form showed it. */
type Saved = At & {sinceMs: number | undefined; isBarred: boolean}

type SettingsForm = Parameters<typeof drawSettingsForm>[0]

const metadataSchema = z.object({
  channel: z.string().optional(),
  scope: z.enum(['channel', 'workspace']),
  connectionId: z.string().nullable(),
  /** Since when what was shown had stood; `null`: nothing had. */
  sinceMs: z.number().nullable(),
  /** It said that people of another company read the channel. */
  isBarred: z.boolean().default(false),
})

const MAX_LABEL = 80
const MAX_TIMES = 10_000
/** As people write it. */
const DOLLARS = /^\$?\d{1,7}(?:\.\d{1,2})?$/

/** What is done with a key: shown as it holds now, and saved unless somebody else was faster. */
export function createSettingsActs(options: KeyActsOptions): {
  acts: Act[]
  /** The form, filled in with what holds in that place now. */
  prefilled(at: At, projects: readonly Project[]): Promise<SettingsForm>
} {
  const {act, deps, forms, groups, knowing, settingsOf, nowMs} = options

  const valuesAt = async ({team, channel, scope}: At): Promise<Settings> => {
    const isHere = scope === 'channel' && channel !== undefined
    const effective = await settingsOf(team, isHere ? channel : undefined)
    const {values} = effective
    const workflows = isHere
      ? areWorkflowsLetIn(effective, await knowing.isPrivate({team, channel}))
      : values.workflows
    return {...values, workflows, connectionId: values.connectionId ?? null} as Settings
  }

  /** What would hold in a channel for which nothing is chosen but this. */
  const inheritedBy = async (at: At, {allowed = DEFAULTS.allowed}: Settings): Promise<Settings> => {
    const {team, channel = ''} = at
    const {values, sources} = await settingsOf(team, undefined)
    const isPrivate = await knowing.isPrivate({team, channel})
    const workflows = areWorkflowsLetIn({values: {...values, allowed}, sources}, isPrivate)
    return {...values, workflows, connectionId: values.connectionId ?? null} as Settings
  }

  const originOf = async ({team, channel}: At): Promise<string | undefined> =>
    channel === undefined
      ? undefined
      : originText(await deps.bindings.originOf(team, channel), channel)

  const prefilled = async (at: At, projects: readonly Project[]): Promise<SettingsForm> => {
    const {team, channel, scope, connection} = at
    const [values, binding, named, origin, isBarred] = await Promise.all([
      valuesAt(at),
      deps.bindings.read(team, scope === 'channel' ? (channel ?? '') : ''),
      groups.all(),
      originOf(at),
      channel !== undefined && deps.barredChannels.isBarred({team, channel}),
    ])
    const isReached = projects.some(({id}) => id === values.projectId)
    const [only, ...others] = projects
    const projectId = isReached ? values.projectId : others.length === 0 ? only?.id : undefined
    return {
      metadata: {
        ...(channel !== undefined && {channel}),
        scope,
        connectionId: connection?.id ?? null,
        sinceMs: binding?.changedAtMs ?? null,
        isBarred,
      },
      scope,
      origin,
      isBarred,
      key: keyName(connection),
      projects,
      groups: named,
      values: {...values, ...(projectId === undefined ? {projectId: ''} : {projectId})},
    }
  }

  /** Another admin may have removed it while the form stood open. */
  const onForm: Check<Form, Saved> = {
    name: 'on a key of the workspace',
    look: async ({team, view}) => {
      const {data} = metadataSchema.safeParse(parseJson(view.metadata))
      if (data === undefined) return new Refusal({text: texts.notHere})
      const {channel, scope, connectionId, sinceMs, isBarred} = data
      if (scope === 'channel' && channel === undefined) return new Refusal({text: texts.notHere})
      const at = {team, channel, scope, sinceMs: sinceMs ?? undefined, isBarred}
      if (connectionId === null) {
        if (options.hasStandard === 'yes') return {...at, connection: undefined}
        return new Refusal({text: connectTexts.gone})
      }
      const connection = await deps.connections.byId(connectionId)
      const isThere = connection?.team === team && connection.state !== 'gone'
      return isThere ? {...at, connection} : new Refusal({text: connectTexts.gone})
    },
    standing: ({channel, connection}) => ({
      ...(channel !== undefined && {channel}),
      ...(connection !== undefined && {about: connection.id}),
    }),
  }

  const save = async (
    form: Form,
    {sinceMs, isBarred, ...at}: Saved,
    {signal}: Handling,
  ): Promise<ActResult> => {
    const {team, channel, scope, connection} = at
    const connectionId = connection?.id
    const entered = readEntered(form)
    const checked = await checkKey(options.clientOf({connectionId}), signal)
    const projects = checked.outcome === 'good' ? checked.projects : []
    const said = form.values.get('project')?.trim() ?? ''
    const project = said === '' ? undefined : findProject(projects, said)
    const trouble =
      checked.outcome === 'bad'
        ? connectTexts.bad(checked)
        : said !== '' && project === undefined
          ? unknownProject(projects, said)
          : undefined
    if (trouble !== undefined) {
      const drawn = await prefilled(at, projects)
      const metadata = {...drawn.metadata, sinceMs: sinceMs ?? null}
      const values = {...drawn.values, ...entered, projectId: said}
      const again = drawSettingsForm({...drawn, metadata, values, trouble})
      return shown(await forms.update(form.view.id, again), trouble)
    }
    const place = {team, channel: scope === 'channel' ? (channel ?? '') : ''}
    const inherited: Settings = scope === 'channel' ? await inheritedBy(at, entered) : DEFAULTS
    const settings: Settings = {
      connectionId: connectionId ?? null,
      ...(project !== undefined && {projectId: project.id, projectName: project.name}),
      ...differing(entered, inherited),
    }
    const by = {user: form.user, nowMs: nowMs(), sinceMs}
    const outcome = await deps.bindings.replace(place, settings, by)
    if (outcome.outcome === 'stale') {
      return {answer: {text: connectTexts.stale(whoChanged(outcome.by))}}
    }
    const saved = await savedText(at, project?.name)
    const goesOn = isBarred && (await letGoOn(at))
    return {answer: {text: goesOn ? `${saved} ${connectTexts.goesOn}` : saved}}
  }

  /** Whoever saves what said so has read who reads the channel that it was opened in. */
  const letGoOn = async ({team, channel}: At): Promise<boolean> => {
    if (channel === undefined || !(await deps.barredChannels.allow({team, channel}))) return false
    options.onAllowed({team, channel})
    return true
  }

  const savedText = async (at: At, project: string | undefined): Promise<string> => {
    const {team, channel, scope, connection} = at
    const {savedHere, savedAll, ownStays} = connectTexts
    const key = inBold(keyName(connection), MAX_LABEL)
    const name = project && inBold(project, MAX_LABEL)
    const origin = await originOf(at)
    if (scope === 'channel') return savedHere(name, key, origin)
    const own = channel === undefined ? undefined : await deps.bindings.of(team, channel)
    return [savedAll(name, key), ...(own === undefined ? [] : [ownStays(origin)])].join(' ')
  }

  return {acts: [act('form', KEY_FORMS.settings, onForm, save)], prefilled}
}

/** Everything but the project; what was left empty is empty. */
function readEntered({values}: Form): Settings {
  const text = (name: string): string => values.get(name)?.trim() ?? ''
  const also = text('also').split(',')
  const noise = NOISES.find((one) => one === text('noise'))
  const size = text('size')
  return {
    modelId: text('model'),
    effort: EFFORTS.find((one) => one === text('effort')) ?? '',
    modes: MODES.filter((mode) => text('modes').split(',').includes(mode)),
    machineSize: isSize(size) ? size : '',
    followUps: text('followUps') === 'mention' ? 'mention' : 'everyone',
    noise: noise ?? 'normal',
    allowed: readAllowed(text('who'), text),
    guests: also.includes('guests'),
    externals: also.includes('externals'),
    planFirst: text('planFirst') === 'yes',
    longReplies: text('longReplies') === 'canvas' ? 'canvas' : 'file',
    fixPullRequests: text('fixPullRequests') === 'yes',
    workflows: text('workflows') === 'yes',
    rooms: ROOMS.find((one) => one === text('rooms')) ?? 'asked',
    instructions: text('instructions'),
    startsPerPerson: Number(text('perPerson')) || 0,
    startsPerChannel: Number(text('perChannel')) || 0,
    ...Object.fromEntries(BUDGET_NAMES.map((name) => [name, readDollars(text(name))])),
  }
}

const ROOMS = ['asked', 'long', 'always'] as const

/** `null`: as much as it takes. */
function readDollars(said: string): number | null {
  return DOLLARS.test(said) ? Number(said.replace('$', '')) : null
}

function readAllowed(who: string, text: (name: string) => string): Allowed {
  switch (who) {
    case 'group':
      return {who, group: text('group')}
    case 'list':
      return {who, users: text('people').split(',').filter(isUser)}
    case 'everyone':
      return {who}
    default:
      // A form of ours says one of them: whatever else is said lets nobody in.
      return {who: 'list', users: []}
  }
}

/** What is as it would be anyway is not chosen: it goes on following what it follows. */
function differing(entered: Settings, inherited: Settings): Settings {
  const wordOf = (value: unknown): string => JSON.stringify(isEmpty(value) ? EMPTY : value)
  const isSame = (name: keyof Settings): boolean =>
    wordOf(toldOf(entered, name)) === wordOf(toldOf(inherited, name))
  const names = Object.keys(entered) as (keyof Settings)[]
  const changed = names.filter((name) => !isSame(name))
  return Object.fromEntries(changed.map((name) => [name, entered[name]]))
}

const EMPTY = 'nothing'

function isEmpty(value: unknown): boolean {
  return !value || (Array.isArray(value) && value.length === 0)
}

/** A budget of nothing is one. */
function toldOf(settings: Settings, name: keyof Settings): unknown {
  const isBudget = BUDGET_NAMES.some((budget) => budget === name)
  const {[name]: value} = settings
  return isBudget && typeof value === 'number' ? String(value) : value
}

function findProject(projects: readonly Project[], said: string): Project | undefined {
  const word = said.toLowerCase()
  const isSaid = (name: string | undefined): boolean => name?.toLowerCase() === word
  return (
    projects.find(({id}) => id === said) ??
    projects.find(({name}) => isSaid(name)) ??
    projects.find(({code}) => isSaid(code))
  )
}

function unknownProject(projects: readonly Project[], said: string): string {
  const [near] = nearest(
    projects.map(({name}) => name),
    said,
    1,
  )
  return connectTexts.noProject(inBold(said, MAX_LABEL), near && inBold(near, MAX_LABEL))
}

function isUser(id: string): boolean {
  return /^[UW]\w+$/.test(id)
}

/** What can be told wrong at once. */
export function checkSettings({values}: Form): Record<string, string> | undefined {
  const words = connectTexts.settings
  const errors: Record<string, string> = {}
  const who = values.get('who')
  if (who === 'group' && !/^S\w+$/.test(values.get('group')?.trim() ?? '')) {
    errors['group'] = words.needsGroup
  }
  const people = values.get('people')?.split(',') ?? []
  if (who === 'list' && !people.some(isUser)) errors['people'] = words.needsPeople
  for (const name of ['perPerson', 'perChannel']) {
    const said = values.get(name)?.trim() ?? ''
    const isRight = /^\d{1,5}$/.test(said) && Number(said) > 0 && Number(said) <= MAX_TIMES
    if (said !== '' && !isRight) errors[name] = words.needsNumber
  }
  for (const name of BUDGET_NAMES) {
    const said = values.get(name)?.trim() ?? ''
    if (said !== '' && !DOLLARS.test(said)) errors[name] = words.needsDollars
  }
  return Object.keys(errors).length === 0 ? undefined : errors
}
