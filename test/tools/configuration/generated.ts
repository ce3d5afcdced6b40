import fc from 'fast-check'
import {Secret} from '../../../src/security/secret.ts'
import type {Store} from '../../../src/store/store.ts'
import type {Settings} from '../../../src/store/tables/channels/bindings.ts'
import type {Schedule} from '../../../src/store/tables/channels/digests.ts'

/** What people set by what they press in Slack, as the stores take it. Connections are counted; `null`: the environment's. */
interface Chosen {
  bindings: readonly {channel: string; settings: Some; connection: number | null | undefined}[]
  digests: readonly {channel: string; schedule: Schedule}[]
  watches: readonly {channel: string; projectId: string; connection: number | null}[]
  rules: readonly {channel: string; isOn: boolean; fields: RuleFields}[]
  aliases: readonly {connection: number | null; alias: Alias}[]
}

type Some = {[Name in keyof Settings]?: Settings[Name] | undefined}
type RuleFields = Parameters<Store['rules']['add']>[2]
type Alias = Parameters<Store['models']['name']>[1]

export const TEAM = 'T1'
/** Two are called the same. */
const LABELS = ['Main', 'Main', 'other/one: "x"', '# no comment', '- 1']
const CHANNELS = ['C1', 'C2', 'C3', 'G4', 'D5']
const PROJECTS = ['prj_1', 'prj_2', 'yes', '1e3']

const words = (maxLength: number) =>
  fc
    .oneof(
      fc.string({unit: 'grapheme', minLength: 1, maxLength: Math.min(maxLength, 40)}),
      fc.constantFrom(
        'no',
        'null',
        '~',
        '1',
        '01',
        '- a',
        'a: b',
        '#x',
        ' x ',
        "'",
        '"',
        '|\n x',
        'a\r\nb',
        '\u2028',
        '*a',
        '&a',
      ),
    )
    .map((text) => text.toWellFormed().slice(0, maxLength))
    .filter((text) => text !== '' && text.isWellFormed() && !text.includes('\0'))

const channel = fc.constantFrom(...CHANNELS)
const connection = fc.option(fc.nat({max: LABELS.length - 1}))
const project = fc.constantFrom(...PROJECTS)
const zone = fc.constantFrom('Europe/Berlin', 'Asia/Kathmandu', 'America/St_Johns', 'UTC')
const people = fc.array(fc.constantFrom('U1', 'U2', 'W3'), {maxLength: 3})
const modes = fc.subarray(['fast', 'pro', 'ultrafast'])
const effort = fc.constantFrom('none', 'low', 'high', 'max')
const times = fc.integer({min: 0, max: 10_000})
const dollars = fc.option(fc.integer({min: 0, max: 999_999_999}).map((cents) => cents / 100))
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, {nil: undefined, freq: 2})
const orEmpty = (value: fc.Arbitrary<string>) =>
  fc.oneof({weight: 3, arbitrary: value}, fc.constant(''))

const settings = fc.record({
  projectId: maybe(orEmpty(project)),
  modelId: maybe(orEmpty(words(60))),
  effort: maybe(orEmpty(effort)),
  modes: maybe(modes),
  machineSize: maybe(orEmpty(fc.constantFrom('small', 'bigguy'))),
  followUps: maybe(fc.constantFrom('everyone' as const, 'mention' as const)),
  noise: maybe(fc.constantFrom('quiet' as const, 'normal' as const, 'verbose' as const)),
  allowed: maybe(
    fc.oneof(
      fc.constant({who: 'everyone'} as const),
      fc.constant({who: 'group', group: 'S1'} as const),
      people.map((users) => ({who: 'list', users}) as const),
    ),
  ),
  guests: maybe(fc.boolean()),
  externals: maybe(fc.boolean()),
  planFirst: maybe(fc.boolean()),
  longReplies: maybe(fc.constantFrom('file' as const, 'canvas' as const)),
  fixPullRequests: maybe(fc.boolean()),
  workflows: maybe(fc.boolean()),
  rooms: maybe(fc.constantFrom('asked' as const, 'long' as const, 'always' as const)),
  instructions: maybe(orEmpty(words(3000))),
  startsPerPerson: maybe(times),
  startsPerChannel: maybe(times),
  budgetPerWork: maybe(dollars),
  budgetPerPersonDay: maybe(dollars),
  budgetPerPersonMonth: maybe(dollars),
  budgetPerChannelDay: maybe(dollars),
  budgetPerChannelMonth: maybe(dollars),
})

const schedule: fc.Arbitrary<Schedule> = fc
  .record({
    every: fc.constantFrom('day' as const, 'workday' as const, 'week' as const),
    weekday: fc.nat({max: 6}),
    half: fc.nat({max: 47}),
    zone,
  })
  .map(({every, weekday, half, zone: at}) => {
    const when = {minute: half * 30, zone: at}
    return every === 'week' ? {...when, every, weekday} : {...when, every}
  })

