import type {Handling} from '../../inbox/worker.ts'
import type {PlatformClient} from '../../platform/client.ts'
import {PlatformError, PlatformModelRejected} from '../../platform/errors.ts'
import type {Automation} from '../../platform/model.ts'
import type {Leaks} from '../../security/leaks.ts'
import {meetCandidates, toRejected} from '../../agents/models/rejected-model.ts'
import type {Knowing} from '../../agents/who-may-know.ts'
import type {Timetable} from '../../store/tables/hooks/timetables.ts'
import type {Hook} from '../../store/tables/hooks/hooks.ts'
import type {Store} from '../../store/store.ts'
import type {Form} from '../../slack/incoming/form.ts'
import {automationName, drawAutomation} from './views/automations.ts'
import {type MoreInputs, drawAutomationForm} from './views/automation-form.ts'
import {ACTIONS, HOOK_FORMS} from '../../slack/ids.ts'
import {code, moment} from '../../slack/markup/lines.ts'
import {parseJson} from '../../security/foreign-json.ts'
import {canStore} from '../../slack/secrecy.ts'
import {texts} from '../../slack/texts.ts'
import type {Act, ActResult} from '../../slack/gate/act.ts'
import {soon} from '../../slack/gate/soon.ts'
import {shown} from '../../slack/gate/staying.ts'
import {requestIdOf} from '../../slack/gate/start-request.ts'
import {type AutomationEntry, readAutomation, schedulesIn} from './automation-entry.ts'
import {type Trouble, branchesOf, memberOf, troubleOf} from './automation-trouble.ts'
import {nextMoment} from './cron.ts'
import {markPrompt, referenceOfAutomation} from './runs/run-reference.ts'
import {isWebhookOf, madeText, secretMessage} from './hook-lookup.ts'
import {automationTexts} from './automation-texts.ts'
import {tellingReadOnly} from './automations.ts'
import type {ActTools} from '../../slack/gate/tools.ts'

interface AutomationFormOptions extends ActTools<
  'clientOf' | 'unconnected' | 'forms' | 'nowMs' | 'presence' | 'settingsOf'
> {
  deps: Pick<Store, 'hooks' | 'models' | 'origins' | 'timetables' | 'sealer'> & {
    knowing: Pick<Knowing, 'isClosed'>
  }
  leaks: Pick<Leaks, 'toShow'>
  platformOrigin: string
  publicUrl: string | undefined
  /** There may be something to look for. */
  onDelivery: () => void
}

const words = automationTexts

