// What apps write in many channels, in floods, twice and out of order, over days of the bot's clock, under many rules, while the bot is
// killed and restarted: what begins is what docs/rules.md says, told once more by test/support/rules-moments.ts.
// `--messages 500 --rules 10 --kills 3` for a small one.
import {writeFileSync} from 'node:fs'
import {setTimeout as delay} from 'node:timers/promises'
import {parseArgs} from 'node:util'
import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
import Database from 'better-sqlite3'
import {SET, setClock} from '../test/support/set-clock.ts'
import {createDice} from '../local/platform/agent/dice.ts'
import {readPattern} from '../src/features/rules/pattern.ts'
import {isWorking} from '../src/platform/model.ts'
import {takeEvidence} from '../test/support/evidence.ts'
import {createModals} from '../test/support/modals.ts'
import {type MomentRule, type Seen, createMoments} from '../test/support/rules-moments.ts'
import {createRules} from '../test/support/rules.ts'
import {JANE, KIM, type Place, startWorld} from '../test/support/world.ts'
import {atLeast, atMost, endWith, exactly, never} from './lines.ts'

const {values} = parseArgs({
  options: {
    messages: {type: 'string', default: '5000'},
    rules: {type: 'string', default: '50'},
    kills: {type: 'string', default: '12'},
    moments: {type: 'string', default: '100'},
    seed: {type: 'string', default: '1'},
  },
})
const [count, moments] = [Number(values.messages), Number(values.moments)]
const dice = createDice(`${values.seed} rules`)

/** Nobody is held up by a pattern for longer than by anything else: bench/stall.ts. */
const PATTERN_MS = 200
const PATTERNS = [
  ...['(a*)*b(a*)*c', '(?:a?){60}a{60}$', '(a|aa)+$', '(.*a){12}', `${'.*'.repeat(60)}x`],
  '(?P<x>[^ ]*a[^ ]*){20}z',
]

const MINUTE_MS = 60_000
/**
 * The clock stands at multiples of 13 minutes when messages come, and goes on while they are handled. So however long that takes, no
 * window, hour or day ends in between: each is at least three minutes away from any such moment.
 */
const STEP_MS = 13 * MINUTE_MS
const MOMENT_MS = 2.5 * MINUTE_MS
const WINDOWS = [6, 45, 123, 487]
/** Berlin's clocks change on the second night. */
const FROM_MS = Date.UTC(2027, 2, 27)
const ZONE = 'Europe/Berlin'
const QUIET = [
  ['22:00', '07:00'],
  ['12:00', '13:00'],
  ['01:30', '05:45'],
] as const
const RULES_OF_CHANNEL = 5
const APPS = ['A0SENTRY', 'A0PAGER', 'A0DATADOG']
const WORDS = ['Error', 'fatal', 'disk', 'fine'] as const

