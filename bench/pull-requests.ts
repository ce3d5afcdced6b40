// What GitHub says of many pull requests, much of it twice, out of order or late, while the bot is killed again and again: in the end every
// card shows the newest state, as the documents have it, and no agent was told twice of one need.
// `--deliveries 1000 --pull-requests 50 --kills 3` for a small one.
import {setTimeout as delay} from 'node:timers/promises'
import {parseArgs} from 'node:util'
import {createDice} from '../local/platform/agent/dice.ts'
import {ACTIONS} from '../src/slack/ids.ts'
import {takeEvidence} from '../test/support/evidence.ts'
import {type GithubEvent, deliver, github, shaOf} from '../test/support/github.ts'
import {cardWords, expectedOf} from '../test/support/github-oracle.ts'
import {createHooks} from '../test/support/hooks.ts'
import {createModals} from '../test/support/modals.ts'
import {JANE, KIM, type Place, startWorld} from '../test/support/world.ts'
import {atLeast, endWith, exactly, never} from './lines.ts'

const {values} = parseArgs({
  options: {
    deliveries: {type: 'string', default: '10000'},
    'pull-requests': {type: 'string', default: '500'},
    duplicates: {type: 'string', default: '0.15'},
    late: {type: 'string', default: '0.2'},
    kills: {type: 'string', default: '20'},
    seed: {type: 'string', default: '1'},
  },
})
const [count, pulls] = [Number(values.deliveries), Number(values['pull-requests'])]
const kills = Number(values.kills)
const dice = createDice(`${values.seed} pull requests`)
const AT_ONCE = 8
/** A reply that names more is a list. */
const OF_ONE = 3
const T0 = Date.parse('2026-01-05T10:00:00Z')
const FIRST = 10_000

await using world = await startWorld({
  pace: 0.01,
  settings: {BOSUN_HOOKS_PER_MINUTE: '60000', LOG_LEVEL: 'error'},
})
const at = createModals(world)
const hooks = createHooks(world, at)
const channel = await at.channel('bench', [JANE, KIM])
const settings = {project: world.platform.projectIds[0] ?? '', fixPullRequests: 'yes'}
await at.connect(channel, {key: {}, settings}, JANE)
const hook = await hooks.makeGithub(channel, 'acme')

/** One history, as it happened; each event of it is unlike all others. */
let ids = 1
function historyOf(number: number, length: number): GithubEvent[] {
  const events: GithubEvent[] = []
  let [atMs, round] = [T0 + number * 1000, 0]
  let head = shaOf(`${number}-${round}`)
  const title = `Change ${number}`
  const picture = (more: Partial<Parameters<typeof github.pullRequest>[0]> = {}): GithubEvent =>
    github.pullRequest({number, head, atMs: (atMs += 1000), title, ...more})
  events.push(picture({draft: true, action: 'opened'}), picture({action: 'ready_for_review'}))
  while (events.length < length) {
    const [lint, unit] = [(ids += 1), (ids += 1)]
    const ends = (): string => dice.pick(['success', 'success', 'failure', 'skipped', 'timed_out'])
    events.push(
      github.checkRun({sha: head, name: 'lint', id: lint}),
      github.checkRun({sha: head, name: 'unit (20)', id: unit}),
      github.checkRun({
        sha: head,
        name: 'lint',
        id: lint,
        conclusion: ends(),
        atMs: (atMs += 1000),
      }),
      github.checkRun({sha: head, name: 'unit (20)', id: unit, conclusion: ends(), atMs}),
      github.status({
        sha: head,
        context: 'ci/size',
        id: (ids += 1),
        state: dice.pick(['pending', 'success', 'error']),
        atMs,
      }),
    )
    if (dice.int(1, 4) === 1) {
      const opinion = dice.pick(['approved', 'changes_requested', 'commented'])
      const by = dice.pick(['ada', 'bob', 'cyd'])
      events.push(
        github.review({number, head, title, atMs: (atMs += 1000), by, id: (ids += 1), opinion}),
      )
    }
    if (events.length + 6 < length) {
      const before = head
      head = shaOf(`${number}-${(round += 1)}`)
      events.push(picture({action: 'synchronize', before}))
    }
  }
  const end = dice.int(1, 6)
  if (end === 1) events.push(picture({merged: true, action: 'closed'}))
  if (end === 2) events.push(picture({state: 'closed', action: 'closed'}))
  if (end === 3) events.push(picture({mergeable: 'dirty'}))
  return events.slice(-Math.max(length, 3))
}

