import fc from 'fast-check'
import {expect, test} from 'vitest'
import {decide} from '../../../src/features/rules/deciding.ts'
import {judgeMessages} from '../../support/rules-oracle.ts'
import {openTemporary} from '../../store/temporary-store.ts'
import {hear, keepRules, messageOf, ruleOf} from './stage.ts'

const DAY_MS = 86_400_000
const apps = fc.constantFrom('A1', 'A2')
const words = fc.constantFrom('', 'error', 'FATAL', 'disk')
const minutes = fc.integer({min: 0, max: 1439})

const ruleSets = fc.array(
  fc.record({
    app: apps,
    word: words,
    isKeyed: fc.boolean(),
    does: fc.constantFrom('start' as const, 'ask' as const),
    minutes: fc.constantFrom(1, 30, 60, 1440),
    perHour: fc.integer({min: 1, max: 3}),
    perDay: fc.integer({min: 1, max: 5}),
    isOn: fc.boolean(),
    quiet: fc.option(
      fc.tuple(minutes, minutes).filter(([from, to]) => from !== to),
      {nil: undefined, freq: 4},
    ),
  }),
  {minLength: 1, maxLength: 5},
)
const messages = fc.array(
  fc.record({
    app: apps,
    kind: fc.constantFrom('Error', 'fatal', 'disk', 'fine'),
    issue: fc.integer({min: 1, max: 4}),
    isReply: fc.boolean(),
    afterMs: fc.constantFrom(0, 1000, 60_000, 1_800_000, 3_600_000, 20_000_000),
  }),
  {maxLength: 40},
)

const clock = (minute: number): string =>
  [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':')

test('messages start what docs/rules.md says, also where one is delivered once more', async () => {
  await using opened = await openTemporary()
  const {store} = opened
  let runs = 0
  await fc.assert(
    fc.asyncProperty(ruleSets, messages, fc.nat(40), async (set, written, againAt) => {
      runs += 1
      const team = `T${runs}`
      const rules = set.map(({word, isKeyed, minutes: windowMinutes, quiet, ...one}, index) =>
        ruleOf(`${team}-${index}`, {
          ...{...one, team, windowMinutes},
          pattern: isKeyed ? `${word}.*issue (?P<issue>\\d+)` : word,
          dedupeKey: isKeyed ? '{issue}' : undefined,
          quiet: quiet && {from: clock(quiet[0]), to: clock(quiet[1]), zone: 'UTC'},
        }),
      )
      await keepRules(store, rules)
      let atMs = Date.UTC(2026, 10, 26, 12)
      const said = written.map(({afterMs, kind, issue, ...one}) => {
        atMs += afterMs
        return {...one, text: `${kind} in issue ${issue}`, atMs}
      })
      const expected = judgeMessages(
        set.map(({isKeyed, quiet, ...one}, index) => ({
          ...{...one, id: `${team}-${index}`, keyBehind: isKeyed ? 'issue' : undefined},
          ...(quiet !== undefined && {quiet: {from: quiet[0], to: quiet[1]}}),
        })),
        said,
      )
      const verdicts = []
      for (const [index, {text, app, isReply, atMs: nowMs}] of said.entries()) {
        const more = {team, text, appId: app, threadTs: isReply ? '1.0' : undefined}
        const message = messageOf(`${index}.1`, more)
        const alert = await hear(store, message, nowMs)
        verdicts.push({rule: alert?.ruleId, verdict: alert?.decision ?? 'none'})
        // Delivered once more, as after a crash, it finds what was decided.
        if (index === againAt) {
          expect((await hear(store, message, nowMs + 5))?.id).toBe(alert?.id)
        }
      }
      expect(verdicts).toEqual(expected)
    }),
    {numRuns: 200},
  )
})

test('quiet hours go past midnight, by the clock of their zone', () => {
  const rule = ruleOf('r', {quiet: {from: '22:00', to: '07:00', zone: 'Europe/Berlin'}})
  const past = {hasSame: false, inHour: 0, inDay: 0}
  const at = (hour: number, minute = 0) => decide(rule, past, Date.UTC(2026, 0, 15, hour, minute))
  expect([at(20, 59), at(21), at(2), at(5, 59), at(6)]).toEqual([
    ...['start', 'quiet', 'quiet', 'quiet', 'start'],
  ])
})

test('a clock that was years ahead, and is right again, keeps no rule back', async () => {
  await using opened = await openTemporary()
  const {store} = opened
  await keepRules(store, [ruleOf('r', {perHour: 2, perDay: 2})])
  const nowMs = Date.UTC(2026, 10, 26, 12)
  const decisionAt = async (ts: string, atMs: number, text = 'it broke') =>
    (await hear(store, messageOf(ts, {text}), atMs))?.decision
  for (const index of [1, 2, 3]) {
    await decisionAt(`${index}.1`, nowMs + 1000 * DAY_MS, `number ${index}`)
  }
  expect(await decisionAt('4.1', nowMs, 'number 1')).toBe('start')
  expect(await decisionAt('5.1', nowMs, 'number 1')).toBe('duplicate')
  expect(await decisionAt('6.1', nowMs, 'number 2')).toBe('start')
  // One that goes back by hours begins no more than it may.
  expect(await decisionAt('7.1', nowMs - 5 * 3_600_000, 'number 3')).toBe('day')
})

test('quiet hours in a zone that nobody here knows are those of UTC', () => {
  const rule = ruleOf('r', {quiet: {from: '22:00', to: '07:00', zone: 'Mars/Olympus_Mons'}})
  const past = {hasSame: false, inHour: 0, inDay: 0}
  const at = (hour: number) => decide(rule, past, Date.UTC(2026, 0, 15, hour))
  expect([at(21), at(22), at(6), at(7)]).toEqual(['start', 'quiet', 'quiet', 'start'])
})

test('of two who press, the first one answers, and whoever presses next where that was given up', async () => {
  await using opened = await openTemporary()
  const {store} = opened
  await keepRules(store, [ruleOf('asks', {does: 'ask'})])
  const {id = ''} = (await hear(store, messageOf('1.1'), 10)) ?? {}
  const press = async (key: string): Promise<boolean> => {
    await store.inbox.add({key, team: 'T1', lane: key, body: '{}'}, 10)
    return store.alerts.take(id, key)
  }
  expect([await press('one'), await press('other'), await press('one')]).toEqual([
    true,
    false,
    true,
  ])
  await store.inbox.fail((await store.inbox.byKey('one'))?.id ?? 0)
  expect([await press('other'), await press('third')]).toEqual([true, false])
  await store.alerts.settle(id)
  await store.inbox.done((await store.inbox.byKey('other'))?.id ?? 0)
  expect(await press('third')).toBe(false)
})
