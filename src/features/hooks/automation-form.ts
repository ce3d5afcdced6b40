import type {SettingsOf} from '../../agents/settings.ts'
import {readCron} from './cron.ts'
import type {Handling} from '../../inbox/worker.ts'
import type {PlatformClient} from '../../platform/client.ts'
import {type Automation, MACHINE_SIZES} from '../../platform/model.ts'
import type {Leaks} from '../../security/leaks.ts'
import type {Hook} from '../../store/hooks.ts'
import type {Store} from '../../store/store.ts'
import type {Presence} from '../../slack/api/presence.ts'
import type {Form} from '../../slack/deeds/form.ts'
import {automationName, drawAutomation} from './views/automations.ts'
import {HOOK_FORMS} from '../../slack/ids.ts'
import {code, moment} from '../../slack/markup/lines.ts'
import {canStore} from '../../slack/secrecy.ts'
import type {Door} from '../../slack/tell/unbound.ts'
import type {Act, MakeAct, Outcome} from '../../slack/gate/act.ts'
import type {Checks} from '../../slack/gate/checks.ts'
import {requestIdOf} from '../../slack/gate/wish.ts'
import {isWebhookOf, madeText, secretMessage} from './desk.ts'
import {automationTexts} from './automation-texts.ts'
import {tellingReadOnly} from './telling.ts'

interface AutomationFormOptions {
  act: MakeAct
  checks: Checks
  desk: Pick<Store, 'hooks' | 'sealer'>
  clientOf: (of: {connectionId: string | undefined}) => PlatformClient
  settingsOf: SettingsOf
  leaks: Pick<Leaks, 'toShow'>
  door: Door
  presence: Presence
  platformOrigin: string
  publicUrl: string | undefined
  nowMs: () => number
}

const words = automationTexts

/** Makes what was entered in the form. The platform shows the address of a webhook once: it is kept sealed, or shown once. */
export function createAutomationFormActs(options: AutomationFormOptions): Act[] {
  const {
    act,
    checks,
    desk,
    clientOf,
    settingsOf,
    leaks,
    door,
    presence,
    platformOrigin,
    publicUrl,
    nowMs,
  } = options

  const make = async (form: Form, channel: string, handling: Handling): Promise<Outcome> => {
    const {team, user, values} = form
    const {isConnected, values: settings} = await settingsOf(team, channel)
    const {projectId, connectionId} = settings
    if (!isConnected) return {answer: await door.unbound(user, 'key')}
    if (projectId === undefined) return {answer: await door.unbound(user, 'project')}
    const requestId = requestIdOf(team, handling.row)
    // Who died behind it has the address, which no second answer tells.
    const kept = await desk.hooks.byRequest(requestId)
    if (kept !== undefined) return toldHook(kept)
    const entered = readAutomation(values)
    // Asked before there is an address: it is told once, and nothing may come between that and keeping it.
    const isWanted = values.get('keep')?.split(',').includes('keep') === true
    const trouble = isWanted ? await troubleOf(channel) : undefined
    const client = clientOf({connectionId})
    const made = await client.createAutomation(
      {requestId, projectId, ...entered, enabled: true},
      handling.signal,
    )
    if (entered.triggers[0]?.type === 'schedule') return toldSchedule(made, values)
    return keep(form, channel, {requestId, automation: made, isWanted, trouble})
  }

  const toldHook = async (hook: Hook): Promise<Outcome> => {
    const {secrets} = await desk.hooks.secretsOf(hook.id)
    const secret = leaks.toShow(secrets.secret)
    return {answer: secretMessage(madeText(hook), hook, {secret, publicUrl})}
  }

  const toldSchedule = (made: Automation, values: Form['values']): Outcome => {
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
  ): Promise<Outcome> => {
    const {id: automationId, webhookUrl: url} = automation
    const said = words.made(automationName(automation))
    if (url === undefined || url === null) {
      return {answer: {text: `${said} ${words.addressLost}`}}
    }
    const isElsewhere = isWanted && !isWebhookOf(platformOrigin, url.reveal())
    const trouble = asked.trouble ?? (isElsewhere ? words.notKept.origin : undefined)
    if (!isWanted || trouble !== undefined) {
      const once = words.addressOnce(code(leaks.toShow(url)))
      return {answer: {text: [said, ...(trouble === undefined ? [] : [trouble]), once].join('\n')}}
    }
    const name = automation.name?.trim() || (values.get('name') ?? '').trim()
    const hook = {requestId, team, channel, name, automationId, url, madeBy: user}
    return toldHook(await desk.hooks.add(hook, nowMs()))
  }

  /** Why it can't be kept as a hook. */
  const troubleOf = async (channel: string): Promise<string | undefined> => {
    const {sealing, place} = words.notKept
    if (!canStore(desk.sealer)) return sealing
    return (await presence(channel)) === 'outside' ? place : undefined
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
