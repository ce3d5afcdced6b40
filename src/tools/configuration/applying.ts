import {isDeepStrictEqual} from 'node:util'
import type {Transaction} from 'kysely'
import {dayOf} from '../../agents/budgets/periods.ts'
import {dueDate} from '../../inbox/digest-dates.ts'
import type {Schema} from '../../store/database/schema.ts'
import type {Write} from '../../store/database/writer.ts'
import {OPERATOR, enter} from '../../store/tables/audit.ts'
import {createSpendingStore} from '../../store/tables/budgets/spendings.ts'
import {createBindingStore} from '../../store/tables/channels/bindings.ts'
import {type Schedule, createDigestStore} from '../../store/tables/channels/digests.ts'
import {createWatchStore} from '../../store/tables/channels/watches.ts'
import {createModelStore} from '../../store/tables/models.ts'
import {newId} from '../../store/tables/new-id.ts'
import {createRuleStore} from '../../store/tables/rules/rules.ts'
import type {Rule} from '../../store/tables/rules/rule.ts'
import type {SetAlias, SetHook, SetRule, SetWatch, Setup} from './setup.ts'

/** The act of the audit. */
const CONFIG_APPLIED = 'config apply'

interface Change {
  before: Setup
  wanted: Setup
  /** What the audit says of it. */
  about: string
  nowMs: number
}

/** Makes one setup of the other, as part of one transaction: by what people’s own acts do, one after the other. */
export async function applySetup(
  transaction: Transaction<Schema>,
  {before, wanted, about, nowMs}: Change,
): Promise<void> {
  const {team} = wanted
  const write: Write = (change) => change(transaction)
  const within = {transaction, write, team, nowMs, by: {user: OPERATOR, nowMs}}
  await inEach(before.settings, wanted.settings, (channel, settings) =>
    applySettings(within, channel, settings),
  )
  await inEach(before.digests, wanted.digests, (channel, schedule) =>
    applyDigest(within, channel, schedule),
  )
  await inEach(before.watches, wanted.watches, (channel, watches = [], standing = []) =>
    applyWatches(within, channel, {standing, watches}),
  )
  await inEach(before.rules, wanted.rules, (channel, rules = []) =>
    applyRules(within, channel, rules),
  )
  await inEach(before.hooks, wanted.hooks, (_channel, hooks = []) => applyHooks(within, hooks))
  await applyAliases(within, before.aliases, wanted.aliases)
  const entry = {team, channel: undefined, user: OPERATOR, act: CONFIG_APPLIED, about} as const
  await enter(transaction, {...entry, outcome: 'done', atMs: nowMs})
}

interface Within {
  transaction: Transaction<Schema>
  write: Write
  team: string
  nowMs: number
  by: {user: string; nowMs: number}
}

/** Each channel in which something is otherwise. */
async function inEach<Value>(
  before: ReadonlyMap<string, Value>,
  wanted: ReadonlyMap<string, Value>,
  apply: (channel: string, wanted: Value | undefined, before: Value | undefined) => Promise<void>,
): Promise<void> {
  for (const channel of new Set([...before.keys(), ...wanted.keys()])) {
    const [standing, value] = [before.get(channel), wanted.get(channel)]
    if (!isDeepStrictEqual(standing, value)) await apply(channel, value, standing)
  }
}

type Settings = NonNullable<ReturnType<Setup['settings']['get']>>

async function applySettings(
  {transaction, write, team, by}: Within,
  channel: string,
  settings: Settings | undefined,
): Promise<void> {
  const bindings = createBindingStore(transaction, write)
  if (settings === undefined) {
    await bindings.remove(team, channel)
    return
  }
  const standing = await bindings.read(team, channel)
  await bindings.replace({team, channel}, settings, {...by, sinceMs: standing?.changedAtMs})
}

async function applyDigest(
  {transaction, write, team, nowMs}: Within,
  channel: string,
  schedule: Schedule | undefined,
): Promise<void> {
  const digests = createDigestStore(transaction, write)
  const target = {team, target: channel}
  if (schedule === undefined) {
    await digests.end(target)
    return
  }
  const standing = await digests.of(target)
  const day = dayOf(nowMs)
  const subject = {team, channel, user: '', threadId: ''}
  const spendings = createSpendingStore(transaction, write)
  await digests.choose(target, schedule, {
    sinceMs: standing?.changedAtMs,
    from: {untilMs: nowMs, dayMicros: await spendings.spent(subject, {first: day, last: day})},
    passed: dueDate(schedule, () => false, nowMs),
  })
}

