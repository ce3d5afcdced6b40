import {createHash} from 'node:crypto'
import {z} from 'zod'
import {createTimeSlices} from '../../async/time-slices.ts'
import {parseJson} from '../../security/foreign-json.ts'
import type {AlertStore} from '../../store/tables/rules/alerts.ts'
import type {Rule} from '../../store/tables/rules/rule.ts'
import {MAX_RULES, type RuleStore} from '../../store/tables/rules/rules.ts'
import type {Form} from '../../slack/incoming/form.ts'
import type {Press} from '../../slack/incoming/press.ts'
import {ACTIONS, RULE_FORM} from '../../slack/ids.ts'
import {MAX_NAME, inBold, whoChanged} from '../../slack/markup/lines.ts'
import {texts} from '../../slack/texts.ts'
import {type Act, type ActResult, type Check, Refusal} from '../../slack/gate/act.ts'
import {soon} from '../../slack/gate/soon.ts'
import type {ActTools} from '../../slack/gate/tools.ts'
import {tryRule} from './dry-run.ts'
import {readEntry} from './entry.ts'
import type {Lately, ReadLately} from './history.ts'
import {createPatterns} from './pattern.ts'
import {ruleTexts} from './texts.ts'
import {type KnownApp, drawRuleForm} from './views/form.ts'
import {drawRules} from './views/list.ts'
import {drawTried} from './views/tried.ts'

interface RuleActsOptions extends ActTools<'access' | 'forms' | 'names' | 'nowMs' | 'zoneOf'> {
  deps: {rules: RuleStore; alerts: AlertStore}
  readLately: ReadLately
  /** Those of this channel are other ones now. */
  onRules: (of: {team: string; channel: string}) => void
}

/** What a form is about: a channel, and one of its rules if that is changed. */
const metadataSchema = z.object({
  channel: z.string(),
  rule: z.string().optional(),
  /** When what was shown had been changed last. */
  sinceMs: z.number().optional(),
})
type At = z.infer<typeof metadataSchema>

const DAY_MS = 24 * 3_600_000
const READ_WITHIN_MS = 10_000

