// Files in both directions, through the real bot: what arrives, what it costs in memory, a thousand at once, and kills.
import {createHash, randomBytes} from 'node:crypto'
import {readFileSync, writeFileSync} from 'node:fs'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {setTimeout as delay} from 'node:timers/promises'
import {parseArgs} from 'node:util'
import {sessionTokenOf} from '../test/support/sessions.ts'
import {JANE, type Place, type World, startWorld} from '../test/support/world.ts'
import {type Line, atMost, endWith, exactly, never} from './lines.ts'

const {values} = parseArgs({
  options: {
    megabytes: {type: 'string', default: '50'},
    fetches: {type: 'string', default: '1000'},
    kills: {type: 'string', default: '10'},
  },
})
const SIZE = Number(values.megabytes) * 1_000_000
const FETCHES = Number(values.fetches)
const KILLS = Number(values.kills)
const MAX_GROWTH_MB = 20
const SIZE_WORDS = `${values.megabytes} MB`

const lines: Line[] = []

const sha = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const bytesOf = (size: number): Uint8Array<ArrayBuffer> => new Uint8Array(randomBytes(size))

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const {port} = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** In MB: what the bot's memory grew by at its peak, while this was done. */
async function growthOf(world: World, act: () => Promise<void>): Promise<number> {
  const pid = world.bot.pid() ?? 0
  const read = (name: string): number =>
    Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
  const before = read('VmRSS')
  await act()
  return (read('VmHWM') - before) / 1024
}

const port = await freePort()
const origin = `http://127.0.0.1:${port}`
await using world = await startWorld({
  pace: 0.1,
  settings: {
    ...{PORT: String(port), PUBLIC_URL: origin, PLATFORM_SESSION_TOKEN_FILE: '/etc/agent/token'},
    BOSUN_MAX_FILE_MB: String(Math.max(50, Number(values.megabytes))),
  },
})

interface Work {
  place: Place
  thread: string
  token: string
  /** Of the files that were shared with it. */
  addresses: string[]
}

async function begin(...contents: Uint8Array<ArrayBuffer>[]): Promise<Work> {
  const files = contents.map((content, index) => ({name: `file-${index}.bin`, content}))
  const text = '@Bosun a quick look at this'
  const {ts} = await world.slack.people.post({as: JANE, channel: 'C0WEB', text, files})
  const place = {channel: 'C0WEB', ts}
  await world.settled(place)
  const thread = world.threadIn(place)?.id ?? ''
  const [message = ''] = world.transcriptIn(place).map((entry) => entry.text)
  const addresses = [...message.matchAll(/http:\/\/\S+\/files\/\w+/g)].map(([one]) => one)
  return {place, thread, token: await sessionTokenOf(world, thread), addresses}
}

/** As `curl --retry` does. */
async function fetchFile(address: string, token: string, retries = 200): Promise<Uint8Array> {
  for (let attempt = 0; ; attempt += 1) {
    const answer = await fetch(address, {headers: {authorization: `Bearer ${token}`}})
    if (answer.status === 200) return answer.bytes()
    await answer.body?.cancel()
    if (answer.status !== 503 || attempt >= retries) throw new Error(`Answered ${answer.status}`)
    await delay(1000 * Number(answer.headers.get('retry-after')) * (0.5 + Math.random()))
  }
}

async function postFile({thread, token}: Work, content: Uint8Array<ArrayBuffer>, key: string) {
  const form = new FormData()
  form.append('post', JSON.stringify({thread, files: [{name: 'out.bin', size: content.length}]}))
  form.append('file', new Blob([content]), 'out.bin')
  const headers = {authorization: `Bearer ${token}`, 'idempotency-key': key}
  const answer = await fetch(`${origin}/agent/posts`, {method: 'POST', headers, body: form})
  return {status: answer.status, text: await answer.text()}
}

const shownIn = (place: Place): string[] => world.ours(place).flatMap(({fileIds = []}) => fileIds)

async function large(): Promise<void> {
  const content = bytesOf(SIZE)
  const work = await begin(content)
  const warm = await begin(bytesOf(2_000_000))
  // What is loaded and compiled at the first use is no growth.
  for (let count = 0; count < 5; count += 1) await fetchFile(warm.addresses[0] ?? '', warm.token)
  for (let count = 0; count < 5; count += 1) await postFile(warm, bytesOf(2_000_000), `w${count}`)
  let arrived = ''
  const inGrowth = await growthOf(world, async () => {
    arrived = sha(await fetchFile(work.addresses[0] ?? '', work.token))
  })
  lines.push(
    exactly(
      `${SIZE_WORDS} from Slack to the machine, the same`,
      arrived === sha(content) ? 1 : 0,
      1,
    ),
    atMost('the bot’s memory meanwhile', inGrowth, MAX_GROWTH_MB, 'MB'),
  )
  const before = shownIn(work.place).length
  let answered = {status: 0, text: ''}
  const outGrowth = await growthOf(world, async () => {
    answered = await postFile(work, content, 'large')
  })
  const shown = shownIn(work.place).slice(before)
  const isThere =
    answered.status === 200 &&
    shown.length === 1 &&
    sha(world.slack.fileBytes(shown[0] ?? '') ?? new Uint8Array()) === sha(content)
  if (!isThere) console.log(`answered ${answered.status} ${answered.text}`)
  lines.push(
    exactly(`${SIZE_WORDS} from the machine to Slack, the same`, isThere ? 1 : 0, 1),
    atMost('the bot’s memory in that time', outGrowth, MAX_GROWTH_MB, 'MB'),
  )
}

async function atOnce(): Promise<void> {
  const content = bytesOf(100_000)
  const work = await begin(content)
  const whole = sha(content)
  const startMs = performance.now()
  let right = 0
  const growth = await growthOf(world, async () => {
    await Promise.all(
      Array.from({length: FETCHES}, async () => {
        if (sha(await fetchFile(work.addresses[0] ?? '', work.token)) === whole) right += 1
      }),
    )
  })
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1)
  console.log(`${FETCHES} fetches at once took ${seconds} s`)
  lines.push(
    exactly('fetches at once that were whole', right, FETCHES),
    atMost('the bot’s memory under them', growth, 4 * MAX_GROWTH_MB, 'MB'),
  )
}

async function killed(): Promise<void> {
  let brokenOff = 0
  let wrong = 0
  for (let round = 0; round < KILLS; round += 1) {
    const content = bytesOf(20_000_000)
    const work = await begin(content)
    const address = work.addresses[0] ?? ''
    const posted = postFile(work, content, `kill-${round}`).catch(() => undefined)
    const answer = await fetch(address, {headers: {authorization: `Bearer ${work.token}`}})
    const reading = answer.bytes().then(
      (bytes) => (sha(bytes) === sha(content) ? 'whole' : 'short'),
      () => 'broken off',
    )
    await delay(2 + 12 * (round % 5))
    await world.bot.kill()
    const [end] = await Promise.all([reading, posted])
    if (end === 'broken off') brokenOff += 1
    if (end === 'short') wrong += 1
    await world.startBot()
    if (sha(await fetchFile(address, work.token)) !== sha(content)) wrong += 1
    const again = await postFile(work, content, `kill-${round}`)
    if (again.status !== 200 || shownIn(work.place).length !== 1) wrong += 1
  }
  console.log(`${KILLS} kills in the middle of both: ${brokenOff} broken off`)
  lines.push(exactly('kills', world.bot.kills(), KILLS), never('wrong behind a kill', wrong))
}

await large()
await atOnce()
await killed()
endWith(lines)
