import {randomBytes} from 'node:crypto'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {readConfig} from '../../src/config/config.ts'
import {Secret} from '../../src/security/secret.ts'
import {ACTIONS, KEY_INPUT} from '../../src/slack/ids.ts'
import {openStore} from '../../src/store/store.ts'
import {runToEnd} from '../support/bot.ts'
import {
  type Canaries,
  type Find,
  argumentsOf,
  filesIn,
  findCanaries,
  tracesOf,
} from '../support/canaries.ts'
import {createHooks} from '../support/hooks.ts'
import {createModals} from '../support/modals.ts'
import {sessionTokenOf} from '../support/sessions.ts'
import {tool} from '../support/tool.ts'
import {JANE, type World, canariesIn} from '../support/world.ts'
import {openWorld} from './open-world.ts'

test.concurrent.each(['socket', 'http'] as const)(
  'secrets stay where they belong, whatever happens (%s)',
  async (delivery) => {
    const finished: (() => Promise<void>)[] = []
    const world = await openWorld(
      {onTestFinished: (act) => void finished.push(act as () => Promise<void>)},
      {
        apart: true,
        ...{delivery, pace: 0.02, slackProxy: true, proxy: true},
        settings: {LOG_LEVEL: delivery === 'http' ? 'trace' : 'debug'},
      },
    )
    try {
      await live(world)
    } finally {
      for (const act of finished) await act()
    }
  },
)

async function live(world: World): Promise<void> {
  const kept = await keepSecrets(world)
  const {platform, slack, bot} = world
  const seen: Find[] = []

  const work = await world.say('<@U0BOSUN> look into it')
  await world.settled(work)
  // With a key of their own.
  const own = await world.say('<@U0BOSUN> look into it', {channel: 'C0GENERAL'})
  await world.settled(own)
  expect(platform.ledger.some(({key}) => key === 'readWrite')).toBe(true)
  seen.push(...argumentsOf(bot.pid()), ...(await pagesOf(world)))

  seen.push(...(await knock(world)))

  // Every kind of trouble with either side.
  const {faults} = platform.control
  const answers = [400, 401, 403, 404, 409, 422, 429, 500, 503]
  for (const status of answers) {
    const body = {_tag: 'svc/Broken', message: 'no'}
    faults.add({
      match: {path: '/threads'},
      fault: {kind: 'answer', status, body, applied: false},
      times: 1,
    })
    await world.say(`<@U0BOSUN> try ${status}`)
  }
  for (const error of ['invalid_blocks', 'internal_error', 'not_in_channel', 'fatal_error']) {
    slack.faults.failNext('chat.postMessage', {times: 1, error, applied: false})
    await world.say(`<@U0BOSUN> meet ${error}`)
  }
  world.slackProxy.answerNext(
    /chat\.postMessage/,
    'HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:9/\r\ncontent-length: 0\r\n\r\n',
  )
  await slack.people.command({as: 'U0JANE', channel: 'C0WEB', command: '/bosun', text: 'status'})
  // One that is left would refuse what is to succeed.
  await world.until('every fault has hit', () => faults.list().every(({hits}) => hits > 0))
  await world.settled(await world.say('<@U0BOSUN> go on', {channel: 'D0KIM', as: 'U0KIM'}))

  await bot.kill()
  await world.startBot()
  seen.push(...(await useTools(world)))
  platform.revokeKey(platform.keys.readWrite)
  platform.revokeKey(platform.keys.human)
  await world.say('<@U0BOSUN> once more')
  await world.say('<@U0BOSUN> once more', {channel: 'C0GENERAL'})
  await world.until('the keys were refused', () =>
    platform.ledger.some(({status}) => status === 401),
  )
  await replaceKey(world)
  slack.faults.revokeToken()
  await world.say('<@U0BOSUN> and once more')
  await bot.stop()

  const start = async (wrong: Record<string, string>): Promise<void> => {
    const {stdout, stderr} = await runToEnd({...world.settings(), ...wrong})
    seen.push({where: `a start with ${Object.keys(wrong).join()}`, bytes: stdout + stderr})
  }
  const {settings, keys} = wrongSettings(world)
  await Promise.all(settings.map(start))
  // One after the other: the database lets one in at a time.
  for (const wrong of [{BOSUN_KEYS: keys}, {}]) await start(wrong)
  const canaries = {...canariesIn(world), ...kept}
  const output = {where: 'the output', bytes: bot.output()}
  expect(findCanaries(canaries, [output, ...tracesOf(world), ...seen])).toEqual([])
  // The search itself can find: the settings hold them all.
  const names = findCanaries(canaries, [{where: 'x', bytes: Object.values(canaries).join(' ')}])
  expect(new Set(names.map((line) => line.split(' stands')[0]))).toEqual(
    new Set(Object.keys(canaries)),
  )
}

