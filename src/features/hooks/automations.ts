import {createUserNames} from '../../agents/user-names.ts'
import type {Knowing} from '../../agents/who-may-know.ts'
import type {PlatformClient} from '../../platform/client.ts'
import {PlatformError, PlatformForbidden, PlatformNotFound} from '../../platform/errors.ts'
import type {Store} from '../../store/store.ts'
import type {Automation} from '../../platform/model.ts'
import type {Press} from '../../slack/incoming/press.ts'
import {drawAutomationForm, freshEntry} from './views/automation-form.ts'
import {drawAutomationDetails} from './views/automation-details.ts'
import {
  type AutomationHere,
  automationName,
  drawAutomation,
  drawAutomations,
  drawFollowing,
  drawNoAutomations,
} from './views/automations.ts'
import {ACTIONS} from '../../slack/ids.ts'
import {texts} from '../../slack/texts.ts'
import type {Act, ActResult} from '../../slack/gate/act.ts'
import {soon} from '../../slack/gate/soon.ts'
import {automationTexts} from './automation-texts.ts'
import {referencesIn} from './runs/run-reference.ts'
import type {ActTools} from '../../slack/gate/tools.ts'
import {telling} from '../../slack/gate/asking.ts'

interface AutomationActsOptions extends ActTools<
  'clientOf' | 'unconnected' | 'forms' | 'nowMs' | 'people' | 'settingsOf' | 'webUrl' | 'zoneOf'
> {
  deps: Pick<Store, 'runs' | 'timetables'> & {knowing: Pick<Knowing, 'automationsHiddenFrom'>}
}

const PER_PAGE = 10
/** Of its work so much is named. */
const MAX_RUNS = 5
/** Nobody pages through more. */
/** Of all projects; what is behind that may be anything. */
const MAX_READ_OF_ALL = 5000
const MAX_READ = 500
const words = automationTexts