async function applyWatches(
  {transaction, write, team, nowMs}: Within,
  channel: string,
  {standing, watches}: {standing: readonly SetWatch[]; watches: readonly SetWatch[]},
): Promise<void> {
  const store = createWatchStore(transaction, write)
  const has = (all: readonly SetWatch[], one: SetWatch): boolean =>
    all.some((other) => isDeepStrictEqual(other, one))
  for (const watch of standing) {
    if (!has(watches, watch)) await store.remove({team, channel, projectId: watch.projectId})
  }
  for (const watch of watches) {
    if (has(standing, watch)) continue
    const {projectId, connectionId} = watch
    const from = {projectId, connectionId: connectionId ?? undefined}
    await store.add({team, channel, ...from, madeBy: OPERATOR}, nowMs)
  }
}

/** A rule is known by its name; of several with one name the first is the first. */
async function applyRules(
  {transaction, write, team, by}: Within,
  channel: string,
  wanted: readonly SetRule[],
): Promise<void> {
  const store = createRuleStore(transaction, write)
  const left = await store.ofChannel({team, channel})
  const take = (name: string): Rule | undefined => {
    const index = left.findIndex((rule) => rule.name === name)
    return index < 0 ? undefined : left.splice(index, 1)[0]
  }
  const pairs = wanted.map((rule) => ({rule, standing: take(rule.name)}))
  for (const {id, changedAtMs} of left) await store.remove(id, changedAtMs)
  const ids: string[] = []
  for (const {rule, standing} of pairs) {
    const {isOn, ...fields} = rule
    const id = standing?.id ?? newId()
    ids.push(id)
    if (standing === undefined) await store.add(id, {team, channel}, fields, by)
    else if (!isSame(standing, rule)) await store.change(id, fields, sinceOf(standing))
    const now = await store.byId(id)
    if (now !== undefined && now.isOn !== isOn) await store.turn(id, isOn, sinceOf(now))
  }
  await order(transaction, ids)

  function sinceOf(rule: Rule) {
    return {...by, sinceMs: rule.changedAtMs}
  }
}

function isSame(standing: Rule, wanted: SetRule): boolean {
  const names = Object.keys(wanted) as (keyof SetRule)[]
  return names.every((name) => name === 'isOn' || isDeepStrictEqual(standing[name], wanted[name]))
}

/** Rules stand in the order in which they were made: those that are out of it count as made behind the one before. */
async function order(transaction: Transaction<Schema>, ids: readonly string[]): Promise<void> {
  let lastMs = -Infinity
  for (const id of ids) {
    const query = transaction.selectFrom('rules').select('made_at_ms').where('id', '=', id)
    const {made_at_ms: madeAtMs} = await query.executeTakeFirstOrThrow()
    if (madeAtMs > lastMs) {
      lastMs = madeAtMs
      continue
    }
    lastMs += 1
    await transaction.updateTable('rules').set({made_at_ms: lastMs}).where('id', '=', id).execute()
  }
}

async function applyHooks({transaction}: Within, hooks: readonly SetHook[]): Promise<void> {
  for (const {id, isOn, follows} of hooks) {
    await transaction
      .updateTable('hooks')
      .set({state: isOn ? 'on' : 'off', follows: Number(follows)})
      .where('id', '=', id)
      .execute()
  }
}

async function applyAliases(
  {transaction, write, team, by}: Within,
  before: readonly SetAlias[],
  wanted: readonly SetAlias[],
): Promise<void> {
  const store = createModelStore(transaction, write)
  const keyOf = ({connectionId, name}: SetAlias): string =>
    `${connectionId ?? ''} ${name.toLowerCase()}`
  const [old, fresh] = [before, wanted].map((all) => new Map(all.map((one) => [keyOf(one), one])))
  for (const connectionId of new Set([...before, ...wanted].map((one) => one.connectionId))) {
    const of = {team, connectionId: connectionId ?? undefined}
    for (const standing of await store.aliases(of)) {
      const {id, changedAtMs} = standing
      const key = keyOf({...standing, connectionId})
      if (fresh?.has(key) !== true) await store.unname(id, changedAtMs)
    }
    const standing = await store.aliases(of)
    for (const alias of wanted.filter((one) => one.connectionId === connectionId)) {
      if (isDeepStrictEqual(old?.get(keyOf(alias)), alias)) continue
      const now = standing.find(({name}) => name.toLowerCase() === alias.name.toLowerCase())
      await store.name(of, alias, {...by, sinceMs: now?.changedAtMs})
    }
  }
}
