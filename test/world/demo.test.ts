import {once} from 'node:events'
import {createInterface} from 'node:readline'
import {afterEach, beforeEach, expect, test} from 'vitest'
import type {MessageView} from '../../local/slack/page-feed/contract.ts'
import {
  childrenOf,
  isAlive,
  openDataFolder,
  runDemo,
  spawnDemo,
  startDemo,
} from '../support/demo.ts'
import {freePorts, listenAt} from '../support/servers.ts'

const PLACE = {as: 'U0JANE', channel: 'C0WEB'}
/** What a run may take on a machine with other work to do. */

let folder: Awaited<ReturnType<typeof openDataFolder>>
const launched: ReturnType<typeof spawnDemo>[] = []

beforeEach(async () => {
  folder = await openDataFolder()
})
afterEach(async () => {
  for (const demo of launched.splice(0)) {
    if (demo.exitCode !== null) continue
    demo.kill('SIGINT')
    await once(demo, 'close')
  }
  await folder[Symbol.asyncDispose]()
})

function launch(port = 0, ...flags: string[]) {
  const demo = spawnDemo('--port', String(port), '--data', folder.path, ...flags)
  launched.push(demo)
  return demo
}

test('says in one line where to go, and Ctrl-C leaves nothing behind', async () => {
  const demo = launch()
  const lines: string[] = []
  const output = createInterface(demo.stdout).on('line', (line) => lines.push(line))
  await once(output, 'line')
  const parts = await childrenOf(demo.pid ?? 0)
  expect(parts).toHaveLength(3)
  const address = /http:\/\/127\.0\.0\.1:\d+/.exec(lines[0] ?? '')?.[0] ?? ''
  expect((await fetch(address)).status).toBe(200)

  const startMs = performance.now()
  demo.kill('SIGINT')
  const [code] = (await once(demo, 'close')) as [number | null]
  expect(performance.now() - startMs).toBeLessThan(10_000)
  expect(code).toBe(0)
  expect(parts.filter(isAlive)).toEqual([])
  expect(lines).toHaveLength(1)
})

test('Ctrl-C while it starts leaves nothing behind either', async () => {
  const demo = launch()
  await expect.poll(() => childrenOf(demo.pid ?? 0), {interval: 5}).not.toEqual([])
  const parts = await childrenOf(demo.pid ?? 0)
  const closed = once(demo, 'close') as Promise<[number | null]>
  demo.kill('SIGINT')
  expect(await closed).toEqual([0, null])
  expect(parts.filter(isAlive)).toEqual([])
})

test('goes on where it was: the same conversations, and work in progress to its end', async () => {
  const task = 'repair the rounding of prices'
  const data = folder.path
  // Slow, so that it is met at work, and quick when that was seen.
  await using first = await startDemo({data, pace: 4})
  const fragments = Array.from({length: 40}, (_, index) => `Price ${index} is rounded once. `)
  await first.plan({when: {text: task}, steps: [{kind: 'say', fragments, delayMs: 150}]})
  const asked = await first.post({...PLACE, text: `<@U0BOSUN> ${task}`})
  // The card and the beginning of the reply.
  await expect.poll(async () => repliesTo(asked, await first.messages(PLACE))).toHaveLength(2)
  const before = await first.messages(PLACE)
  expect((await first.work(task)).status).toBe('active')
  expect((await first.interrupt()).code).toBe(0)

  await using second = await startDemo({data, pace: 0.5})
  const [root, card] = before
  const after = (await second.messages(PLACE)).map(({ts}) => ts)
  expect(after.slice(0, 2)).toEqual([root?.ts, card?.ts])
  await expect.poll(async () => (await second.work(task)).status).toBe('idle')
  const {entries} = await second.work(task)
  const written = entries.filter(({source}) => source === 'assistant').map(({text}) => text)
  expect(written).toHaveLength(1)
  await expect
    .poll(async () => repliesTo(asked, await second.messages(PLACE)))
    .toEqual([expect.stringContaining('Done'), ...written])
})

