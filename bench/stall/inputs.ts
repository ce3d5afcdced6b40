import {once} from 'node:events'
import {request} from 'node:http'
import {connect} from 'node:net'
import {join} from 'node:path'
import {Secret} from '../../src/security/secret.ts'
import {openStore} from '../../src/store/store.ts'
import {JANE, type World} from '../../test/support/world.ts'

/** One kind of mischief. It resolves when the bot is through with it. */
export interface Input {
  name: string
  play(world: World): Promise<void>
  /** It stops the bot for a while: whatever Slack has then comes again. */
  isAway?: true
}

const WITHIN_MS = 240_000
const SAID = 'That is all of it.'

/** So long as a draft may get. */
const TEXT_CHARS = 60_000
/** Slack takes 40,000 characters. */
const MESSAGE_CHARS = 38_000

const repeated = (unit: string, chars: number): string =>
  unit.repeat(Math.ceil(chars / unit.length))

/** What an agent writes, by what it is made of. */
const TEXTS: Readonly<Record<string, string>> = {
  'blanks in a fence': `\`\`\`\n${' '.repeat(TEXT_CHARS)}x`,
  'long labels': repeated(`[${'a'.repeat(3300)}!](https://a.example/b)\n\n`, TEXT_CHARS),
  'open links': repeated('](https://a.example', TEXT_CHARS),
  'bare addresses': repeated(';www.', TEXT_CHARS),
  'rows and lists': repeated('\n1. |', TEXT_CHARS),
  'open brackets': repeated('[a](', TEXT_CHARS),
  'blanks in a heading': `# ${repeated(' #', TEXT_CHARS)}x`,
}

/** What somebody writes in Slack. */
const MESSAGES: Readonly<Record<string, string>> = {
  'mentions that do not end': repeated('<@U1', MESSAGE_CHARS),
  'tabs in a line': `x${'\t'.repeat(MESSAGE_CHARS)}x`,
  'options that do not end': `[${repeated('title="x ', MESSAGE_CHARS)}`,
  'a name that does not end': `!${'a'.repeat(MESSAGE_CHARS)}`,
}

export const INPUTS: readonly Input[] = [
  ...Object.entries(TEXTS).map(([name, text]) => ({
    name: `agent writes ${name}`,
    play: (world: World) => hear(world, [{kind: 'say', fragments: cut(text), delayMs: 40}]),
  })),
  ...Object.entries(MESSAGES).map(([name, text]) => ({
    name: `Slack brings ${name}`,
    play: (world: World) => ask(world, text),
  })),
  {
    name: '2,800 mentions in a message',
    play: (world) =>
      ask(world, Array.from({length: 2800}, (_, index) => `<@U${100_000 + index}>`).join(' ')),
  },
  {
    name: '80,000 call ids',
    play: (world) =>
      hear(
        world,
        flood(80_000, (index) => ['assistant', {callId: `c${index}`, text: 'x'}]),
      ),
  },
  {
    name: '200,000 status changes',
    play: (world) =>
      hear(
        world,
        flood(200_000, (index) => ['status', {status: index % 2 === 0 ? 'active' : 'idle'}]),
      ),
  },
  {
    name: '200,000 tool entries',
    play: (world) =>
      hear(
        world,
        flood(200_000, (index) => [
          'transcript',
          {id: `tool-${index}`, source: 'tool', text: 'ls', createdAt: new Date().toISOString()},
        ]),
      ),
  },
  {
    name: 'a reply of 25 MB',
    play: (world) => {
      const text = repeated('It is **checked**, and `it` is as it was before.\n\n', 25_000_000)
      return hear(world, [{kind: 'entry', entry: {source: 'assistant', text}}])
    },
  },
  {name: '800 unsigned bodies', play: knock},
  {name: '256 nested bodies for /agent/posts', play: nest},
  {name: '30,000 open rows', play: workOff, isAway: true},
]

type Steps = Parameters<World['platform']['control']['planScript']>[0] extends {steps: infer S}
  ? S
  : never
type TurnSteps = Extract<
  Steps extends readonly (infer One)[] ? One : never,
  {kind: 'turn'}
>['steps']

let told = 0

/** The agent says this, and then that it is all; that has to stand in Slack. */
async function hear(world: World, steps: TurnSteps): Promise<void> {
  told += 1
  const mark = `tell-${told}`
  const last = {kind: 'turn' as const, steps: [{kind: 'say' as const, fragments: [SAID]}]}
  world.platform.control.planScript({
    when: {text: mark},
    steps: [{kind: 'turn', steps}, last, {kind: 'rest', state: 'idle'}],
  })
  const place = await world.say(`@Bosun ${mark}`)
  await world.until(
    `${mark} is told`,
    () => JSON.stringify(world.ours(place)).includes(SAID),
    WITHIN_MS,
  )
}

