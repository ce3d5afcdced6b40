import fc from 'fast-check'
import {expect, test} from 'vitest'
import type {AppMessage} from '../../../src/slack/incoming/alert.ts'
import type {Rule} from '../../../src/store/tables/rules/rule.ts'
import type {Store} from '../../../src/store/store.ts'
import {openTemporary} from '../../store/temporary-store.ts'
import {CHANNEL, hear, keepRules, messageOf, ruleOf} from './stage.ts'

/** `BOSUN_RULE_SETS=1000` tries as many as the figures in bench/README.md are about. */
const SETS = Number(process.env['BOSUN_RULE_SETS'] ?? 250)

/** Work that a rule began, and all by which others may name it. */
interface Begun {
  cause: string
  ts: string
  threadId: string
  pullRequest: string
}

/** An app that speaks of work of ours in the channel. `freshly`: in new words, which name nothing of it. */
const WAYS = {
  'by its thread': ({threadId}: Begun) => `error: https://agents.example/t/${threadId} failed`,
  'by its pull request': ({pullRequest}: Begun) => `error: build of ${pullRequest}/checks failed`,
  'by its short name': ({pullRequest}: Begun) =>
    `error in ${pullRequest.replace('https://github.com/', '').replace('/pull/', '#')}`,
  'by its Slack thread': ({ts}: Begun) =>
    `error: see https://acme.slack.com/archives/${CHANNEL}/p${ts.replace('.', '')}`,
  'in an attachment': ({threadId}: Begun) => `error: something ${threadId.slice(0, 0)}`,
} as const
type Way = keyof typeof WAYS

const app = fc.constantFrom('A1', 'A2', 'A3')
const ruleSets = fc.array(
  fc.record({
    app,
    pattern: fc.constantFrom('', 'error', 'error (?P<issue>\\S+)'),
    isKeyed: fc.boolean(),
    windowMinutes: fc.constantFrom(1, 60, 10_080),
    perHour: fc.integer({min: 1, max: 4}),
    perDay: fc.integer({min: 1, max: 6}),
  }),
  {minLength: 1, maxLength: 6},
)
const echoes = fc.array(fc.record({app, way: fc.constantFrom(...(Object.keys(WAYS) as Way[]))}), {
  minLength: 1,
  maxLength: 5,
})

/** Runs until nothing more happens, or far beyond what could be meant. */
async function play(
  store: Store,
  team: string,
  set: Parameters<typeof toRules>[1],
  tell: (begun: Begun, turn: number) => AppMessage[],
): Promise<{begun: Begun[]; spoken: number}> {
  await keepRules(store, toRules(team, set))
  const begun: Begun[] = []
  const waiting = ['A1', 'A2', 'A3'].map((appId, index) => ({
    cause: 'outside',
    message: messageOf(`170000000${index}.000100`, {team, appId, text: `error W-${index}`}),
  }))
  let spoken = 0
  for (let next = waiting.shift(); next !== undefined && spoken < 400; next = waiting.shift()) {
    spoken += 1
    const {cause, message} = next
    const alert = await hear(store, message, 1_000_000 + spoken)
    if (alert?.decision !== 'start') continue
    const of = {cause, ts: message.ts, threadId: `thread_${alert.id}`}
    const work = {...of, pullRequest: `https://github.com/acme/web/pull/${begun.length + 10}`}
    begun.push(work)
    const {id} = await store.links.open(
      {
        place: {team, channel: CHANNEL, slackThread: message.ts},
        ...{requestId: `slack:${team}:${CHANNEL}:${message.ts}`, projectId: 'p'},
        ...{startedBy: 'nobody', rule: {id: alert.ruleId, name: 'rule'}},
      },
      spoken,
    )
    await store.links.change(id, {threadId: work.threadId, pullRequest: work.pullRequest})
    for (const said of tell(work, spoken)) {
      waiting.push({cause: work.threadId, message: {...said, team}})
    }
  }
  return {begun, spoken}
}

const toRules = (
  team: string,
  set: readonly Omit<Partial<Rule> & {isKeyed: boolean}, 'id'>[],
): Rule[] =>
  set.map(({isKeyed, ...one}, index) =>
    ruleOf(`${team}-${index}`, {
      ...{...one, team},
      dedupeKey: isKeyed && one.pattern?.includes('issue') === true ? '{issue}' : undefined,
    }),
  )

test('in many sets of rules no work is started by what other work of rules has brought about', async () => {
  await using opened = await openTemporary()
  const {store} = opened
  let starts = 0
  let turns = 0
  await fc.assert(
    fc.asyncProperty(ruleSets, echoes, async (set, apps) => {
      const tell = (work: Begun, turn: number): AppMessage[] =>
        apps.flatMap((one, index) => {
          const ts = `18${String(turn).padStart(8, '0')}.${String(index).padStart(6, '0')}`
          const text = WAYS[one.way](work)
          const whole = JSON.stringify({text, attachments: [{from_url: `x/${work.threadId}/y`}]})
          const isNamed = one.way !== 'in an attachment'
          const top = messageOf(ts, {
            ...{appId: one.app, text, whole: isNamed ? JSON.stringify({text}) : whole},
          })
          // Whoever answers where the work is says it in a reply.
          const reply = messageOf(ts.replace('18', '19'), {
            ...{appId: one.app, text: 'error: another one', threadTs: work.ts},
          })
          return [top, reply]
        })
      const {begun, spoken} = await play(store, `T${starts}-${turns}`, set, tell)
      starts += begun.length
      turns += spoken
      expect(begun.filter(({cause}) => cause !== 'outside')).toEqual([])
    }),
    {numRuns: SETS},
  )
  expect([starts > SETS, turns > 3 * SETS]).toEqual([true, true])
})

test('apps that name nothing of it are bounded by what each rule may', async () => {
  await using opened = await openTemporary()
  const {store} = opened
  let runs = 0
  await fc.assert(
    fc.asyncProperty(ruleSets, async (set) => {
      const tell = (_work: Begun, turn: number): AppMessage[] =>
        ['A1', 'A2', 'A3'].map((appId, index) =>
          messageOf(`18${String(turn).padStart(8, '0')}.${String(index).padStart(6, '0')}`, {
            ...{appId, text: `error new-${turn}-${index}`},
          }),
        )
      const {begun} = await play(store, `T${(runs += 1)}`, set, tell)
      const most = set.reduce((sum, {perHour, perDay}) => sum + Math.min(perHour, perDay), 0)
      expect(begun.length).toBeLessThanOrEqual(most)
    }),
    {numRuns: 30},
  )
})