const rule: fc.Arbitrary<RuleFields> = fc.record({
  name: fc.oneof(words(60), fc.constant('same')),
  app: fc.constantFrom('A012', 'B345'),
  appName: maybe(words(30)),
  pattern: fc.constantFrom('', 'error', '(?P<issue>[A-Z]+-\\d+)'),
  does: fc.constantFrom('start' as const, 'ask' as const),
  task: words(100).map((text) => text.replaceAll(/[{}]/g, '') || 'x'),
  dedupeKey: maybe(fc.constantFrom('{text}', '{app} {link}', 'all')),
  windowMinutes: fc.integer({min: 1, max: 10_080}),
  perHour: fc.integer({min: 1, max: 60}),
  perDay: fc.integer({min: 1, max: 200}),
  quiet: maybe(zone.map((at) => ({from: '22:00', to: '07:05', zone: at}))),
  person: maybe(fc.constantFrom('U1', 'nobody')),
})

const alias: fc.Arbitrary<Alias> = fc.record({
  name: fc.constantFrom('fast', 'Slow', '1', 'no', 'a-b'),
  modelId: fc.constantFrom('model-1', 'model:2', '3'),
  effort: maybe(effort),
  modes,
})

export const chosen: fc.Arbitrary<Chosen> = fc.record({
  bindings: fc.uniqueArray(
    fc.record({
      channel: fc.oneof(channel, fc.constant('')),
      settings,
      connection: maybe(connection),
    }),
    {maxLength: 5, selector: (it) => it.channel},
  ),
  digests: fc.uniqueArray(fc.record({channel, schedule}), {
    maxLength: 4,
    selector: (it) => it.channel,
  }),
  watches: fc.uniqueArray(fc.record({channel, projectId: project, connection}), {
    maxLength: 6,
    selector: (it) => `${it.channel} ${it.projectId}`,
  }),
  rules: fc.array(fc.record({channel, isOn: fc.boolean(), fields: rule}), {maxLength: 6}),
  aliases: fc.uniqueArray(fc.record({connection, alias}), {
    maxLength: 6,
    selector: (it) => `${it.connection} ${it.alias.name.toLowerCase()}`,
  }),
})

/** A workspace's connections, in the order of {@link LABELS}; each ends in the same four letters. */
export async function connect({connections}: Store): Promise<string[]> {
  const ids: string[] = []
  for (const [index, label] of LABELS.entries()) {
    const key = new Secret(`pk_canary_${index}_0123456789abcdef_wxyz`)
    ids.push((await connections.add({team: TEAM, label, key, madeBy: 'U1'}, index)).id)
  }
  return ids
}

/** By what the acts in Slack call. */
export async function choose(store: Store, ids: readonly string[], all: Chosen): Promise<void> {
  const idOf = (index: number | null): string | null =>
    index === null ? null : (ids[index] ?? null)
  for (const {channel: at, settings: some, connection: index} of all.bindings) {
    const said = Object.entries(some).filter(([, value]) => value !== undefined)
    const wanted = Object.fromEntries(said) as Settings
    if (index !== undefined) wanted.connectionId = idOf(index)
    if (wanted.projectId !== undefined && wanted.projectId !== '')
      wanted.projectName = `Name of ${wanted.projectId}`
    await store.bindings.replace({team: TEAM, channel: at}, wanted, {
      user: 'U1',
      nowMs: 1,
      sinceMs: undefined,
    })
  }
  for (const {channel: target, schedule: when} of all.digests) {
    const from = {untilMs: 1, dayMicros: 0}
    await store.digests.choose({team: TEAM, target}, when, {
      sinceMs: undefined,
      from,
      passed: undefined,
    })
  }
  for (const {channel: at, projectId, connection: index} of all.watches) {
    const watch = {team: TEAM, channel: at, projectId, connectionId: idOf(index) ?? undefined}
    await store.watches.add({...watch, madeBy: 'U1'}, 1)
  }
  for (const [index, {channel: at, fields, isOn}] of all.rules.entries()) {
    const by = {user: 'U1', nowMs: index}
    const made = await store.rules.add(`rule${index}`, {team: TEAM, channel: at}, fields, by)
    if (made !== 'full' && isOn) {
      await store.rules.turn(made.id, true, {...by, sinceMs: made.changedAtMs})
    }
  }
  for (const {connection: index, alias: one} of all.aliases) {
    const of = {team: TEAM, connectionId: idOf(index) ?? undefined}
    await store.models.name(of, one, {user: 'U1', nowMs: 1, sinceMs: undefined})
  }
}