const settings: Record<string, string> = {
  LOG_LEVEL: 'warn',
  NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, '../test/support/set-clock.ts')).href}`,
}
await using world = await startWorld({
  ...{pace: 0.01, settings},
  plant: (folder) => {
    settings['CLOCK_FILE'] = join(folder, 'clock')
    writeFileSync(settings['CLOCK_FILE'], String(setClock(FROM_MS - 120 * MINUTE_MS)))
    return Promise.resolve()
  },
})
/** The bot hears of it now, or when it starts. */
async function turnClock(nowMs: number): Promise<void> {
  const ahead = String(setClock(nowMs))
  writeFileSync(settings['CLOCK_FILE'] ?? '', ahead)
  const pid = world.bot.pid()
  if (pid === undefined) return
  process.kill(pid, 'SIGUSR2')
  await world.until('the bot has heard', () => world.bot.output().includes(`${SET}: ${ahead}`))
}

/** What the bot has acknowledged that it was told of. */
const heard = new Set<string>()
const nameOf = ({channel, ts}: Place): string => `${channel} ${ts}`
world.slack.ledger.watch((entry) => {
  if (!('outcome' in entry) || entry.outcome !== 'acked') return
  const {channel, ts} = (entry.payload['event'] ?? {}) as Partial<Place>
  if (channel !== undefined && ts !== undefined) heard.add(nameOf({channel, ts}))
})

const modals = createModals(world)
const alerts = createRules(world, modals)
const rules: MomentRule[] = []
const channels: string[] = []
const atOnce = {kind: 'say', fragments: ['It was nothing.'], delayMs: 0} as const
world.platform.control.planScript({when: {text: 'look at'}, times: 100_000, steps: [atOnce]})
while (rules.length < Number(values.rules)) {
  const channel = await modals.channel(`alerts-${channels.length}`, [JANE, KIM])
  channels.push(channel)
  for (let index = 0; index < RULES_OF_CHANNEL && rules.length < Number(values.rules); index += 1) {
    const rule = ruleFor(channel)
    rules.push(rule)
    await alerts.make(channel, formOf(rule))
  }
}
console.log(`${rules.length} rules in ${channels.length} channels, ${count} messages`)

function ruleFor(channel: string): MomentRule {
  const quiet = pick([...QUIET, undefined, undefined, undefined])
  const perHour = dice.int(1, 4)
  return {
    ...{name: `Rule ${rules.length + 1}`, channel, app: pick(APPS)},
    ...{word: pick([...WORDS.slice(0, 3), '']), isKeyed: dice.int(0, 2) > 0},
    ...{does: pick(['start', 'start', 'ask'] as const), perHour},
    ...{minutes: pick(WINDOWS), perDay: perHour + dice.int(0, 8)},
    ...(quiet !== undefined && {quiet: {from: quiet[0], to: quiet[1], zone: ZONE}}),
  }
}

function formOf(rule: MomentRule): Record<string, string> {
  const {name, app: appId, word, isKeyed, does, minutes, perHour, perDay, quiet} = rule
  return {
    ...{name, appId, does, windowMinutes: String(minutes), task: 'look at {text}'},
    ...{pattern: isKeyed ? `${word}.*issue (?P<issue>\\S+)` : word},
    ...{perHour: String(perHour), perDay: String(perDay)},
    ...(isKeyed && {key: '{issue}'}),
    ...(quiet && {quietFrom: quiet.from, quietTo: quiet.to}),
  }
}

/** Of the longest text, that fits it almost; the machine may be busy with something else. */
function timeOf(source: string): number {
  const read = readPattern(source)
  if ('why' in read) throw new Error(`${source}: ${read.why}`)
  const text = 'aab'.repeat(3334).slice(0, 10_000)
  const times = Array.from({length: 5}, () => {
    const startMs = performance.now()
    read.pattern.match(text)
    return performance.now() - startMs
  })
  return Math.min(...times)
}

type Said = Pick<Seen, 'channel' | 'app' | 'text' | 'isReply'>
/** What replies stand below, by channel. */
const parents = new Map<string, string>()
const textOf = (): string =>
  `${dice.pick(WORDS)} in issue WEB-${dice.int(1, 6)}${dice.pick(['', '', ' again'])}`

/** A few messages here and there, and at times many of one app at once: all the same, or each another one. */
function saidAt(most: number): Said[] {
  const flood = dice.pick(['same', 'new', 'none', 'none'])
  const [channel, app, text] = [pick(channels), pick(APPS), textOf()]
  return Array.from({length: most}, (_, index) => {
    if (flood !== 'none' && index < most / 2) {
      const own = flood === 'same' ? text : `Error in issue NEW-${dice.int(1, 1_000_000)}`
      return {channel, app, text: own, isReply: false}
    }
    const other = {channel: pick(channels), app: pick([...APPS, 'A0OTHER']), text: textOf()}
    return {...other, isReply: parents.has(other.channel) && dice.int(1, 15) === 1}
  })
}

function pick<Item>(items: readonly Item[]): Item {
  return dice.pick(items as [Item, ...Item[]])
}

/** Whatever is to come of what was said has come. */
async function settled(places: readonly Place[]): Promise<void> {
  const endMs = performance.now() + MOMENT_MS
  const database = new Database(join(world.folder, 'bosun.db'), {readonly: true})
  const open = database.prepare(
    "select (select count(*) from inbox where state = 'open') + (select count(*) from announcements where state in ('wanted', 'intended')) as count",
  )
  try {
    for (;;) {
      const isHeard = places.every((place) => heard.has(nameOf(place)))
      if (isHeard && (open.get() as {count: number}).count === 0 && isShown(places)) return
      if (performance.now() > endMs) {
        throw new Error(`What was said at ${clockAt(Date.now())} is not all handled in time`)
      }
      await delay(250)
    }
  } finally {
    database.close()
  }
}

function isShown(places: readonly Place[]): boolean {
  const evidence = takeEvidence(world)
  return places.every((place) => {
    const thread = evidence.threadIn(place)
    if (thread === undefined) return true
    const said = evidence.ours(place).map(({text}) => text)
    return !isWorking(thread.status) && said.some((text) => text.includes('It was nothing.'))
  })
}

function sightsAt(places: readonly Place[]): Seen['sights'][] {
  const evidence = takeEvidence(world)
  return places.map((place) => {
    const said = evidence.ours(place)
    const cards = said.filter(({blocks}) =>
      JSON.stringify(blocks ?? []).includes('started by the rule'),
    )
    const starts = Math.max(cards.length, evidence.threadIn(place) === undefined ? 0 : 1)
    const has = (words: string) => said.filter(({text}) => text.includes(words))
    return [
      ...Array.from({length: starts}, () => 'start' as const),
      ...has('asks: start work on this?').map(() => 'ask' as const),
      ...has('may in an hour').map(() => 'hour' as const),
      ...has('may in a day').map(() => 'day' as const),
    ]
  })
}

/** The next moment that is no edge of quiet hours. */
function momentAfter(atMs: number): number {
  const next = atMs + dice.pick([1, 1, 2, 3, 5, 8]) * STEP_MS
  const isEdge = QUIET.flat().some((edge) =>
    [-4, -3, -2, -1, 0, 1].some((minutes) => clockAt(next - minutes * MINUTE_MS) === edge),
  )
  return isEdge ? momentAfter(next) : next
}
function clockAt(atMs: number): string {
  return new Date(atMs).toLocaleTimeString('sv-SE', {timeZone: ZONE}).slice(0, 5)
}

const judge = createMoments(rules)
const wrong: string[] = []
const slowest = Math.max(...PATTERNS.map(timeOf))
const sum = {start: 0, ask: 0, hour: 0, day: 0, kills: 0, stops: 0, said: 0}
const startedMs = performance.now()
let atMs = FROM_MS
for (let moment = 1; moment <= moments; moment += 1) {
  const most = Math.round((moment * count) / moments) - sum.said
  const all = saidAt(most)
  sum.said += most
  await turnClock(atMs)
  const {faults} = world.slack
  faults.deliveries = dice.pick([1, 1, 1, 2])
  faults.reorder = dice.int(1, 4) === 1
  const isKill = sum.kills < Math.round((moment * Number(values.kills)) / moments)
  const posting = Promise.all(
    all.map(async ({channel, app, text, isReply}) => {
      await delay(dice.int(0, 400))
      const threadTs = isReply ? parents.get(channel) : undefined
      const of = {appId: app, name: app}
      return alerts.alert(channel, text, threadTs === undefined ? of : {...of, threadTs})
    }),
  )
  if (isKill) {
    sum.kills += 1
    await delay(dice.int(50, 700))
    await world.bot.kill()
    await world.startBot()
  }
  const places = await posting
  await settled(places)
  for (const [index, {channel, isReply}] of all.entries()) {
    if (!isReply) parents.set(channel, places[index]?.ts ?? '')
  }
  const sights = sightsAt(places)
  const seen = all.map((said, index) => ({...said, sights: sights[index] ?? []}))
  for (const one of sights.flat()) sum[one] += 1
  const found = judge(atMs, seen).map((line) => `moment ${moment}: ${line}`)
  for (const line of found) console.error(line)
  wrong.push(...found)
  if (moment % 10 === 0) {
    const seconds = Math.round((performance.now() - startedMs) / 1000)
    console.log(
      `moment ${moment}, ${clockAt(atMs)}: ${JSON.stringify(sum)}, ${wrong.length} wrong, ${seconds} s`,
    )
  }
  if (moment % 12 === 0) {
    sum.stops += 1
    await world.bot.stop()
    atMs = momentAfter(atMs)
    await turnClock(atMs)
    await world.startBot()
  } else atMs = momentAfter(atMs)
}

console.log(
  [
    `${sum.said} messages of ${moments} moments in ${((atMs - FROM_MS) / 3_600_000).toFixed(0)} hours of its clock, ${sum.kills} kills, ${sum.stops} restarts`,
    `started ${sum.start}, asked ${sum.ask}, told of a limit ${sum.hour + sum.day}`,
  ].join('\n'),
)
endWith([
  atMost(
    `10,000 characters under the slowest of ${PATTERNS.length} patterns`,
    slowest,
    PATTERN_MS,
    'ms',
  ),
  exactly('messages', sum.said, count),
  exactly('kills', sum.kills, Number(values.kills)),
  atLeast('starts and questions', sum.start + sum.ask, 1),
  never('wrong', wrong.length),
])
