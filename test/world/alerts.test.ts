import {join} from 'node:path'
import {setTimeout as delay} from 'node:timers/promises'
import {pathToFileURL} from 'node:url'
import Database from 'better-sqlite3'
import {beforeAll, describe, expect, test} from 'vitest'
import {createHooks} from '../support/hooks.ts'
import {createModals} from '../support/modals.ts'
import {STEP_S, alertsAt, checkRules} from '../support/promtool.ts'
import {createRecorder, repeat} from '../support/recorder.ts'
import {metricsAddress} from '../support/scrape.ts'
import {JANE, KIM, type World, type WorldOptions, startWorld} from '../support/world.ts'

/** Bots whose time runs so many times as fast as everybody else's are scraped every 15 s of their time. */
const HASTE = 60
const HASTY_STEP_MS = (STEP_S * 1000) / HASTE
const HASTY: WorldOptions = {
  ...{haste: HASTE, heartbeatMs: 15_000 / HASTE, pace: 1, delivery: 'http'},
  ...{proxy: true, slackProxy: true},
}
const BLOCKING = pathToFileURL(join(import.meta.dirname, '..', 'support', 'blocking.ts')).href
/** The table of docs/metrics.md is printed here. */
const LONGEST_S = 600

/** What was broken, from then on, and which alerts fired at each scrape. */
const seen = new Map<string, string[][]>()

/** A stretch of a bot's life, by its name; how it is told apart by what is broken in it. */
interface Life {
  world: World
  /** Breaks something, and scrapes for so long of the bot's time. */
  live: (name: string, minutes: number) => Promise<void>
}

async function watchLife(
  options: WorldOptions,
  stepMs: number,
  story: (life: Life) => Promise<void>,
): Promise<void> {
  const {settings} = options
  await using world = await startWorld({
    ...options,
    settings: {METRICS_PORT: '0', SLACK_WRITER: 'edit', ...settings},
  })
  const recorder = createRecorder(() => metricsAddress(world.bot.output()) ?? '')
  const stretches: {name: string; from: number; to: number}[] = []
  const live = async (name: string, minutes: number): Promise<void> => {
    const from = recorder.steps()
    await recorder.record((minutes * 60) / STEP_S, stepMs)
    stretches.push({name, from, to: recorder.steps()})
  }
  await story({world, live})
  const fired = alertsAt(recorder.recorded())
  for (const {name, from, to} of stretches) seen.set(name, fired.slice(from, to))
  const [first] = stretches
  if (options.haste !== undefined || first === undefined) return
  // What was well goes on like that for an hour.
  const well = recorder
    .recorded()
    .map(({series, values}) => ({series, values: values.slice(first.from, first.to)}))
  const times = Math.ceil(3600 / STEP_S / (first.to - first.from))
  seen.set('an hour', alertsAt(repeat(well, times)))
}

/** Work that goes on: a few words in every tenth of a second. */
async function beginWork(world: World, names: readonly string[]): Promise<void> {
  const say = (reply: number) => ({
    kind: 'say' as const,
    fragments: Array.from({length: 20}, (_, index) => `Sentence ${index} of reply ${reply}. `),
    delayMs: 100,
  })
  const steps = Array.from({length: 60}, (_, reply) => say(reply))
  for (const name of names) {
    world.platform.control.planScript({when: {text: name}, steps: [{kind: 'turn', steps}]})
    await world.say(`@Bosun write ${name}`)
  }
  await world.until('they write', () => world.platform.threads().length >= names.length)
}

function hurry({bot}: World): void {
  process.kill(bot.pid() ?? 0, 'SIGUSR2')
}

const breakSlack = (): Promise<void> =>
  watchLife(HASTY, HASTY_STEP_MS, async ({world, live}) => {
    await beginWork(world, ['alpha', 'beta'])
    hurry(world)
    await live('before', 2)
    await world.slackProxy.setMode('stalled')
    await live('Slack does not answer', 4)
    await world.slackProxy.setMode('pass')
    await live('Slack answers again', 3)
    world.slack.faults.storm('*', {ms: 600_000, retryAfterSeconds: 1})
    await live('Slack answers 429', 5)
    world.slack.faults.calm()
    world.slack.faults.revokeToken()
    await live('Slack refuses the token', 4)
  })

const breakTheRest = (): Promise<void> =>
  watchLife(
    {...HASTY, settings: {PUBLIC_URL: 'https://bosun.example/'}},
    HASTY_STEP_MS,
    async ({world, live}) => {
      const at = createModals(world)
      const hooks = createHooks(world, at)
      const channel = await at.channel('hooked', [JANE, KIM])
      const hook = await hooks.make(channel, 'Deploys', await hooks.automation('Deploys'))
      await beginWork(world, ['gamma', 'delta'])
      hurry(world)
      await live('before', 2)
      await world.proxy.setMode('down')
      const bearer = {'content-type': 'application/json', authorization: `Bearer ${hook.secret}`}
      const post = () => hooks.post(hook.path, '{"deployed":"v1"}', bearer)
      // At its pace a bot that is kept busy declines what it has no time for.
      while ((await post()).status !== 202) await delay(HASTY_STEP_MS)
      await live('the platform is away', 8)
      await world.proxy.setMode('pass')
      await live('the platform is back', 3)
      const other = new Database(join(world.folder, 'bosun.db'))
      other.exec('begin immediate')
      await live('the database is locked', 3)
      other.exec('rollback')
      other.close()
      await world.bot.kill()
      await live('the process is gone', 3)
    },
  )

const breakTheLoop = (): Promise<void> =>
  watchLife({settings: {NODE_OPTIONS: `--import=${BLOCKING}`}}, 200, async ({world, live}) => {
    await beginWork(world, ['epsilon'])
    // What a start takes is over.
    await delay(1000)
    await live('all is well', 10)
    process.kill(world.bot.pid() ?? 0, 'SIGUSR2')
    await live('the event loop is held up', 8)
  })

beforeAll(async () => {
  await Promise.all([breakSlack(), breakTheRest(), breakTheLoop()])
})

test('the rules are ones that Prometheus takes', () => {
  expect(checkRules()).toContain('SUCCESS: 8 rules found')
})

test('no alert fires for an hour while nothing is broken', () => {
  const hour = seen.get('an hour') ?? []
  expect(hour.length).toBeGreaterThanOrEqual(3600 / STEP_S)
  expect(hour.filter((alerts) => alerts.length > 0)).toEqual([])
})

test('text that is seen at last is no alert any more', () => {
  expect(seen.get('Slack answers again')?.at(0)).toContain('BosunTextUnseen')
  expect(seen.get('Slack answers again')?.at(-1)).not.toContain('BosunTextUnseen')
})

describe('an alert fires when what it watches is broken:', () => {
  test.each([
    ['the process is gone', 'BosunDown'],
    ['Slack does not answer', 'BosunTextUnseen'],
    ['the platform is away', 'BosunQueueStuck'],
    ['Slack refuses the token', 'BosunSlackUnwell'],
    ['Slack answers 429', 'BosunSlackLimits'],
    ['the platform is away', 'BosunPlatformAway'],
    ['the database is locked', 'BosunDatabaseUnwell'],
    ['the event loop is held up', 'BosunEventLoopBlocked'],
  ])('%s: %s', (name, alert) => {
    const fired = seen.get(name) ?? []
    const at = fired.findIndex((alerts) => alerts.includes(alert))
    console.log(`| ${name} | \`${alert}\` | ${at === -1 ? 'never' : at * STEP_S} s |`)
    expect(at).not.toBe(-1)
    expect(at * STEP_S).toBeLessThan(LONGEST_S)
  })
})
