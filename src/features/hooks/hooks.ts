import {hookBodies} from './sealed-bodies.ts'
import type {Handling} from '../../inbox/worker.ts'
import type {Leaks} from '../../security/leaks.ts'
import type {Delivery} from '../../store/tables/hooks/deliveries.ts'
import type {Hook} from '../../store/tables/hooks/hooks.ts'
import type {Store} from '../../store/store.ts'
import type {Form} from '../../slack/incoming/form.ts'
import type {Press} from '../../slack/incoming/press.ts'
import {MAX_HOOK_NAME, drawHookForm} from './views/forms.ts'
import {
  drawHook,
  drawHookLog,
  drawHooks,
  drawNewSecret,
  drawNoHooks,
  hookName,
} from './views/hooks.ts'
import {ACTIONS, HOOK_FORMS, KEY_INPUT} from '../../slack/ids.ts'
import {oneLine} from '../../slack/markup/lines.ts'
import {canStore, unseal} from '../../slack/secrecy.ts'
import {texts} from '../../slack/texts.ts'
import type {Act, ActResult} from '../../slack/gate/act.ts'
import {requestIdOf} from '../../slack/gate/start-request.ts'
import {
  createOnDelivery,
  createOnHook,
  githubSecretMessage,
  ifOpened,
  isWebhookAddress,
  isWebhookOf,
  keyOfRow,
  madeText,
  secretMessage,
} from './hook-lookup.ts'
import {letterTexts} from './letter-texts.ts'
import {hookTexts} from './texts.ts'
import type {ActTools} from '../../slack/gate/tools.ts'

interface HookActsOptions extends ActTools<
  'unconnected' | 'forms' | 'nowMs' | 'people' | 'presence' | 'settingsOf'
> {
  deps: Pick<Store, 'hooks' | 'deliveries' | 'deadLetters' | 'sealer'>
  leaks: Pick<Leaks, 'toShow'>
  platformOrigin: string
  publicUrl: string | undefined
  onDelivery: () => void
  onUnsaid: () => void
}

const PER_PAGE = 8
const LOG_PER_PAGE = 10
/** How long a secret that was replaced still counts. */
const GRACE_MS = 24 * 3_600_000
const words = hookTexts