/** A connection's key and an installation's tokens, sealed. */
async function keepSecrets(world: World): Promise<Canaries> {
  const {bot, folder, platform, slack} = world
  await bot.stop()
  const token = (prefix: string): string => `${prefix}${randomBytes(18).toString('hex')}`
  const tokens = {
    installedBot: token('xoxe.xoxb-1-'),
    refresh: token('xoxe-1-'),
    user: token('xoxp-1-'),
  }
  {
    const {sealingKeys} = readConfig(world.settings())
    await using store = await openStore({path: join(folder, 'bosun.db'), sealingKeys})
    const key = new Secret(platform.keys.readWrite)
    const team = slack.teamId
    const {id} = await store.connections.add({team, label: 'ours', key, madeBy: 'U0JANE'}, 1)
    const by = {user: 'U0JANE', nowMs: 1}
    const [projectId = ''] = platform.projectIds
    await store.bindings.change({team, channel: 'C0GENERAL'}, {connectionId: id, projectId}, by)
    const installation = JSON.stringify(tokens)
    await store.installs.keep({
      ...{id: 'T0ELSEWHERE', botUserId: 'U1', installedBy: 'U2', installation},
      installedAtMs: 1,
    })
  }
  await world.startBot()
  return {...tokens, connection: platform.keys.readWrite}
}