/** `/bosun rules`: which messages of apps start work here, for admins. */
export function createRuleActs(options: RuleActsOptions): Act[] {
  const {act, access, checks, deps, forms, names, nowMs, readLately, zoneOf} = options
  const {rules, alerts} = deps
  const reading = {read: createPatterns(), turns: createTimeSlices()}

  const page = async (
    {team, channel}: {team: string; channel: string},
    {from = 0, said}: {from?: number; said?: string} = {},
  ): Promise<ActResult> => {
    const [all, counts] = await Promise.all([
      rules.ofChannel({team, channel}),
      alerts.counts(team, nowMs() - DAY_MS),
    ])
    const people = [...new Set(all.flatMap(({person}) => person ?? []))]
    const called = new Map(
      await Promise.all(people.map(async (id) => [id, `@${await names.user(id)}`] as const)),
    )
    const nameOf = (id: string): string => called.get(id) ?? id
    return {answer: drawRules({rules: all, counts, from, nameOf, said}), inPlace: true}
  }

  /** The rule that a button is about, in the channel where it is pressed, as it was shown there, or as the press has left it. */
  const onRuleOr = (isDone: (rule: Rule, press: Press) => boolean): Check<Press, Rule> => ({
    name: 'on a rule of this channel',
    look: async (press) => {
      const [id = '', since = ''] = press.value.split('.')
      const rule = await rules.byId(id)
      const isHere = rule?.team === press.team && rule.channel === press.channel
      if (!isHere) return new Refusal({text: ruleTexts.gone})
      const isAsShown = rule.changedAtMs.toString(36) === since
      return isAsShown || isDone(rule, press) ? rule : new Refusal({text: ruleTexts.gone})
    },
    standing: ({channel, id}) => ({channel, about: id}),
  })
  const onRule = onRuleOr(() => false)
  /** A press that was cut off behind its change is handled once more, by this process or the next. */
  const onRuleTurned = (isOn: boolean): Check<Press, Rule> =>
    onRuleOr((rule, {user}) => rule.isOn === isOn && rule.changedBy === user)

  const onForm: Check<Form, At> = {
    name: 'on rules of a channel',
    look: async ({team, user, userTeam, view}) => {
      const {data} = metadataSchema.safeParse(parseJson(view.metadata))
      if (data === undefined) return new Refusal({text: texts.notHere})
      // Whoever has left since they opened it is told no rules of the channel, and changes none.
      const wanted = {permit: 'use', channel: data.channel, isFromThere: false} as const
      const denial = await access.denialOf({team, user, userTeam}, wanted)
      if (denial === 'outside') return new Refusal({text: texts.permit.outside})
      const rule = data.rule === undefined ? undefined : await rules.byId(data.rule)
      const isThere =
        data.rule === undefined || (rule?.team === team && rule.channel === data.channel)
      return isThere ? data : new Refusal({text: ruleTexts.gone})
    },
    standing: ({channel, rule}) => ({channel, ...(rule !== undefined && {about: rule})}),
  }

  const open = async (
    {channel, triggerId}: {channel: string; triggerId: string},
    rule?: Rule,
  ): Promise<ActResult | undefined> => {
    // Who waits for the form is not kept waiting for Slack's list.
    const late = AbortSignal.timeout(READ_WITHIN_MS)
    const nothing: Lately = {count: 0, messages: []}
    const lately = await soon<Lately | {code: string}>(readLately(channel, late), nothing)
    const metadata: At = {channel, ...(rule && {rule: rule.id, sinceMs: rule.changedAtMs})}
    const apps = 'code' in lately ? [] : appsIn(lately)
    const viewId = await forms.open(triggerId, drawRuleForm({metadata, rule, apps}))
    return viewId === undefined ? {answer: {text: texts.tooLateToOpen}, again: true} : undefined
  }

  const save = async (form: Form, at: At, key: string): Promise<ActResult> => {
    const {team, user} = form
    const read = readEntry(form)
    // It was checked when it was sent.
    if ('wrong' in read) return {answer: {text: Object.values(read.wrong).join(' ')}, again: true}
    const {quiet, ...entry} = read.entry
    const before = at.rule === undefined ? undefined : await rules.byId(at.rule)
    // The form has named the zone of the hours that it showed, whoever they are whom it was shown.
    const zoneNow = async () => before?.quiet?.zone ?? zoneOf(user)
    const fields = {...entry, quiet: quiet && {...quiet, zone: await zoneNow()}}
    const bold = inBold(entry.name, MAX_NAME)
    const by = {user, nowMs: nowMs()}
    if (at.rule === undefined) {
      const made = await rules.add(idOf(key), {team, channel: at.channel}, fields, by)
      options.onRules({team, channel: at.channel})
      if (made === 'full') return {answer: {text: ruleTexts.full(MAX_RULES)}}
      return listed({team, channel: at.channel}, ruleTexts.saved(bold))
    }
    const changed = await rules.change(at.rule, fields, {...by, sinceMs: at.sinceMs ?? 0})
    options.onRules({team, channel: at.channel})
    if (changed.outcome === 'stale') return stale(changed.by, bold)
    return listed({team, channel: at.channel}, ruleTexts.changed(bold, changed.rule.isOn))
  }

  const listed = async (at: {team: string; channel: string}, said: string): Promise<ActResult> => {
    const {answer} = await page(at, {said})
    return answer === undefined ? {} : {answer}
  }

  const turn =
    (isOn: boolean) =>
    async ({user}: Press, rule: Rule) => {
      const by = {user, nowMs: nowMs(), sinceMs: rule.changedAtMs}
      const turned = await rules.turn(rule.id, isOn, by)
      options.onRules(rule)
      const bold = inBold(rule.name, MAX_NAME)
      if (turned.outcome === 'stale') return stale(turned.by, bold)
      return page(rule, {said: ruleTexts.turned(bold, isOn, rule.does)})
    }

  const tryIt = async (_press: Press, rule: Rule): Promise<ActResult> => {
    const {team, channel} = rule
    const late = AbortSignal.timeout(READ_WITHIN_MS)
    const lately = await readLately(channel, late)
    if ('code' in lately) return {answer: {text: ruleTexts.tried.unread(lately.code)}, again: true}
    const [all, works] = await Promise.all([rules.ofChannel({team, channel}), alerts.works(team)])
    const tried = await tryRule(rule, {rules: all, messages: lately.messages, works, reading})
    return {answer: drawTried(rule, tried, lately.count)}
  }

  return [
    act('command', '/bosun rules', checks.member, (command) => page(command)),
    act('press', ACTIONS.rulesMore, checks.member, async ({team, channel, value}) => {
      if (channel === undefined) return {answer: {text: texts.notHere}}
      return page({team, channel}, {from: Number(/^\d{1,4}$/.exec(value)?.[0] ?? 0)})
    }),
    act('press', ACTIONS.ruleNew, checks.member, async ({channel, triggerId}) =>
      channel === undefined ? {answer: {text: texts.notHere}} : open({channel, triggerId}),
    ),
    act('press', ACTIONS.ruleEdit, onRule, async ({triggerId}, rule) =>
      open({channel: rule.channel, triggerId}, rule),
    ),
    act('press', ACTIONS.ruleTry, onRule, tryIt),
    act('press', ACTIONS.ruleOn, onRuleTurned(true), turn(true)),
    act('press', ACTIONS.ruleOff, onRuleTurned(false), turn(false)),
    act('press', ACTIONS.ruleDelete, onRule, async (_press, rule) => {
      await rules.remove(rule.id, rule.changedAtMs)
      options.onRules(rule)
      return page(rule, {said: ruleTexts.deleted(inBold(rule.name, MAX_NAME))})
    }),
    act('form', RULE_FORM, onForm, (form, at, {row}) => save(form, at, row.key)),
  ]
}

function stale(by: string | undefined, name: string): ActResult {
  return {answer: {text: ruleTexts.stale(whoChanged(by), name)}}
}

/** The same for a form however often it is handled. */
function idOf(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 18)
}

/** Those that wrote, the newest first, each once. */
function appsIn({messages}: Lately): KnownApp[] {
  const apps = new Map<string, KnownApp>()
  for (const {appId, botId, app} of messages.toReversed()) {
    const id = appId ?? botId
    if (!apps.has(id)) apps.set(id, {id, name: app})
  }
  return [...apps.values()]
}