test('the platform and the bot are behind the page, at every start', async () => {
  const port = await freePorts(3)
  const at = (number: number): string => `http://127.0.0.1:${number}`
  for (const flags of [['--json'], []]) {
    const demo = launch(port, ...flags)
    const ended = once(demo, 'close').then(([code]) => {
      throw new Error(`It ended with ${String(code)} and said nothing`)
    })
    const said = once(createInterface(demo.stdout), 'line') as Promise<[string]>
    const [line] = await Promise.race([said, ended])
    if (flags.length > 0) {
      const places = {
        page: at(port),
        platform: {baseUrl: `${at(port + 1)}/api/v1`},
        bot: at(port + 2),
      }
      expect(JSON.parse(line)).toMatchObject(places)
    }
    expect(line).toContain(at(port))
    expect(line).toContain(at(port + 2))
    expect((await fetch(`${at(port + 2)}/healthz`)).status).toBe(200)
    const closed = once(demo, 'close')
    demo.kill('SIGINT')
    await closed
  }
})

test('each busy port is one line that says what to do', async () => {
  const port = await freePorts(3)
  await using page = await listenAt(port)
  expect(await runDemo('--port', String(port), '--data', folder.path)).toEqual({
    ...{code: 1, output: ''},
    errors: `Port ${port} is in use. Stop what listens there, or choose another one with --port.\n`,
  })
  const closed = once(page, 'close')
  page.close()
  await closed
  await using others = new AsyncDisposableStack()
  for (const number of [port + 1, port + 2]) others.use(await listenAt(number))
  const {code, output, errors} = await runDemo('--port', String(port), '--data', folder.path)
  expect({code, output}).toEqual({code: 1, output: ''})
  const todo = 'Stop what listens there, or choose another port for the page with --port.'
  expect(errors.split('\n')).toEqual([
    `Port ${port + 1}, one above the page’s, is for the platform, and it is in use. ${todo}`,
    `Port ${port + 2}, two above the page’s, is for the bot, and it is in use. ${todo}`,
    '',
  ])
})

test('a port that leaves no room for the others is refused', async () => {
  const {code, errors} = await runDemo('--port', '65534', '--data', folder.path)
  expect({code, errors}).toEqual({
    code: 1,
    errors: '--port must be a number from 0 to 65533, but it is "65534".\n',
  })
})

test('says how it is used', async () => {
  const {code, output} = await runDemo('--help')
  expect(code).toBe(0)
  expect(output).toMatch(/^npm run demo -- \[options\]\n[^]+--instances 3/)
})

test.each([
  [
    'an unknown option',
    ['--portt', '1'],
    /^Unknown option '--portt'[^]+npm run demo -- \[options\]/,
  ],
  ['a database for one', ['--database', 'postgres://a/b'], /^--database is for several instances/],
  ['no database', ['--instances', '3', '--database', 'postgres://a'], /names no database/],
  ['another scheme', ['--instances', '3', '--database', 'postgress://a/b'], /begin with postgres:/],
])('%s is refused in words, and nothing is started', async (_name, wish, words) => {
  const {code, output, errors} = await runDemo(...wish, '--port', '0', '--data', folder.path)
  expect({code, output}).toEqual({code: 1, output: ''})
  expect(errors).toMatch(words)
  expect(errors).not.toContain('    at ')
})

/** What the bot says in the thread of this message, as it was written; what broke off is left out. */
function repliesTo(root: Pick<MessageView, 'ts'>, messages: readonly MessageView[]): string[] {
  return messages
    .filter(({threadTs, userId}) => threadTs === root.ts && userId === 'U0BOSUN')
    .filter(({text}) => !text.includes('Stopped before it was finished'))
    .map(({text, blocks}) => {
      const markdown = blocks?.find(({type}) => type === 'markdown')?.['text']
      return typeof markdown === 'string' ? markdown.replaceAll('&lt;', '<') : text
    })
}
