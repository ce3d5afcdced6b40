import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {ACTIONS} from '../../src/slack/ids.ts'
import {type BotProcess, createBot} from '../support/bot.ts'
import {deliver, github, shaOf} from '../support/github.ts'
import {createHooks} from '../support/hooks.ts'
import {createModals} from '../support/modals.ts'
import {onServer} from '../support/postgres-server.ts'
import {barePostgres, takeTurn} from '../support/postgres.ts'
import {createRules} from '../support/rules.ts'
import {JANE, KIM, type Place, type World, startWorld} from '../support/world.ts'

const WEB = 'C0WEB'

/** Slack reaches either of them, and one works for the workspace: it is killed in the midst of something, and the other goes on. */
describe('of two instances the one that takes over', () => {
  const opened = new AsyncDisposableStack()
  let database: string
  let world: World
  let other: BotProcess

  beforeAll(async () => {
    await takeTurn((end) => opened.defer(end))
    database = await barePostgres((end) => opened.defer(end))
    const settings = {DATABASE_URL: database, BOSUN_HOOKS_PER_MINUTE: '6000'}
    world = opened.use(await startWorld({pace: 0.05, proxy: true, slackProxy: true, settings}))
    other = opened.use(createBot(() => world.settings()))
    await other.start()
  })
  afterAll(() => opened.disposeAsync())

  const ownerPid = async (): Promise<number> => {
    const [row] = await onServer(
      `select instance.pid from claims join bosun_jobs.instance on instance.name = claims.owner
        where claims.name = 'T0LOCAL'`,
      database,
    )
    return Number(row?.['pid'] ?? 0)
  }
  /** Kills whoever works for the workspace at that moment of such a call; both run, and the other works for it, when this returns. */
  const killedAt = async (
    strike: (act: () => void) => void,
    act: () => Promise<unknown>,
  ): Promise<void> => {
    const pid = await ownerPid()
    const owner = [world.bot, other].find((bot) => bot.pid() === pid)
    if (owner === undefined) throw new Error('Nobody works for the workspace')
    strike(() => void owner.kill())
    const end = owner.ended()
    await act()
    await end
    await world.until('the other works for it', async () => ![0, pid].includes(await ownerPid()))
    await (owner === world.bot ? world.startBot() : owner.start())
  }

  test('tells a digest once', async () => {
    await world.settled(await world.say('@Bosun a quick check of the cart'))
    const today = `insert into digests (team, target, every, minute, zone, since_ms, day_micros, changed_at_ms)
      values ('T0LOCAL', '${WEB}', 'day', 0, 'UTC', 1, 0, 1)`
    await killedAt(
      (kill) => world.slackProxy.strikeAt(/chat\.postMessage/, 'at', kill),
      async () => {
        await onServer(today, database)
        await wake()
      },
    )
    const digests = () =>
      world.slack.messages(WEB).filter(({text}) => text.startsWith('📋 *In this channel since'))
    await world.until('it is told', () => digests().length > 0)
    await world.until('it is over', async () => {
      const rows = await onServer(
        "select state from announcements where status = 'digest'",
        database,
      )
      return rows.every(({state}) => state === 'over')
    })
    await wake()
    expect(digests()).toHaveLength(1)
  })

  test('begins what a rule has decided, once, and holds its limits', async () => {
    const modals = createModals(world)
    const rules = createRules(world, modals)
    const channel = await modals.channel('alerts', [JANE, KIM])
    await rules.make(channel, {name: 'Alerts', perHour: '1', task: 'a quick look'})
    let alert: Place = {channel, ts: ''}
    world.slack.faults.deliveries = 2
    await killedAt(
      (kill) => world.proxy.strikeAt(/^POST \S+\/threads$/, 'at', kill),
      async () => {
        alert = await rules.alert(channel, 'It broke')
      },
    )
    world.slack.faults.deliveries = 1
    await world.settled(alert)
    const cards = world
      .ours(alert)
      .filter(({blocks}) => JSON.stringify(blocks).includes('started by the rule Alerts'))
    expect(cards).toHaveLength(1)
    const requestId = `slack:T0LOCAL:${channel}:${alert.ts}`
    expect(world.platform.threads().filter((one) => one.requestId === requestId)).toHaveLength(1)
    await rules.alert(channel, 'It broke')
    const capped = await rules.alert(channel, 'Something else broke')
    await world.until('the limit is told', () =>
      world.ours(capped)[0]?.text.includes('as much as it may in an hour'),
    )
    const audit = await onServer("select act from audit where act = 'rule start'", database)
    expect(audit).toHaveLength(1)
  })

  test('shows on the card of a pull request what was said, and tells its agent once', async () => {
    const modals = createModals(world)
    const hooks = createHooks(world, modals)
    const channel = await modals.channel('fixes', [JANE, KIM])
    const settings = {project: world.platform.projectIds[0] ?? '', fixPullRequests: 'yes'}
    await modals.connect(channel, {key: {}, settings}, JANE)
    const hook = await hooks.makeGithub(channel, 'acme')
    const sends = (event: Parameters<typeof deliver>[2]) =>
      deliver(hooks.origin() + hook.path, hook.secret, event)
    const named = 'I opened https://github.com/acme/web/pull/4711.'
    const say = (text: string) => ({kind: 'say', fragments: [text], delayMs: 0}) as const
    world.platform.control.planScript({when: {text: 'work on a card'}, steps: [say(named)]})
    world.platform.control.planScript({when: {text: '/pull/4711: '}, steps: [say('Pushed.')]})
    const place = await world.say('@Bosun quick work on a card', {channel})
    const cards = () =>
      world.ours(place).filter(({text}) => text.startsWith('🔀') && text.includes('#4711'))
    const card = () => cards()[0]
    await world.until('its card stands', card)
    await world.settled(place)
    const head = shaOf('4711')
    const of = {number: 4711, head, atMs: Date.parse('2026-01-05T10:00:00Z')}
    await sends(github.pullRequest(of))
    await world.until('it is open', () => card()?.text.includes(' · Open'))
    const failed = github.checkRun({
      ...{sha: head, name: 'unit', id: 1, conclusion: 'failure', atMs: of.atMs},
    })
    await killedAt(
      (kill) => world.proxy.strikeAt(/^POST \S+\/message$/, 'at', kill),
      () => sends(failed),
    )
    const told = () =>
      world
        .transcriptIn(place)
        .filter(({source, text}) => source === 'user' && text.includes('/pull/4711: '))
    await world.until('its agent was told', () => told().length > 0)
    await world.until('its card says it', () =>
      card()?.text.includes(' · ❌ unit failed · 🛠️ The agent was told'),
    )
    await sends(failed)
    await world.settled(place)
    expect(told()).toHaveLength(1)
    expect(cards()).toHaveLength(1)
    const audit = await onServer("select act from audit where act = 'fix checks'", database)
    expect(audit).toHaveLength(1)
  })

  /** Somebody chooses something about digests: whatever is due is looked for. */
  const wake = async (): Promise<void> => {
    const {people} = world.slack
    await people.openHome({as: KIM})
    const actionId = ACTIONS.homeMorning
    await world.until('App Home', () =>
      JSON.stringify(world.slack.views(KIM).home ?? '').includes(actionId),
    )
    await people.useView({as: KIM, actionId, blockId: actionId, value: 'no'})
  }
})