/** `/bosun automations`: those of a channel's project, and what can be done with them. */
export function createAutomationActs(options: AutomationActsOptions): Act[] {
  const {act, checks, deps, clientOf, settingsOf, unconnected, forms, nowMs} = options
  const namesOf = createUserNames({clientOf, nowMs})

  /** Those of which whoever asks may know. */
  const read = async (
    at: {team: string; channel: string; user: string},
    {client, projectId, connectionId}: Project,
    signal: AbortSignal,
  ): Promise<Automation[]> => {
    const found: Automation[] = []
    for await (const one of client.listAutomations({projectId}, signal)) {
      found.push(one)
      if (found.length >= MAX_READ) break
    }
    const named = found.map(({id, prompt}) => ({id, references: referencesIn(prompt ?? '')}))
    const hidden = await deps.knowing.automationsHiddenFrom({...at, connectionId}, named)
    return found.filter(({id}) => !hidden.has(id))
  }

  const isHidden = async (
    at: {team: string; channel: string; user: string},
    {connectionId}: Project,
    id: string,
  ): Promise<boolean> => {
    const named = [{id, references: []}]
    return (await deps.knowing.automationsHiddenFrom({...at, connectionId}, named)).has(id)
  }

  /** With what the channel says of them. */
  const seenHere = async (
    {team, channel}: {team: string; channel: string},
    all: readonly Automation[],
  ): Promise<AutomationHere[]> => {
    const kept = await deps.timetables.ofChannel(team, channel)
    const followed = new Map(
      kept.map(({automationId, followedBy}) => [automationId, followedBy !== undefined]),
    )
    return all.map((one) => ({...one, isFollowed: followed.get(one.id)}))
  }

  /** The project that the channel works in, and the key that reaches it; else what is told instead. */
  const projectOf = async ({
    team,
    channel,
    user,
  }: {
    team: string
    channel: string
    user: string
  }) => {
    const {isConnected, values} = await settingsOf(team, channel)
    const {projectId, projectName, connectionId} = values
    if (!isConnected) return {answer: await unconnected.answer(user, 'key')}
    if (projectId === undefined) return {answer: await unconnected.answer(user, 'project')}
    return {projectId, projectName, connectionId, client: clientOf({connectionId})}
  }

  const pageOf = async (
    at: {team: string; channel: string; user: string},
    from: number,
    signal: AbortSignal,
  ): Promise<ActResult> => {
    const project = await projectOf(at)
    if ('answer' in project) return project
    const [all, name, mayChange] = await Promise.all([
      read(at, project, signal),
      project.projectName ?? nameOf(project, signal),
      options.people.seemsAdmin(at.user),
    ])
    if (all.length === 0) return {answer: drawNoAutomations({mayChange})}
    const rows = await seenHere(at, all.slice(from, from + PER_PAGE))
    if (rows.length === 0) return {answer: {text: words.noMore}}
    const next = from + PER_PAGE < all.length ? from + PER_PAGE : undefined
    return {answer: drawAutomations({rows, from, next, mayChange}, name), inPlace: true}
  }

  const openForm = async (at: {
    team: string
    channel: string
    user: string
    triggerId: string
  }): Promise<ActResult | undefined> => {
    const project = await projectOf(at)
    if ('answer' in project) return project
    const zone = await soon(options.zoneOf(at.user), 'UTC')
    const form = drawAutomationForm({channel: at.channel, values: freshEntry(zone)})
    const opened = await forms.open(at.triggerId, form)
    return opened === undefined ? {answer: {text: texts.tooLateToOpen}, again: true} : undefined
  }

  /** A button bears an id of the platform's: what it is about has to be in the project of this channel. */
  const change =
    (how: keyof typeof EFFECTS) =>
    async (press: Press, signal: AbortSignal): Promise<ActResult> => {
      const {team, user, channel = '', value} = press
      const project = await projectOf({team, channel, user})
      if ('answer' in project) return project
      const {client} = project
      const at = {team, channel, user}
      const find = async () => (await read(at, project, signal)).find(({id}) => id === value)
      const standing = await find()
      // The platform need not list what is deleted.
      const mayBeDeleted =
        how === 'restore' &&
        !(await isHidden(at, project, value)) &&
        !(await runsElsewhere(client, value, signal))
      if (standing === undefined && !mayBeDeleted) return {answer: {text: words.gone}}
      const isThere = await changing(() => client[`${how}Automation`](value, signal))
      const changed = isThere ? (standing ?? (await find())) : undefined
      // What this project does not list now is none of its own.
      if (isThere && changed === undefined) await client.deleteAutomation(value, signal)
      if (changed === undefined) return {answer: {text: words.gone}}
      const [now] = await seenHere({team, channel}, [{...changed, ...EFFECTS[how]}])
      if (now === undefined) return {answer: {text: words.gone}}
      return {answer: drawAutomation(words.done[how](automationName(now)), now)}
    }

  const detailsOf = async (
    {team, user, channel = '', value}: Press,
    signal: AbortSignal,
  ): Promise<ActResult> => {
    const project = await projectOf({team, channel, user})
    if ('answer' in project) return project
    const {connectionId} = project
    const at = {team, channel, user}
    const listed = (await read(at, project, signal)).filter(({id}) => id === value)
    const [automation] = await seenHere({team, channel}, listed)
    if (automation === undefined) return {answer: {text: words.gone}}
    const {runAsId} = automation
    const [runAs, mayChange, runs] = await Promise.all([
      runAsId === undefined ? undefined : namesOf({connectionId})(runAsId, signal),
      options.people.seemsAdmin(user),
      deps.runs.ofAutomation({team, channel, automationId: automation.id}, MAX_RUNS),
    ])
    const more = {runs, webUrl: options.webUrl, nowMs: nowMs()}
    return {answer: drawAutomationDetails({automation, runAs, mayChange, ...more})}
  }

  /** What its schedule begins, from now on. */
  const follow = async ({team, user, channel = '', value}: Press): Promise<ActResult> => {
    const [how = ''] = value.split('.', 1)
    const automation = {team, channel, automationId: value.slice(how.length + 1)}
    const isWish = how === 'on'
    const kept = await deps.timetables.of(automation)
    await deps.timetables.follow(automation, isWish ? user : undefined)
    if (kept === undefined) return {answer: {text: words.gone}}
    const said = (isWish ? words.follows : words.followsNot)(automationName(kept))
    return {answer: drawFollowing(said, kept.automationId, isWish)}
  }

  const pressed = (actionId: string, how: Parameters<typeof change>[0]): Act =>
    act('press', actionId, checks.member, (press, _subject, {signal}) =>
      tellingReadOnly(() => change(how)(press, signal)),
    )

  return [
    act('command', '/bosun automations', checks.member, async (interaction, _subject, {signal}) => {
      if (interaction.rest.toLowerCase() !== 'new')
        return tellingReadOnly(() => pageOf(interaction, 0, signal))
      // Whether they really are is asked when it is submitted.
      if (!(await options.people.seemsAdmin(interaction.user)))
        return {answer: {text: words.notAdmin}}
      return openForm(interaction)
    }),
    act('press', ACTIONS.automationsMore, checks.member, (press, _subject, {signal}) => {
      const {team, user, channel = '', value} = press
      const from = /^\d{1,6}$/.test(value) ? Number(value) : 0
      return tellingReadOnly(() => pageOf({team, user, channel}, from, signal))
    }),
    act('press', ACTIONS.automationNew, checks.member, async (press) => {
      const {team, user, channel = '', triggerId} = press
      return openForm({team, user, channel, triggerId})
    }),
    act('press', ACTIONS.automationDetails, checks.member, (press, _subject, {signal}) =>
      tellingReadOnly(() => detailsOf(press, signal)),
    ),
    act('press', ACTIONS.automationFollow, checks.member, follow),
    pressed(ACTIONS.automationEnable, 'enable'),
    pressed(ACTIONS.automationDisable, 'disable'),
    pressed(ACTIONS.automationDelete, 'delete'),
    pressed(ACTIONS.automationRestore, 'restore'),
  ]
}

interface Project {
  client: PlatformClient
  projectId: string
  connectionId: string | undefined
}

/** Section 3.4. */
const EFFECTS = {
  enable: {enabled: true},
  disable: {enabled: false},
  delete: {deleted: true},
  restore: {deleted: false},
} as const

/** A project that the environment names is known by its id alone. A list without its name is better than none. */
async function nameOf(
  {client, projectId}: {client: PlatformClient; projectId: string},
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    return (await client.getProject(projectId, signal)).name
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    return undefined
  }
}

/** False: it is not there. */
async function changing(change: () => Promise<unknown>): Promise<boolean> {
  try {
    await change()
    return true
  } catch (error) {
    if (error instanceof PlatformNotFound) return false
    throw error
  }
}

/** What the platform declines about automations is told, which some keys may read and not change (section 4.7). */
export function tellingReadOnly(ask: () => Promise<ActResult>): Promise<ActResult> {
  return telling(async () => {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof PlatformForbidden)) throw error
      return {answer: {text: automationTexts.readOnly}, again: true}
    }
  })
}

/** In another project of the key: it is none of this channel's business, and nothing is to be made undone. */
async function runsElsewhere(
  client: PlatformClient,
  automationId: string,
  signal: AbortSignal,
): Promise<boolean> {
  let left = MAX_READ_OF_ALL
  for await (const {id, deleted} of client.listAutomations({}, signal)) {
    if (id === automationId) return !deleted
    left -= 1
    if (left === 0) return true
  }
  return false
}