/** Somebody asks for this; it is handled once the place shows something of ours. */
async function ask(world: World, text: string): Promise<void> {
  const place = await world.say(`@Bosun ${text}`)
  await world.until('it is answered', () => world.ours(place).length > 0, WITHIN_MS)
}

/** Its end comes letter by letter: while it does, the text is shown as it is by then. */
function cut(text: string): string[] {
  return [...(text.match(/[^]{1,500}/g) ?? []), ...Array.from({length: 50}, () => 'y')]
}

const FRAMES_AT_ONCE = 500

/** So many frames, in pieces that the stand-in's buffers hold. */
function flood(
  count: number,
  frameOf: (index: number) => readonly [event: string, data: object],
): TurnSteps {
  const pieces = Array.from({length: count / FRAMES_AT_ONCE}, (_, piece) => {
    const frames = Array.from({length: FRAMES_AT_ONCE}, (__, at) => {
      const [event, data] = frameOf(piece * FRAMES_AT_ONCE + at)
      return {event, data: JSON.stringify(data)}
    })
    const [first, ...others] = frames
    const behind = others.map(({event, data}) => `\n\nevent: ${event}\ndata: ${data}`)
    return {event: first?.event ?? '', data: (first?.data ?? '') + behind.join('')}
  })
  return pieces.flatMap((piece) => [
    {kind: 'frame' as const, ...piece},
    {kind: 'think' as const, delayMs: 40},
  ])
}

const KNOCKS = 800
const BODY_BYTES = 900_000

/** As many requests as a bad neighbour sends: all of a body but its end, no signature, and then the end. */
async function knock(world: World): Promise<void> {
  const port = Number(/port (\d+)/.exec(world.bot.output())?.[1])
  const body = Buffer.alloc(BODY_BYTES, 'x')
  const open = Array.from({length: KNOCKS}, async () => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined) // refused is well
    socket.resume()
    socket.write(
      'POST /slack/events HTTP/1.1\r\nhost: bot\r\ncontent-type: application/json\r\n' +
        `content-length: ${BODY_BYTES + 1}\r\n\r\n`,
    )
    socket.write(body)
    return socket
  })
  const sockets = await Promise.all(open)
  await pass(8000)
  for (const socket of sockets) socket.end('x')
  await pass(4000)
  for (const socket of sockets) socket.destroy()
}

/** Whoever reaches the port may send bodies that take long to parse, with a token that is made up. */
async function nest(world: World): Promise<void> {
  const port = Number(/port (\d+)/.exec(world.bot.output())?.[1])
  const half = 500_000
  const body = `{"thread":${'['.repeat(half)}${']'.repeat(half)}}`
  const headers = {authorization: 'Bearer made-up', 'content-type': 'application/json'}
  const sender = async (): Promise<void> => {
    for (let time = 0; time < 8; time += 1) {
      const at = {port, host: '127.0.0.1', path: '/agent/posts', method: 'POST'}
      // A connection of its own: one that is refused is closed, and must not be anybody else's.
      const sent = request({...at, agent: false, headers})
      sent.on('response', (response) => response.resume())
      sent.on('error', () => undefined) // refused is well
      sent.end(body)
      await once(sent, 'close')
    }
  }
  await Promise.all(Array.from({length: 32}, sender))
}

const pass = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const ROWS = 30_000

/** What people did while the bot was away: words in Slack threads that are none of ours. */
async function workOff(world: World): Promise<void> {
  await world.bot.stop()
  const {teamId} = world.slack
  const channel = 'C0WEB'
  {
    const [id = '', key = ''] = (world.settings()['BOSUN_KEYS'] ?? '').split(':')
    const sealingKeys = [{id, key: new Secret(key)}]
    await using store = await openStore({path: join(world.folder, 'bosun.db'), sealingKeys})
    const rows = Array.from({length: ROWS}, (_, index) => {
      const ts = `1600000000.${String(index).padStart(6, '0')}`
      const threadTs = `15000000${String(index % 100).padStart(2, '0')}.000000`
      const said = {type: 'message', user: JANE, channel, ts, thread_ts: threadTs, text: 'hm'}
      return {
        team: teamId,
        key: JSON.stringify(['message', teamId, channel, ts]),
        lane: JSON.stringify([teamId, channel, index % 2 === 0 ? ts : threadTs]),
        body: JSON.stringify({type: 'event_callback', team_id: teamId, event: said}),
      }
    })
    await Promise.all(rows.map((row) => store.inbox.add(row, Date.now())))
  }
  await world.startBot()
  // Each row is a look at the whole of them where there is no index.
  await ask(world, 'a quick check')
  await pass(10_000)
}