const numbers = Array.from({length: pulls}, (_, index) => FIRST + index)
const unique = Math.round(count * (1 - Number(values.duplicates)))
const histories = numbers.map((number, index) =>
  historyOf(
    number,
    Math.floor(((index + 1) * unique) / pulls) - Math.floor((index * unique) / pulls),
  ),
)
const all = histories.flat()
/** Where each stands among all: those of one pull request in turn with others, a few behind their time, and some at the very end. */
const places = histories.flatMap((events) =>
  events.map((event, index) => {
    const isLate = dice.int(1, 1000) <= 1000 * Number(values.late)
    const jitter = dice.int(-150, 150) / 1000
    return {event, at: isLate ? dice.int(500, 1300) / 1000 : index / events.length + jitter}
  }),
)
const again = Array.from({length: Math.max(0, count - all.length)}, () => {
  return {event: dice.pick(all as [GithubEvent, ...GithubEvent[]]), at: dice.int(0, 1300) / 1000}
})
const order = [...places, ...again].sort((a, b) => a.at - b.at).map(({event}) => event)

// Whatever an agent is told, it names no other pull request.
const fixed = {kind: 'say', fragments: ['Fixed, and pushed.'], delayMs: 0} as const
world.platform.control.planScript({
  when: {text: 'About the pull request'},
  times: 100 * pulls,
  steps: [fixed],
})
const addressOf = (number: number): string => `https://github.com/acme/web/pull/${number}`
/** How all stands at one moment, read once for all places. */
type Sight = ReturnType<typeof takeEvidence>
const look = (): Sight => takeEvidence(world)
const cardsIn = (place: Place, sight: Sight) =>
  sight.ours(place).filter(({text}) => text.startsWith('🔀'))
const haveCards = (sight = look()): boolean =>
  works.every(({place, numbers: some}) => cardsIn(place, sight).length === some.length)
const works: {place: Place; numbers: number[]}[] = []
for (let from = 0; from < numbers.length; from += OF_ONE) {
  const some = numbers.slice(from, from + OF_ONE)
  const task = `quick work ${from}.`
  const text = `I opened ${some.map(addressOf).join(' and ')}.`
  const say = {kind: 'say', fragments: [text], delayMs: 0} as const
  world.platform.control.planScript({when: {text: task}, steps: [say]})
  works.push({place: await world.say(`@Bosun ${task}`, {channel}), numbers: some})
  // A few at a time, as people would.
  if (works.length % AT_ONCE === 0) {
    await comes('their cards', () => haveCards(), 120_000)
  }
}
/** The stand-ins live in this process: whoever looked at everything all the time would keep them from their work. */
async function comes(what: string, look: () => boolean, withinMs: number): Promise<true> {
  const endMs = Date.now() + withinMs
  while (!look()) {
    if (Date.now() > endMs) throw new Error(`Not within ${withinMs} ms: ${what}`)
    await delay(1000)
  }
  return true
}
const cardOf = (place: Place, number: number, sight: Sight) =>
  cardsIn(place, sight).find(({text}) => text.includes(`/pull/${number}|`))
await comes('all have their cards', () => haveCards(), 600_000)
console.log(
  `${pulls} pull requests of ${works.length} agents, ${order.length} deliveries (${all.length} events), ${kills} kills`,
)

const startedAtMs = performance.now()
let next = 0
const answers = new Map<string, number>()
const sendMany = async (): Promise<void> => {
  while (next < order.length) {
    const event = order[next]
    next += 1
    if (event === undefined) continue
    for (;;) {
      const {status, body} = await deliver(hooks.origin() + hook.path, hook.secret, event).catch(
        () => ({status: 0, body: {}}),
      )
      const said = `${status} ${(body as {outcome?: string}).outcome ?? ''}`.trim()
      answers.set(said, (answers.get(said) ?? 0) + 1)
      if (status === 202) break
      // Somebody presses [Redeliver].
      await delay(dice.int(20, 200))
    }
  }
}
const kill = async (): Promise<void> => {
  for (let index = 1; index <= kills; index += 1) {
    const fromSent = Math.floor((index * order.length) / (kills + 1))
    while (next < fromSent) await delay(5)
    await delay(dice.int(0, 300))
    await world.bot.kill()
    await world.startBot()
  }
}
await Promise.all([...Array.from({length: AT_ONCE}, sendMany), kill()])
const sentMs = performance.now() - startedAtMs