async function pagesOf(world: World): Promise<Find[]> {
  const port = /.*port (\d+)/s.exec(world.bot.output())?.[1] ?? ''
  const {SLACK_SIGNING_SECRET: isHttp} = world.settings()
  const paths = ['/healthz', '/', ...(isHttp === undefined ? [] : ['/slack/events', '/slack/x'])]
  return Promise.all(
    paths.map(async (path) => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`)
      const headers = JSON.stringify([...answer.headers])
      return {where: path, bytes: headers + (await answer.text())}
    }),
  )
}

/** A key, a hook and a session's code: right ones and wrong ones; what they were answered. */
async function knock(world: World): Promise<Find[]> {
  const at = createModals(world)
  const hooks = createHooks(world, at)
  const channel = await at.channel('canaries', [JANE])
  const key = {connection: 'new', [KEY_INPUT]: world.platform.keys.scoped, label: 'Typed'}
  await at.connect(channel, {key, settings: {project: 'project_web'}}, JANE)
  const {path, secret} = await hooks.make(channel, 'Canary', await hooks.automation('Canary'))
  expect(world.slack.whispers().filter((one) => one.text.includes(secret))).toHaveLength(1)
  const place = await world.say('@Bosun a quick check', {channel})
  await world.settled(place)
  const {id = ''} = world.threadIn(place) ?? {}
  const token = await sessionTokenOf(world, id)
  const wrong = Object.fromEntries(
    ['bearer', 'body', 'Slack signature'].map((name) => [name, randomBytes(24).toString('hex')]),
  )
  for (const [name, value] of Object.entries(wrong)) world.secrets[`a wrong ${name}`] = value

  const send = async (to: string, bearer: string, body: object): Promise<Find> => {
    const headers = {'content-type': 'application/json', authorization: `Bearer ${bearer}`}
    const answer = await hooks.post(to, JSON.stringify(body), headers)
    return {where: `${to} ${answer.status}`, bytes: JSON.stringify(answer.body)}
  }
  const said = {thread: id, text: 'Built'}
  const unsaid = {...said, text: wrong['body']}
  const answers = [
    await send(path, secret, {n: 1}),
    await send(path, `${secret}x`, unsaid),
    await send(path, wrong['bearer'] ?? '', unsaid),
    await send('/agent/posts', token, said),
    await send('/agent/posts', `${token}x`, unsaid),
    await send('/agent/posts', wrong['bearer'] ?? '', unsaid),
    await send('/agent/posts', token, {...unsaid, text: token}),
  ]
  expect(answers.map(({where}) => where.slice(-3)).join(' ')).toBe('202 401 401 200 401 401 400')
  await hooks.receipts(channel, 1)
  await fetch(`${hooks.origin()}/slack/events`, {
    method: 'POST',
    headers: {
      'x-slack-request-timestamp': String(Math.floor(Date.now() / 1000)),
      'x-slack-signature': `v0=${wrong['Slack signature'] ?? ''}`,
    },
    body: JSON.stringify(unsaid),
  })
  return answers
}

/** What operators run beside the bot, with what it says; its backup stands among the files. */
async function useTools(world: World): Promise<Find[]> {
  const {folder, slack} = world
  const team = ['--workspace', slack.teamId]
  const runs = [
    ['backup', [join(folder, 'backup.db')], 0],
    ['doctor', [], undefined],
    ['audit', team, 0],
    ['keys', ['check'], 0],
    ['forget', team, 0],
    // Not while the bot runs.
    ['forget', [...team, '--yes'], 1],
  ] as const
  const seen: Find[] = []
  for (const [name, args, wanted] of runs) {
    const {code, out, err} = await tool(name, args, world.settings())
    if (wanted !== undefined) expect({name, code, err}).toMatchObject({code: wanted})
    seen.push({where: `npm run ${name}`, bytes: out + err})
  }
  expect(filesIn(folder, (name) => name === 'backup.db')).toHaveLength(1)
  return seen
}

/** By the button under what says that it is refused. */
async function replaceKey(world: World): Promise<void> {
  const {admin = ''} = world.platform.keys as Record<string, string>
  const at = createModals(world)
  const told = await world.until('the channel is told', () =>
    world.slack
      .messages('C0GENERAL')
      .findLast(({blocks}) => JSON.stringify(blocks ?? []).includes(ACTIONS.replaceKey)),
  )
  const press = {as: JANE, channel: 'C0GENERAL', ts: told.ts, actionId: ACTIONS.replaceKey}
  await world.slack.people.press(press)
  await at.reads(JANE, 'is replaced wherever it is used')
  await at.submit(JANE, {[KEY_INPUT]: admin})
  await at.reads(JANE, '✅ The key is replaced')
  await world.slack.people.closeView({as: JANE})
}

/** Starts that fail, each with something to say about a secret. */
function wrongSettings(world: World): {settings: Record<string, string>[]; keys: string} {
  const {
    PLATFORM_API_KEY: key = '',
    SLACK_BOT_TOKEN: token = '',
    BOSUN_KEYS = '',
  } = world.settings()
  return {
    settings: [
      {
        PLATFORM_BASE_URL: `https://user:${key}@example.com/api/v1`,
        ...{SLACK_BOT_TOKEN: key, SLACK_APP_TOKEN: token, BOSUN_KEYS: `${BOSUN_KEYS}x`},
      },
      {PLATFORM_WEB_URL: `https://${key}:x@example.com/{threadId}`, SLACK_API_URL: key},
    ],
    keys: `other:${randomBytes(32).toString('base64')}`,
  }
}
