import {once} from 'node:events'
import {createServer} from 'node:net'
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

const PLACE = {as: 'U0JANE', channel: 'C0WEB'}
/** What a run may take on a machine with other work to do. */
const RUN_WITHIN_MS = 60_000

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

function launch() {
  const demo = spawnDemo('--port', '0', '--data', folder.path)
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
  await expect
    .poll(async () => repliesTo(asked, await first.messages(PLACE)), {timeout: RUN_WITHIN_MS})
    .toHaveLength(2)
  const before = await first.messages(PLACE)
  expect((await first.work(task)).status).toBe('active')
  expect((await first.interrupt()).code).toBe(0)

  await using second = await startDemo({data, pace: 0.5})
  const [root, card] = before
  const after = (await second.messages(PLACE)).map(({ts}) => ts)
  expect(after.slice(0, 2)).toEqual([root?.ts, card?.ts])
  await expect
    .poll(async () => (await second.work(task)).status, {timeout: RUN_WITHIN_MS})
    .toBe('idle')
  const {entries} = await second.work(task)
  const written = entries.filter(({source}) => source === 'assistant').map(({text}) => text)
  expect(written).toHaveLength(1)
  await expect
    .poll(async () => repliesTo(asked, await second.messages(PLACE)), {timeout: RUN_WITHIN_MS})
    .toEqual([expect.stringContaining('Done'), ...written])
}, 240_000)

test('a busy port is one line that says what to do', async () => {
  await using busy = createServer()
  busy.listen(0, '127.0.0.1')
  await once(busy, 'listening')
  const address = busy.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const {code, output, errors} = await runDemo('--port', String(port), '--data', folder.path)
  expect({code, output}).toEqual({code: 1, output: ''})
  expect(errors).toBe(
    `Port ${port} is in use. Stop what listens there, or choose another one with --port.\n`,
  )
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