const expected = new Map(
  numbers.map((number, index) => [number, expectedOf(histories[index] ?? [], number)]),
)
/** What stands on a card, but for what the agent was told. */
const shownOf = (place: Place, number: number, sight: Sight): string =>
  (cardOf(place, number, sight)?.text ?? '')
    .replace(/^.*?\|acme\/web#\d+>(?: · )?/u, '')
    .replaceAll('&amp;', '&')
    .replace(/ · (?:🛠️ The agent was told|The agent has tried \d+ times)/gu, '')
const wrongCards = (sight = look()): string[] =>
  works.flatMap(({place, numbers: some}) =>
    some.flatMap((number) => {
      const wanted = expected.get(number)
      const shown = shownOf(place, number, sight)
      return wanted !== undefined && shown !== cardWords(wanted)
        ? [`#${number}: "${shown}", not "${cardWords(wanted)}"`]
        : []
    }),
  )
const isRight = await comes(
  'every card shows the newest state',
  () => wrongCards().length === 0,
  300_000,
).catch(() => false)
const shownMs = performance.now() - startedAtMs - sentMs

/** What agents were told of each pull request: by commit, or by review. */
const toldOf = (place: Place, number: number, sight: Sight): string[] =>
  sight.transcriptIn(place).flatMap(({source, text}) => {
    if (source !== 'user' || !text.includes(`${addressOf(number)}: `)) return []
    const commit = /failed at ([0-9a-f]{7})/.exec(text)?.[1]
    const reviews = [...text.matchAll(/pullrequestreview-(\d+)/g)].map(([, id]) => id)
    if (commit !== undefined) return [`checks:${commit}`]
    return [
      reviews.length > 0
        ? `changes:${reviews
            .map(Number)
            .sort((a, b) => a - b)
            .join(',')}`
        : 'conflicts',
    ]
  })
const short = (need: string): string =>
  need.startsWith('changes') ? need : need.startsWith('checks') ? need.slice(0, 14) : 'conflicts'
const untold = (sight = look()) =>
  works.flatMap(({place, numbers: some}) =>
    some.flatMap((number) => {
      const told = toldOf(place, number, sight)
      const {needs = [], running = 0} = expected.get(number) ?? {}
      return needs
        .filter((need) => !told.includes(short(need)))
        .map((need) => {
          // It was tried often enough, or other checks of the same commit have not ended.
          const isPeoples = told.length >= 3 || (need.startsWith('checks') && running > 0)
          return {place, number, need, isPeoples}
        })
    }),
  )
/** Nobody can tell whether what was said just when the bot died has reached the agent: people are asked. */
const questionIn = (place: Place, sight: Sight) =>
  sight.ours(place).find(({text}) => text.includes('Not sure this arrived'))
const isLeft = (sight: Sight): boolean =>
  untold(sight).every(({isPeoples, place}) => isPeoples || questionIn(place, sight) !== undefined)
await comes('agents were told', () => isLeft(look()), 300_000).catch(() => undefined)
let questions = 0
for (const {place} of works) {
  if (questionIn(place, look()) === undefined) continue
  questions += 1
  await world.press(place, ACTIONS.sendAgain, KIM)
}
await comes(
  'what was asked is sent again',
  () => untold().every(({isPeoples}) => isPeoples),
  120_000,
).catch(() => undefined)
const byThemselves = untold()
// What is left to them two people press at once.
for (const {place, number} of byThemselves) {
  const {ts = '', blocks = []} = cardOf(place, number, look()) ?? {}
  const drawn = JSON.stringify(blocks)
  if (!drawn.includes(ACTIONS.fix)) continue
  const press = (as: string) => world.slack.people.press({as, channel, ts, actionId: ACTIONS.fix})
  await Promise.all([press(JANE), press(KIM)])
}
await comes('all were told', () => untold().length === 0, 300_000).catch(() => undefined)
// Whatever would come too much, comes by then.
await delay(10_000)
const end = look()
const twice = works.flatMap(({place, numbers: some}) =>
  some.flatMap((number) => {
    const told = toldOf(place, number, end)
    return told.length === new Set(told).size ? [] : [`#${number}: ${told.join(', ')}`]
  }),
)
const messages = works.flatMap(({place, numbers: some}) =>
  some.flatMap((number) => toldOf(place, number, end)),
)
const doubledCards = works.filter(
  ({place, numbers: some}) => cardsIn(place, end).length !== some.length,
)

console.log(
  [
    `answers: ${[...answers].map(([said, times]) => `${times} × ${said}`).join(', ')}`,
    `sent in ${(sentMs / 1000).toFixed(0)} s; all cards right ${(shownMs / 1000).toFixed(1)} s behind the last`,
    `messages to agents: ${messages.length}; left to people: ${byThemselves.length}; sent again by people: ${questions}`,
  ].join('\n'),
)
const isWrong = isRight ? [] : wrongCards()
const isUntold = untold()
const wrong = [
  ...isWrong.slice(0, 10),
  ...twice.slice(0, 10).map((line) => `told twice: ${line}`),
  ...isUntold.slice(0, 10).map(({number, need}) => `never told: #${number} ${need}`),
  ...doubledCards
    .slice(0, 10)
    .map(({place}) => `cards in ${place.ts}: ${cardsIn(place, end).length}`),
]
for (const line of wrong) console.error(line)
endWith([
  exactly('kills', world.bot.kills(), kills),
  atLeast('messages to agents', messages.length, 1),
  never('cards that are wrong in the end', isWrong.length),
  never('needs that an agent was told twice', twice.length),
  never('needs that no agent was told', isUntold.length),
  never('Slack threads with too many cards, or too few', doubledCards.length),
])