/** `/bosun hooks`: a channel's hooks, what was delivered to them, and what can be done with them. */
export function createHookActs(options: HookActsOptions): Act[] {
  const {act, checks, deps, forms, leaks, publicUrl, onDelivery, settingsOf, nowMs} = options
  const {hooks, deliveries} = deps
  const onHook = createOnHook(deps)

  const pageOf = async (
    {team, channel, user}: {team: string; channel: string; user: string},
    from: number,
  ): Promise<ActResult> => {
    const [all, mayChange] = await Promise.all([
      hooks.ofChannel(team, channel),
      options.people.seemsAdmin(user),
    ])
    const givenUp = await deps.deadLetters.count(all.map(({id}) => id))
    if (all.length === 0) return {answer: drawNoHooks({mayChange})}
    const shown = all.slice(from, from + PER_PAGE)
    if (shown.length === 0) return {answer: {text: words.noMore}}
    const rows = await Promise.all(
      shown.map(async (hook) => {
        const [[last], opened] = await Promise.all([
          deliveries.log(hook.id, {limit: 1, beforeId: undefined}),
          ifOpened(() => hooks.secretsOf(hook.id)),
        ])
        if (opened === undefined) return {hook, last, secrets: 'lost' as const}
        const untilMs = Math.max(0, ...opened.secrets.formers.map((one) => one.untilMs))
        return {hook, last, secrets: {formerUntilMs: untilMs > nowMs() ? untilMs : undefined}}
      }),
    )
    const next = from + PER_PAGE < all.length ? from + PER_PAGE : undefined
    return {answer: drawHooks({rows, from, next, mayChange, givenUp}, publicUrl), inPlace: true}
  }

  const openForm = async (channel: string, triggerId: string): Promise<ActResult | undefined> => {
    if (!canStore(deps.sealer)) return {answer: {text: words.noSealing}}
    const opened = await forms.open(triggerId, drawHookForm(channel))
    return opened === undefined ? {answer: {text: texts.tooLateToOpen}, again: true} : undefined
  }

  const make = async (form: Form, channel: string, {row}: Handling): Promise<ActResult> => {
    const {team, user, view, values} = form
    const url = unseal(deps.sealer, values.get(KEY_INPUT) ?? '', view.id)
    if (url === undefined) return {answer: {text: words.form.lost}, again: true}
    if (!isWebhookOf(options.platformOrigin, url.reveal())) {
      return {answer: {text: words.form.notOurs}, again: true}
    }
    if ((await options.presence(channel)) === 'outside') return {answer: {text: words.notIn}}
    const name = oneLine(values.get('name') ?? '', MAX_HOOK_NAME).trim()
    const requestId = requestIdOf(team, row)
    const {connectionId} = (await settingsOf(team, channel)).values
    const about = {team, channel, name, automationId: undefined, madeWith: {connectionId}}
    const hook = await hooks.add({...about, requestId, url, madeBy: user}, nowMs())
    const {secrets} = await hooks.secretsOf(hook.id)
    const secret = leaks.toShow(secrets.secret)
    return {answer: secretMessage(madeText(hook), hook, {secret, publicUrl})}
  }

  const rotate = async ({value}: Press, hook: Hook): Promise<ActResult> => {
    const turn = Number(value.split('.')[1])
    const opened = await ifOpened(async () => ({
      secrets: await hooks.rotate(hook.id, turn, nowMs() + GRACE_MS),
    }))
    if (opened === undefined) return {answer: {text: words.lost}}
    if (opened.secrets === undefined) return {answer: {text: words.rotatedAlready}}
    const secret = leaks.toShow(opened.secrets.secret)
    const {text} =
      hook.kind === 'github'
        ? githubSecretMessage(hook, {secret, publicUrl})
        : secretMessage(words.rotated(hookName(hook)), hook, {secret, publicUrl})
    return {answer: drawNewSecret(text, {...hook, turn: turn + 1})}
  }

  /** For a secret that somebody has who should not: the day of grace is theirs, too. */
  const revoke = async ({value}: Press, hook: Hook): Promise<ActResult> => {
    const turn = Number(value.split('.')[1])
    const isDone = await ifOpened(() => hooks.revokeFormers(hook.id, turn))
    if (isDone === undefined) return {answer: {text: words.lost}}
    return {answer: {text: isDone ? words.revoked(hookName(hook)) : words.rotatedAlready}}
  }

  const logOf = async ({value}: Press, hook: Hook): Promise<ActResult> => {
    const before = value.split('.')[1] ?? ''
    const beforeId = /^[1-9]\d{0,14}$/.test(before) ? Number(before) : undefined
    const isFirst = beforeId === undefined
    const all = await deliveries.log(hook.id, {limit: LOG_PER_PAGE + 1, beforeId})
    if (all.length === 0) return {answer: {text: isFirst ? words.logNone : words.noMore}}
    const rows = all.slice(0, LOG_PER_PAGE)
    const next = all.length > LOG_PER_PAGE ? rows.at(-1)?.id : undefined
    const answer = drawHookLog(hook, {rows, isFirst, beforeId: next})
    // From the list of hooks it opens beside that.
    return before === '' ? {answer} : {answer, inPlace: true}
  }

  const onDelivered = createOnDelivery(deps)

  /** It leaves the list of what was given up. */
  const sendLetter = async ({id}: Delivery, row: {key: string}): Promise<ActResult> => {
    const {again} = words
    const outcome = await deps.deadLetters.sendAgain(id, keyOfRow('again', row), nowMs())
    if (outcome === 'full') return {answer: {text: again.full}, again: true}
    if (outcome === 'gone') return {answer: {text: letterTexts.gone}}
    onDelivery()
    return {answer: {text: again.queued}}
  }

  /** What has run is run once more, under a key of its own; what has not goes out under its old one, so that it runs once. */
  const sendAgain = async (
    {hook, delivery}: {hook: Hook; delivery: Delivery},
    {row}: Handling,
  ): Promise<ActResult> => {
    const {again} = words
    const {id: hookId, team, state} = hook
    if (state === 'off') return {answer: {text: again.off}, again: true}
    if (delivery.outcome === undefined) return {answer: {text: again.waits}, again: true}
    if (delivery.isGivenUp) return sendLetter(delivery, row)
    const body = await deliveries.bodyOf(delivery.id)
    if (body === undefined) return {answer: {text: again.noBody}}
    const key = keyOfRow('again', row)
    const hasRun = delivery.outcome === 'accepted' || delivery.outcome === 'duplicate'
    const sentKey = hasRun ? key : delivery.sentKey
    const resealed = await ifOpened(async () => {
      const bodies = hookBodies(hookId, (await hooks.secretsOf(hookId)).secrets)
      return bodies.seal(bodies.open(body, delivery.sentKey), sentKey)
    })
    if (resealed === undefined) return {answer: {text: words.lost}}
    const added = await deliveries.add(
      {hookId, team, key, sentKey, body: resealed, isAgain: true},
      nowMs(),
    )
    if (added === 'full') return {answer: {text: again.full}, again: true}
    onDelivery()
    return {answer: {text: again.queued}}
  }

  const switchTo = async (hook: Hook, state: Hook['state']): Promise<ActResult> => {
    await hooks.switch(hook.id, state)
    if (state === 'on') onDelivery()
    const {enabled, disabled, github} = words
    const [isOn, isOff] = hook.kind === 'github' ? [github.on, github.off] : [enabled, disabled]
    const said = (state === 'on' ? isOn : isOff)(hookName(hook))
    return {answer: drawHook(said, {...hook, state})}
  }

  return [
    act('command', '/bosun hooks', checks.member, async (interaction) => {
      const {team, channel, user, rest, triggerId} = interaction
      if (rest.toLowerCase() !== 'new') return pageOf({team, channel, user}, 0)
      // Whether they really are is asked when it is submitted.
      if (!(await options.people.seemsAdmin(user))) return {answer: {text: words.notAdmin}}
      return openForm(channel, triggerId)
    }),
    act('press', ACTIONS.hooksMore, checks.member, async ({team, user, channel = '', value}) =>
      pageOf({team, channel, user}, /^\d{1,6}$/.test(value) ? Number(value) : 0),
    ),
    act('press', ACTIONS.hookNew, checks.member, async ({channel = '', triggerId}) =>
      openForm(channel, triggerId),
    ),
    act('form', HOOK_FORMS.hook, checks.inForm, make),
    act('press', ACTIONS.hookLog, onHook, logOf),
    act('press', ACTIONS.hookAgain, onDelivered, (_press, found, handling) =>
      sendAgain(found, handling),
    ),
    act('press', ACTIONS.hookSecret, onHook, rotate),
    act('press', ACTIONS.hookRevoke, onHook, revoke),
    act('press', ACTIONS.hookFollow, onHook, async ({value}, hook) => {
      const follows = value.endsWith('.on')
      await hooks.follow(hook.id, follows)
      const said = (follows ? words.follows : words.followsNot)(hookName(hook))
      return {answer: drawHook(said, {...hook, follows})}
    }),
    act('press', ACTIONS.hookDisable, onHook, (_press, hook) => switchTo(hook, 'off')),
    act('press', ACTIONS.hookEnable, onHook, (_press, hook) => switchTo(hook, 'on')),
    act('press', ACTIONS.hookDelete, onHook, async (_press, hook) => {
      await hooks.remove(hook.id)
      // What was on its way may have begun something.
      onDelivery()
      options.onUnsaid()
      const said = hook.kind === 'github' ? words.github.deleted : words.deleted
      return {answer: {text: said(hookName(hook))}}
    }),
  ]
}

/** What can be told wrong before it is known whose address it is. */
export function checkHook({values}: Form): Record<string, string> | undefined {
  const {nameMissing, urlMissing, urlWrong} = words.form
  const url = values.get(KEY_INPUT)?.trim() ?? ''
  const wrong = {
    ...((values.get('name') ?? '').trim() === '' && {name: nameMissing}),
    ...(!isWebhookAddress(url) && {[KEY_INPUT]: url === '' ? urlMissing : urlWrong}),
  }
  return Object.keys(wrong).length === 0 ? undefined : wrong
}
