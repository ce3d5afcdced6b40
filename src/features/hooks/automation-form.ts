import type {Handling} from '../../inbox/worker.ts'
import {type Automation, MACHINE_SIZES} from '../../platform/model.ts'
import type {Leaks} from '../../security/leaks.ts'
import type {Hook} from '../../store/tables/hooks/hooks.ts'
import type {Store} from '../../store/store.ts'
import type {Form} from '../../slack/incoming/form.ts'
import {automationName, drawAutomation} from './views/automations.ts'
import {HOOK_FORMS} from '../../slack/ids.ts'
import {code, moment} from '../../slack/markup/lines.ts'
import {canStore} from '../../slack/secrecy.ts'
import type {Act, ActResult} from '../../slack/gate/act.ts'
import {requestIdOf} from '../../slack/gate/start-request.ts'
import {isWebhookOf, madeText, secretMessage} from './hook-lookup.ts'
import {automationTexts} from './automation-texts.ts'
import {tellingReadOnly} from './automations.ts'
import type {ActTools} from '../../slack/gate/tools.ts'
import {Cron} from 'croner'

interface AutomationFormOptions extends ActTools<
  'clientOf' | 'unconnected' | 'nowMs' | 'presence' | 'settingsOf'
> {
  deps: Pick<Store, 'hooks' | 'sealer'>
  leaks: Pick<Leaks, 'toShow'>
  platformOrigin: string
  publicUrl: string | undefined
}

const words = automationTexts

/** Makes what was entered in the form. The platform shows the address of a webhook once: it is kept sealed, or shown once. */
export function createAutomationFormActs(options: AutomationFormOptions): Act[] {
  const {act, checks, deps, settingsOf, leaks, unconnected, publicUrl, nowMs} = options

  const make = async (form: Form, channel: string, handling: Handling): Promise<ActResult> => {
    const {team, user, values} = form
    const {isConnected, values: settings} = await settingsOf(team, channel)
    const {projectId, connectionId} = settings
    if (!isConnected) return {answer: await unconnected.answer(user, 'key')}
    if (projectId === undefined) return {answer: await unconnected.answer(user, 'project')}
    const requestId = requestIdOf(team, handling.row)
    // Who died behind it has the address, which no second answer tells.
    const kept = await deps.hooks.byRequest(requestId)
    if (kept !== undefined) return toldHook(kept)
    const entered = readAutomation(values)
    // Asked before there is an address: it is told once, and nothing may come between that and keeping it.
    const isWanted = values.get('keep')?.split(',').includes('keep') === true
    const trouble = isWanted ? await troubleOf(channel) : undefined
    const client = options.clientOf({connectionId})
    const made = await client.createAutomation(
      {requestId, projectId, ...entered, enabled: true},
      handling.signal,
    )
    if (entered.triggers[0]?.type === 'schedule') return toldSchedule(made, values)
    return keep(form, channel, {requestId, automation: made, isWanted, trouble})
  }

  const toldHook = async (hook: Hook): Promise<ActResult> => {
    const {secrets} = await deps.hooks.secretsOf(hook.id)
    const secret = leaks.toShow(secrets.secret)
    return {answer: secretMessage(madeText(hook), hook, {secret, publicUrl})}
  }

  const toldSchedule = (made: Automation, values: Form['values']): ActResult => {
    const {cron, zone} = scheduleIn(values)
    const read = readCron(cron, zone, nowMs())
    const next = 'nextMs' in read ? [words.nextRun(moment(read.nextMs))] : []
    const said = [words.made(automationName(made)), ...next].join(' ')
    return {answer: drawAutomation(said, made)}
  }

  const keep = async (
    {team, user, values}: Form,
    channel: string,
    {requestId, automation, isWanted, ...asked}: ToKeep,
  ): Promise<ActResult> => {
    const {id: automationId, webhookUrl: url} = automation
    const said = words.made(automationName(automation))
    if (url === undefined || url === null) {
      return {answer: {text: `${said} ${words.addressLost}`}}
    }
    const isElsewhere = isWanted && !isWebhookOf(options.platformOrigin, url.reveal())
    const trouble = asked.trouble ?? (isElsewhere ? words.notKept.origin : undefined)
    if (!isWanted || trouble !== undefined) {
      const once = words.addressOnce(code(leaks.toShow(url)))
      return {answer: {text: [said, ...(trouble === undefined ? [] : [trouble]), once].join('\n')}}
    }
    const name = automation.name?.trim() || (values.get('name') ?? '').trim()
    const hook = {requestId, team, channel, name, automationId, url, madeBy: user}
    return toldHook(await deps.hooks.add(hook, nowMs()))
  }

  /** Why it can't be kept as a hook. */
  const troubleOf = async (channel: string): Promise<string | undefined> => {
    const {sealing, place} = words.notKept
    if (!canStore(deps.sealer)) return sealing
    return (await options.presence(channel)) === 'outside' ? place : undefined
  }

  return [
    act('form', HOOK_FORMS.automation, checks.inForm, (form, channel, handling) =>
      tellingReadOnly(() => make(form, channel, handling)),
    ),
  ]
}

