import {type Server, createServer} from 'node:http'
import {type AddressInfo, connect} from 'node:net'
import {setTimeout as delay} from 'node:timers/promises'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {answer} from '../../src/http/answer.ts'

const HEAD = 'POST / HTTP/1.1\r\nhost: x\r\n'
let server: Server

beforeAll(async () => {
  server = createServer((_, response) => answer(response, 413, 'Too large'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => server.close())

/** Writes all of it before it looks at anything; what it reads then, once the server has hung up. */
async function writeFirst(head: string, chunks: number, everyMs: number) {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').pause()
  const closed = new Promise((resolve) => socket.once('close', resolve))
  const problems: string[] = []
  socket.on('error', ({message}) => problems.push(message))
  socket.write(head)
  let written = 0
  for (; written < chunks && !socket.destroyed; written += 1) {
    socket.write(Buffer.alloc(100_000, 'x'))
    await delay(everyMs)
  }
  let text = ''
  socket
    .setEncoding('utf8')
    .on('data', (more: string) => (text += more))
    .resume()
  await closed
  return {text, problems, written}
}

test('whoever is refused in the middle and writes on reads the answer', async () => {
  // As fast as it can: the server listens for a second only.
  const all = await Promise.all(
    Array.from({length: 10}, () => writeFirst(`${HEAD}content-length: 1000000\r\n\r\n`, 10, 1)),
  )
  for (const {text, problems} of all) {
    expect(problems).toEqual([])
    expect(text).toMatch(/^HTTP\/1\.1 413 .*Too large$/s)
  }
})

test('whoever writes without end is cut off', async () => {
  const endless = await writeFirst(`${HEAD}content-length: 1000000000\r\n\r\n`, 1000, 10)
  expect(endless.written).toBeLessThan(1000)
})

test('whoever dawdles does not hold the connection', async () => {
  const {text} = await writeFirst(`${HEAD}content-length: 10\r\n\r\n`, 0, 0)
  expect(text).toMatch(/^HTTP\/1\.1 413 .*Too large$/s)
})