/** Makes what was entered in the form. The platform shows the address of a webhook once: it is kept sealed, or shown once. */
export function createAutomationFormActs(options: AutomationFormOptions): Act[] {
  const {act, checks, deps, forms, settingsOf, leaks, unconnected, publicUrl, nowMs} = options

  /** The project of a channel, with its key; else what is told instead. */
  const projectOf = async ({team, user}: {team: string; user: string}, channel: string) => {
    const {isConnected, values} = await settingsOf(team, channel)
    const {projectId, connectionId} = values
    if (!isConnected) return {answer: await unconnected.answer(user, 'key')}
    if (projectId === undefined) return {answer: await unconnected.answer(user, 'project')}
    return {projectId, connectionId, client: options.clientOf({connectionId})}
  }

  /** Made once per form: who died behind the platform's answer makes it again with the same request id. */
  const make = async (form: Form, channel: string, handling: Handling): Promise<ActResult> => {
    const {team, user, values} = form
    const {row, signal} = handling
    const project = await projectOf({team, user}, channel)
    if ('answer' in project) return project
    const {projectId, connectionId, client} = project
    const requestId = requestIdOf(team, row)
    // Who died behind it has the address, which no second answer tells.
    const kept = await deps.hooks.byRequest(requestId)
    const at = {team, channel, connectionId, projectId, reference: referenceOfAutomation(requestId)}
    if (kept !== undefined) {
      await keepTimetable({...kept, id: kept.automationId}, at, values, row)
      return toldHook(kept)
    }
    // Asked before there is an address: it is told once, and nothing may come between that and keeping it.
    const isWanted = values.get('keep')?.split(',').includes('keep') === true
    const notKept = isWanted ? await whyNotKept(channel) : undefined
    const again = (trouble: Trouble): Promise<ActResult> =>
      redraw(form, channel, {client, projectId, signal}, trouble)
    const [repos, runAs] = await Promise.all([
      branchesOf(values, () => client.getProject(projectId, signal)),
      memberOf(values, () => client.listUsers(signal)),
    ])
    if ('text' in repos) return again(repos)
    if ('text' in runAs) return again(runAs)
    try {
      const aliases = await deps.models.aliases({team, connectionId})
      const entered = readAutomation(values, aliases)
      // What it starts is found again by it.
      const prompt = markPrompt(entered.prompt, at.reference)
      const order = {requestId, projectId, ...entered, prompt, ...repos, ...runAs}
      const isPrivate = await deps.knowing.isClosed(at)
      if (isPrivate) await deps.origins.keepAutomation(at, at.reference)
      const automation = await client.createAutomation(order, signal)
      if (isPrivate) await deps.origins.keepAutomation(at, automation.id)
      const isCalled = order.triggers.some(({type}) => type === 'incoming_webhook')
      const told = isCalled
        ? await keep(form, channel, {
            requestId,
            automation,
            isWanted,
            notKept,
            projectId,
            connectionId,
          })
        : toldSchedule(automation, values)
      await keepTimetable(automation, at, values, row)
      return told
    } catch (error) {
      const trouble = error instanceof PlatformError ? troubleOf(error, values) : undefined
      if (trouble === undefined) throw error
      if (error instanceof PlatformModelRejected) {
        const of = {place: {team}, connectionId}
        await meetCandidates({...deps, nowMs}, of, toRejected(error, undefined))
      }
      return again(trouble)
    }
  }

  /** What it begins by itself is looked for. */
  const keepTimetable = async (
    {id: automationId, name: given}: {id: string | undefined; name?: string | undefined},
    at: Pick<Timetable, 'team' | 'channel' | 'connectionId' | 'projectId' | 'reference'>,
    values: AutomationEntry,
    {receivedAtMs}: Handling['row'],
  ): Promise<void> => {
    const schedules = schedulesIn(values)
    // Whoever comes again after a crash may come behind the first moment.
    const momentMs = nextMoment(schedules, Math.min(receivedAtMs, nowMs()))
    if (momentMs === undefined || automationId === undefined) return
    const isPrivate = await deps.knowing.isClosed(at)
    const name = given ?? (values.get('name') ?? '').trim()
    await deps.timetables.add({...at, automationId, name, isPrivate, schedules, momentMs})
    options.onDelivery()
  }

  const toldHook = async (hook: Hook): Promise<ActResult> => {
    const {secrets} = await deps.hooks.secretsOf(hook.id)
    const secret = leaks.toShow(secrets.secret)
    const answer = secretMessage(madeText(hook), hook, {secret, publicUrl})
    return {answer, note: words.form.inChannel(automationName(hook))}
  }

  const toldSchedule = (made: Automation, values: AutomationEntry): ActResult => {
    const name = automationName(made)
    const said = [words.made(name), ...whenText(made, values, nowMs())].join(' ')
    return {
      answer: drawAutomation(said, {...made, isFollowed: false}),
      note: words.form.inChannel(name),
    }
  }

  const keep = async (
    {team, user, values}: Form,
    channel: string,
    {requestId, automation, isWanted, projectId, connectionId, ...asked}: ToKeep,
  ): Promise<ActResult> => {
    const {id: automationId, webhookUrl: url} = automation
    const said = [words.made(automationName(automation)), ...whenText(automation, values, nowMs())]
    const note = words.form.inChannel(automationName(automation))
    if (url === undefined || url === null) {
      return {answer: {text: [...said, words.addressLost].join(' ')}, note}
    }
    const isElsewhere = isWanted && !isWebhookOf(options.platformOrigin, url.reveal())
    const trouble = asked.notKept ?? (isElsewhere ? words.notKept.origin : undefined)
    if (!isWanted || trouble !== undefined) {
      const once = words.addressOnce(code(leaks.toShow(url)))
      const lines = [said.join(' '), ...(trouble === undefined ? [] : [trouble]), once]
      return {answer: {text: lines.join('\n')}, note}
    }
    const name = automation.name?.trim() || (values.get('name') ?? '').trim()
    const reach = {projectId, madeWith: {connectionId}}
    const hook = {requestId, team, channel, name, automationId, url, ...reach, madeBy: user}
    return toldHook(await deps.hooks.add(hook, nowMs()))
  }

  /** Why it can't be kept as a hook. */
  const whyNotKept = async (channel: string): Promise<string | undefined> => {
    const {sealing, place} = words.notKept
    if (!canStore(deps.sealer)) return sealing
    return (await options.presence(channel)) === 'outside' ? place : undefined
  }

  const readMore = async ({client, projectId, signal}: Reach): Promise<MoreInputs> => {
    const [members, project] = await Promise.all([
      soon<MoreInputs['members']>(client.listUsers(signal), undefined),
      soon(client.getProject(projectId, signal), undefined),
    ])
    return {members, repos: project?.repos}
  }

  /** What was entered, and what is wrong with it. Nothing was created. */
  const redraw = async (
    {values, view}: Form,
    channel: string,
    reach: Reach,
    trouble: Trouble,
  ): Promise<ActResult> => {
    const more = isLong(view.metadata) ? await readMore(reach) : undefined
    const drawn = drawAutomationForm({channel, values, more, trouble})
    const isShown = await forms.update(view.id, drawn)
    return {...shown(isShown, words.trouble.nothing(trouble.text)), again: true}
  }

  return [
    act('form', HOOK_FORMS.automation, checks.inForm, (form, channel, handling) =>
      tellingReadOnly(() => make(form, channel, handling)),
    ),
    act('press', ACTIONS.automationFields, checks.inForm, async (press, channel, {signal}) => {
      const {view, entered = new Map<string, string>()} = press
      const project = await projectOf(press, channel)
      if ('answer' in project) return project
      const more = await readMore({...project, signal})
      const drawn = drawAutomationForm({channel, values: entered, more})
      return shown(await forms.update(view?.id ?? '', drawn), texts.tooLateToOpen)
    }),
  ]
}

interface Reach {
  client: PlatformClient
  projectId: string
  signal: AbortSignal
}

interface ToKeep {
  requestId: string
  automation: Automation
  /** As a hook. */
  isWanted: boolean
  notKept: string | undefined
  /** The channel's. */
  projectId: string
  connectionId: string | undefined
}

function isLong(metadata: string): boolean {
  return (parseJson(metadata) as {isLong?: unknown} | null)?.isLong === true
}

/** When it runs next by itself, or that it does not. */
function whenText({enabled}: Automation, values: AutomationEntry, nowMs: number): string[] {
  if (enabled === false) return [words.startsDisabled]
  const nextMs = nextMoment(schedulesIn(values), nowMs)
  return nextMs === undefined ? [] : [words.nextRun(moment(nextMs))]
}