interface ToKeep {
  requestId: string
  automation: Automation
  /** As a hook. */
  isWanted: boolean
  trouble: string | undefined
}

function scheduleIn(values: Form['values']): {cron: string; zone: string} {
  const cron = (values.get('cron') ?? '').trim().replaceAll(/\s+/g, ' ')
  return {cron, zone: values.get('zone')?.trim() || 'UTC'}
}

function readAutomation(values: Form['values']) {
  const {cron, zone} = scheduleIn(values)
  const size = MACHINE_SIZES.find((one) => one === values.get('size'))
  const modelId = values.get('model')?.trim()
  const trigger =
    values.get('trigger') === 'incoming_webhook'
      ? {type: 'incoming_webhook' as const}
      : {type: 'schedule' as const, cron, timezone: zone}
  return {
    name: (values.get('name') ?? '').trim(),
    prompt: (values.get('prompt') ?? '').trim(),
    triggers: [trigger],
    ...(modelId && {model: {modelId}}),
    ...(size !== undefined && {machineSize: size}),
  }
}

/** What can be told wrong before the platform is asked. */
export function checkAutomation({values}: Form): Record<string, string> | undefined {
  const {empty} = words.form
  const isEmpty = (name: string): boolean => (values.get(name) ?? '').trim() === ''
  const wrong = {
    ...(isEmpty('name') && {name: empty}),
    ...(isEmpty('prompt') && {prompt: empty}),
    ...(values.get('trigger') !== 'incoming_webhook' && wrongSchedule(values)),
  }
  return Object.keys(wrong).length === 0 ? undefined : wrong
}

function wrongSchedule(values: Form['values']): Record<string, string> {
  const {fields, wrong, never, unknownZone} = words.form
  const {cron, zone} = scheduleIn(values)
  const read = readCron(cron, zone, Date.now())
  if ('nextMs' in read) return {}
  switch (read.problem) {
    case 'fields':
      return {cron: fields}
    case 'never':
      return {cron: never}
    case 'wrong':
      return {cron: wrong(read.why.slice(0, 120))}
    case 'zone':
      return {zone: unknownZone}
    default:
      throw new Error(`Unknown problem: ${JSON.stringify(read satisfies never)}`)
  }
}

/** When a schedule runs, or what is wrong with it. */
type CronReading =
  | {nextMs: number}
  | {problem: 'fields' | 'zone' | 'never'}
  /** In the words of whoever read it. */
  | {problem: 'wrong'; why: string}

const FIELDS = /^\S+(?: +\S+){4}$/

/** Five fields, read in a time zone (an IANA name). The platform says the last word on what it takes. */
export function readCron(cron: string, zone: string, nowMs: number): CronReading {
  if (!FIELDS.test(cron)) return {problem: 'fields'}
  if (!isZone(zone)) return {problem: 'zone'}
  try {
    const schedule = new Cron(cron, {timezone: zone, paused: true, mode: '5-part'})
    const next = schedule.nextRun(new Date(nowMs))
    return next === null ? {problem: 'never'} : {nextMs: next.getTime()}
  } catch (error) {
    return {problem: 'wrong', why: error instanceof Error ? error.message : String(error)}
  }
}

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', {timeZone: name})
    return name !== ''
  } catch {
    return false
  }
}
