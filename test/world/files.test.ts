import {execFile} from 'node:child_process'
import {createHash, randomBytes} from 'node:crypto'
import {chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {createServer} from 'node:http'
import {type AddressInfo, connect} from 'node:net'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {setTimeout as delay} from 'node:timers/promises'
import {promisify} from 'node:util'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {sessionTokenOf} from '../support/sessions.ts'
import {JANE, type Place, type World} from '../support/world.ts'
import {startInside} from './open-world.ts'

const folder = mkdtempSync(join(tmpdir(), 'bosun-machine-'))
const tokenFile = join(folder, 'session-token')
const run = promisify(execFile)

let world: World
let origin: string

beforeAll(async () => {
  const port = await freePort()
  origin = `http://127.0.0.1:${port}`
  world = await startInside({
    pace: 0.1,
    settings: {PORT: String(port), PUBLIC_URL: origin, PLATFORM_SESSION_TOKEN_FILE: tokenFile},
  })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  rmSync(folder, {recursive: true})
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const {port} = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

interface Shared {
  name: string
  content: Uint8Array<ArrayBuffer> | string
}

const shot = (): Shared => ({name: 'Bild schirm.png', content: new Uint8Array(randomBytes(70_000))})

async function work(files: Shared[], text = '@Bosun a quick look at this') {
  const {ts} = await world.slack.people.post({as: JANE, channel: 'C0WEB', text, files})
  const place: Place = {channel: 'C0WEB', ts}
  await world.settled(place)
  const thread = world.threadIn(place)?.id ?? ''
  const [message = ''] = world.transcriptIn(place).map((entry) => entry.text)
  return {place, thread, message, token: await sessionTokenOf(world, thread)}
}

const addressesIn = (message: string): string[] =>
  [...message.matchAll(/http:\/\/\S+\/files\/\w+/g)].map(([address]) => address)

const fetchWith = (address: string, token: string | undefined, method = 'GET') =>
  fetch(address, {method, headers: token === undefined ? {} : {authorization: `Bearer ${token}`}})

/** Says this and nothing more, and reads no more of the answer than how it begins; 0: none came yet. */
async function stall(pieces: readonly string[], withinMs = Infinity) {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1').on('error', () => undefined)
  for (const piece of pieces) socket.write(piece)
  const begun = new Promise<number>((resolve) =>
    socket.once('data', (data) => {
      socket.pause()
      resolve(Number(String(data).slice(9, 12)))
    }),
  )
  const silence = withinMs === Infinity ? [] : [delay(withinMs, 0)]
  return {status: await Promise.race([begun, ...silence]), leave: () => socket.destroy()}
}

const sha = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')

describe('files that people share', () => {
  test('are named with a line that fetches them, and arrive byte for byte', async () => {
    const file = shot()
    const {place, message, token} = await work([file, {name: 'log.txt', content: 'one\n'}])
    expect(message).toContain('File log.txt:\n```\none\n```')
    expect(message).toContain('Bild schirm.png (image/png, 70 kB):')
    const [address = ''] = addressesIn(message)
    const line = message.split('\n').find((one) => one.includes(address)) ?? ''
    expect(line).toBe(
      `{ printf 'authorization: Bearer '; cat ${tokenFile}; } | curl -fsS --retry 8 -H @- -o Bild_schirm.png '${address}'`,
    )
    await world.until('the card names them', () =>
      JSON.stringify(world.ours(place)).includes('Passed: log.txt, Bild schirm.png'),
    )
    // As the agent's shell runs it; what stands for curl here notes what every process could read.
    writeFileSync(tokenFile, `${token}\n`)
    const curl = join(folder, 'curl')
    writeFileSync(curl, `#!/bin/sh\ncat > '${folder}/header'\necho "$@" > '${folder}/arguments'\n`)
    chmodSync(curl, 0o755)
    await run('sh', ['-c', line], {env: {PATH: `${folder}:${process.env['PATH'] ?? ''}`}})
    const [header, given] = ['header', 'arguments'].map((name) => readFileSync(join(folder, name)))
    expect(String(header).trim()).toBe(`authorization: Bearer ${token}`)
    expect(String(given)).not.toContain(token)
    const answer = await fetchWith(address, String(header).trim().split(' ').at(-1))
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': '70000',
      'content-disposition': "attachment; filename*=UTF-8''Bild%20schirm.png",
      'x-content-type-options': 'nosniff',
    })
    expect(sha(await answer.bytes())).toBe(sha(file.content))
    expect(world.bot.output()).not.toContain(token)
  })

  test('are fetched by the work’s own sessions and its tasks’, and by nobody else', async () => {
    const file = shot()
    const {message, thread} = await work([file], '@Bosun two tasks side by side')
    const other = await work([], '@Bosun a quick check of something else')
    const [address = ''] = addressesIn(message)
    const tasks = `${world.platform.baseUrl}/threads/${thread}/tasks`
    const headers = {authorization: `Bearer ${world.platform.keys.human}`}
    const {items} = (await (await fetch(tasks, {headers})).json()) as {items: {id: string}[]}
    const taskToken = world.platform.control.taskToken(items[0]?.id ?? '')
    world.secrets['a task’s token'] = taskToken ?? ''
    const answer = await fetchWith(address, taskToken)
    expect([answer.status, sha(await answer.bytes())]).toEqual([200, sha(file.content)])

    const denied = [undefined, 'nonsense', other.token, world.platform.keys.human]
    for (const token of denied) {
      const refused = await fetchWith(address, token)
      expect(await refused.json()).toMatchObject({error: 'unauthorized'})
      const elsewhere = await fetchWith(`${origin}/files/0123456789abcdef01`, token)
      expect([elsewhere.status, refused.status]).toEqual([401, 401])
    }
    expect((await fetchWith(address, other.token, 'POST')).status).toBe(405)
  })

  test('keep their ways open to other work, whoever asks for the head alone, or reads none of it', async () => {
    const large = {name: 'core.bin', content: new Uint8Array(randomBytes(20_000_000))}
    const [greedy, other] = [await work([large]), await work([shot()])]
    const [address = ''] = addressesIn(greedy.message)
    const [others = ''] = addressesIn(other.message)
    for (let time = 0; time < 30; time += 1) {
      expect((await fetchWith(address, greedy.token, 'HEAD')).status).toBe(405)
    }
    const head = `GET ${new URL(address).pathname} HTTP/1.1\r\nhost: bosun\r\nauthorization: Bearer ${greedy.token}\r\n\r\n`
    const statuses = await Promise.all(Array.from({length: 30}, () => stall([head])))
    expect(new Set(statuses.map(({status}) => status))).toEqual(new Set([200, 503]))
    expect((await fetchWith(address, greedy.token)).status).toBe(503)
    const answer = await fetchWith(others, other.token)
    expect([answer.status, (await answer.bytes()).length]).toEqual([200, 70_000])
    for (const {leave} of statuses) leave()
    await world.until('there is room again', async () => {
      const again = await fetchWith(address, greedy.token)
      await again.body?.cancel()
      return again.status === 200
    })
  })

  test('carry what is said in a clip', async () => {
    const clip = {name: 'memo.m4a', content: new Uint8Array(900), transcript: 'Fix the\n> login.'}
    const {message} = await work([clip])
    expect(message).toContain('What is said in memo.m4a')
    expect(message).toContain('\n> Fix the\n> > login.\n')
    expect(message).toContain('memo.m4a (audio/mp4, 900 bytes):')
  })

  test('go when the work is archived, and when Slack has them no more', async () => {
    const file = shot()
    const {place, message, token} = await work([file])
    const [address = ''] = addressesIn(message)
    const id = world.slack.messages(place.channel).find(({ts}) => ts === place.ts)?.fileIds?.[0]
    await world.slack.people.removeFile({as: JANE, file: id ?? ''})
    const gone = await fetchWith(address, token)
    expect([gone.status, await gone.json()]).toMatchObject([410, {error: 'gone'}])
    await world.press(place, 'bosun:archive')
    await world.until('it is archived', () => world.threadIn(place)?.status === 'archived')
    expect((await fetchWith(address, token)).status).toBe(401)
  })

  test('come along with a follow-up too, and one that is too large is asked about', async () => {
    const {place, thread, token} = await work([])
    const large = {name: 'clip.mov', content: new Uint8Array(50_000_001)}
    const post = {as: JANE, channel: place.channel, threadTs: place.ts}
    await world.slack.people.post({...post, text: 'and this', files: [large, shot()]})
    const question = await world.until('it is asked about', () =>
      world.slack
        .ephemerals(place.channel, JANE)
        .find(({text}) => text.includes('clip.mov is over 50 MB.')),
    )
    expect(question.text).toBe('clip.mov is over 50 MB. Bild schirm.png can go along.')
    const actionId = 'bosun:send-without'
    const press = () => world.slack.people.press({...post, ts: question.ts, actionId})
    // What a busy machine does not take in time Slack tells whoever pressed: they do so again.
    if ((await press()) !== 'acked') await press()
    const said = await world.until('it was sent', () =>
      world.platform
        .transcript(thread)
        .map(({text}) => text)
        .find((text) => text.includes('and this')),
    )
    const [address = ''] = addressesIn(said)
    expect((await fetchWith(address, token)).status).toBe(200)
  })
})

interface Posted {
  token: string
  key?: string
  text?: string
  /** As they are declared, where that is not how they are. */
  declared?: {name: string; size: number}[]
}

async function postFiles(thread: string, files: Shared[], {token, key, text, declared}: Posted) {
  const sizes = files.map(({name, content}) => ({name, size: Buffer.from(content).length}))
  const form = new FormData()
  const post = {thread, ...(text !== undefined && {text}), files: declared ?? sizes}
  form.append('post', JSON.stringify(post))
  for (const {name, content} of files) form.append('file', new Blob([content]), name)
  const headers = {
    authorization: `Bearer ${token}`,
    ...(key !== undefined && {'idempotency-key': key}),
  }
  const send = () => fetch(`${origin}/agent/posts`, {method: 'POST', headers, body: form})
  // A refusal may break off what is still being sent, and then not every sender comes to read it.
  const answer = await send().catch(send)
  const said = (await answer.json()) as {state?: string; error?: string; message?: string}
  return {status: answer.status, ...said}
}

const filesIn = (place: Place) =>
  world.ours(place).flatMap(({fileIds = []}) => (fileIds.length === 0 ? [] : [fileIds]))

const uploadsOf = (name: string) =>
  world.slack.ledger.calls.filter(
    ({method, args}) => method === 'files.getUploadURLExternal' && args['filename'] === name,
  )

describe('files that code on an agent’s machine posts', () => {
  test('stand in one message, byte for byte, when they are answered', async () => {
    const {place, thread, token} = await work([])
    const [one, two] = [shot(), {...shot(), name: '../../two.png'}]
    const asked = {token, key: 'shots', text: 'Before and after'}
    expect(await postFiles(thread, [one, two], asked)).toMatchObject({status: 200, state: 'posted'})
    const [shown = [], ...others] = filesIn(place)
    expect([shown.length, others]).toEqual([2, []])
    expect(shown.map((id) => sha(world.slack.fileBytes(id) ?? new Uint8Array()))).toEqual(
      [one, two].map(({content}) => sha(content)),
    )
    expect(world.ours(place).some(({text}) => text.includes('Before and after'))).toBe(true)
    expect(uploadsOf('two.png')).toHaveLength(1)
    // Once for its key; another file is another post.
    expect(await postFiles(thread, [one, two], asked)).toMatchObject({status: 200})
    expect(uploadsOf('two.png')).toHaveLength(1)
    expect(filesIn(place)).toHaveLength(1)
    const other = await postFiles(thread, [two, one], asked)
    expect(other).toMatchObject({status: 422, error: 'idempotency_key_reused'})
  })

  test('are refused where they are not what they say, and nobody sees them', async () => {
    const {place, thread, token} = await work([])
    const file = shot()
    const size = 70_000
    const wrong: [Shared[], Posted['declared'], string][] = [
      [[file], [{name: 'a.png', size: size - 1}], 'It is longer than 69999 bytes.'],
      [[file], [{name: 'a.png', size: size + 1}], 'It is 1 bytes shorter than 70001.'],
      [[file], [{name: 'a.png', size: 50_000_001}], 'a.png is over 50 MB.'],
      [[file], [], 'files: '],
      [
        [file],
        [
          {name: 'a', size},
          {name: 'b', size},
        ],
        'b is declared, and not there.',
      ],
      [[file, file], [{name: 'a.png', size}], 'There are more files than declared.'],
    ]
    for (const [files, declared = [], message] of wrong) {
      const said = await postFiles(thread, files, {token, declared})
      expect([said.status, said.error]).toEqual([400, 'invalid_form'])
      expect(said.message).toContain(message)
    }
    const bytes = Buffer.concat([randomBytes(66_000), Buffer.from(token), randomBytes(9)])
    const hidden = {name: 'core.bin', content: new Uint8Array(bytes)}
    expect(await postFiles(thread, [hidden], {token})).toMatchObject({
      status: 400,
      message: 'A file holds the token, or a key of Bosun’s: nobody may read that in Slack.',
    })
    const other = await work([], '@Bosun a quick check of another thing')
    expect(await postFiles(thread, [file], {token: other.token})).toMatchObject({status: 401})
    expect(filesIn(place)).toEqual([])
  })

  test('find room beside others that never end, and that nobody knows', async () => {
    const [greedy, other] = [await work([]), await work([])]
    const head = (token: string): string =>
      [
        'POST /agent/posts HTTP/1.1',
        'host: bosun',
        `authorization: Bearer ${token}`,
        'content-type: multipart/form-data; boundary=b',
        'content-length: 90000',
        '\r\n',
      ].join('\r\n')
    const post = JSON.stringify({thread: greedy.thread, files: [{name: 'a.png', size: 70_000}]})
    const begun = [
      `--b\r\ncontent-disposition: form-data; name="post"\r\n\r\n${post}\r\n`,
      '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nsome',
    ]
    const greeds = []
    for (let time = 0; time < 9; time += 1) {
      greeds.push(await stall([head(greedy.token), ...begun], 200))
    }
    expect(greeds.map(({status}) => status)).toContain(503)
    const strangers = await Promise.all(
      Array.from({length: 70}, () => stall([head('nobody')], 200)),
    )
    expect(await postFiles(other.thread, [shot()], {token: other.token})).toMatchObject({
      status: 200,
    })
    for (const {leave} of [...greeds, ...strangers]) leave()
    await world.until('there is room again', async () => {
      const {status} = await postFiles(greedy.thread, [shot()], {token: greedy.token})
      return status === 200
    })
  })

  test('stand once, though the bot is killed between the upload and the message', async () => {
    await world.moveOut()
    const {place, thread, token} = await work([])
    const file = shot()
    const method = 'files.completeUploadExternal'
    const slow = {times: 1, status: 429, retryAfterSeconds: 30, applied: false}
    const before = world.slack.ledger.calls.length
    world.slack.faults.failNext(method, slow)
    const lost = postFiles(thread, [file], {token, key: 'kept'}).catch(() => undefined)
    await world.until('it is being shown', () =>
      world.slack.ledger.calls.slice(before).some((call) => call.method === method),
    )
    await world.bot.kill()
    await lost
    await world.startBot()
    // Whoever is told that it is not settled yet asks once more, as its machine does.
    await world.until('it stands', async () => {
      const {status} = await postFiles(thread, [file], {token, key: 'kept'})
      return status === 200
    })
    expect(filesIn(place)).toHaveLength(1)
  })
})
