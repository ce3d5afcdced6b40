import {once} from 'node:events'
import {connect} from 'node:net'
import {afterEach, describe, expect, test} from 'vitest'
import {clientOf} from './client.ts'
import {receive, sendRaw} from '../../support/raw-http.ts'
import {sharedPlatform} from './open-platform.ts'

const MEBIBYTE = 1024 * 1024

const platform = await sharedPlatform({pace: 0.001})
const client = clientOf(platform)
const port = Number(new URL(platform.originUrl).port)

afterEach(async () => {
  expect((await client.get('/users')).status).toBe(200)
})

const head = (...lines: string[]): string => {
  const auth = `authorization: Bearer ${platform.keys.human}`
  return [...lines, 'host: 127.0.0.1', auth, '', ''].join('\r\n')
}
const post = (path: string, body: string | Buffer): Buffer => {
  const lines = ['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`]
  const start = head(`POST /api/v1${path} HTTP/1.1`, ...lines)
  return Buffer.concat([Buffer.from(start), Buffer.from(body)])
}
const refused = (status: number, tag: string) => ({status, body: {_tag: `svc/${tag}`}})

describe('bytes that are not HTTP as we speak it', () => {
  test.each([
    ['noise', Buffer.from([0, 255, 13, 10, 13, 10]), 400],
    ['no version', 'GET /api/v1/users\r\n\r\n', 400],
    ['an unknown method', 'BREW /api/v1/users HTTP/1.1\r\nhost: x\r\n\r\n', 400],
    ['a broken header', 'GET / HTTP/1.1\r\nhost x\r\n\r\n', 400],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n',
      400,
    ],
    [
      'a broken chunk',
      'POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
      400,
    ],
    ['no host', 'GET /api/v1/users HTTP/1.1\r\n\r\n', 400],
    ['a host that is none', 'GET /api/v1/users HTTP/1.1\r\nhost: a b/c\r\n\r\n', 400],
    ['a path without a slash', 'GET users HTTP/1.1\r\nhost: x\r\n\r\n', 400],
    ['a backslash', 'GET /api\\v1 HTTP/1.1\r\nhost: x\r\n\r\n', 400],
    ['huge headers', `GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(70_000)}\r\n\r\n`, 431],
  ])('%s', async (_what, bytes, status) => {
    const answer = await sendRaw(port, bytes)
    expect(answer?.status).toBe(status)
    expect(answer?.body._tag).toMatch(/^svc\/(InvalidRequest|HeadersTooLarge)$/)
    expect(JSON.stringify(answer?.body)).not.toMatch(/\bat .*\.(ts|mjs|js):\d/)
  })

  test('noise behind the request of a stream ends it, and says nothing in it', async () => {
    const threadId = await client.create('quick', 'noise')
    await client.run(threadId)
    const socket = connect(port, '127.0.0.1')
    let text = ''
    const closed = once(socket, 'close')
    socket.on('data', (chunk) => {
      if (!text.includes('retry') && `${text}${chunk.toString()}`.includes('retry')) {
        socket.write('noise\r\n\r\n')
      }
      text += chunk.toString()
    })
    socket.write(head(`GET /api/v1/threads/${threadId}/stream HTTP/1.1`))
    await closed
    expect(text).toContain('event: status')
    expect(text).not.toContain('HTTP/1.1 400')
  })

  test('an expectation that nobody meets is no obstacle', async () => {
    const answer = await sendRaw(port, head('GET /api/v1/nowhere HTTP/1.1', 'expect: wonders'))
    expect(answer).toMatchObject(refused(404, 'NotFound'))
  })

  test('an absolute address is the address', async () => {
    const answer = await sendRaw(port, head('GET http://127.0.0.1/api/v1/nowhere HTTP/1.1'))
    expect(answer).toMatchObject(refused(404, 'NotFound'))
  })

  test('a request to be a proxy, or something else than HTTP', async () => {
    expect(await sendRaw(port, head('CONNECT 127.0.0.1:80 HTTP/1.1'))).toBeUndefined()
    const upgrade = head(
      'GET /api/v1/nowhere HTTP/1.1',
      'connection: upgrade',
      'upgrade: websocket',
    )
    expect(await sendRaw(port, upgrade)).toMatchObject(refused(404, 'NotFound'))
  })
})

describe('methods', () => {
  test.each(['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'])('%s', async (method) => {
    const answer = await sendRaw(port, head(`${method} /api/v1/threads HTTP/1.1`))
    expect(answer).toMatchObject(refused(405, 'MethodNotAllowed'))
  })

  test('OPTIONS of everything', async () => {
    expect(await sendRaw(port, head('OPTIONS * HTTP/1.1'))).toMatchObject({status: 400})
  })

  test('HEAD has no body', async () => {
    const headers = {authorization: `Bearer ${platform.keys.human}`}
    const answer = await receive(`${platform.baseUrl}/users`, {method: 'HEAD', headers})
    expect(answer).toMatchObject({status: 405, text: '', isWhole: true})
  })

  test.each([
    ['/users', 405, 'GET'],
    ['/captains', 405, 'POST'],
    ['/threads', 405, 'POST, GET'],
    ['/nowhere', 404, null],
  ])('HEAD of %s is %i and allows %s', async (path, status, allow) => {
    const headers = {authorization: `Bearer ${platform.keys.human}`}
    const answer = await fetch(platform.baseUrl + path, {method: 'HEAD', headers})
    expect([answer.status, answer.headers.get('allow')]).toEqual([status, allow])
  })
})

describe('bodies', () => {
  test.each([
    ['nothing', ''],
    ['half an object', '{"requestId":'],
    ['something behind it', '{} {}'],
    ['a byte order mark', '\uFEFF{}'],
    ['a number', '1'],
    ['null', 'null'],
    ['a list', '[]'],
    ['deep nesting', `{"message":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    [
      'deep nesting in a field that is ignored',
      `{"x":${'{"x":'.repeat(100_000)}1${'}'.repeat(100_000)}}`,
    ],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    ['a prototype', '{"__proto__":{"requestId":"r","projectId":"project_web","message":"m"}}'],
    ['a constructor', '{"constructor":{"prototype":{"x":1}},"requestId":1}'],
  ])('%s', async (_what, body) => {
    expect(await sendRaw(port, post('/threads', body))).toMatchObject(
      refused(400, 'InvalidRequest'),
    )
  })

  test.each([
    ['none', ''],
    ['text', 'content-type: text/plain\r\n'],
    ['a form', 'content-type: application/x-www-form-urlencoded\r\n'],
    ['nonsense', 'content-type: ;;;\r\n'],
  ])('a content type that is not JSON: %s', async (_what, line) => {
    const start = head('POST /api/v1/threads HTTP/1.1', 'content-length: 2').slice(0, -2)
    const answer = await sendRaw(port, `${start}${line}\r\n{}`)
    expect(answer).toMatchObject(refused(400, 'InvalidRequest'))
  })

  test('bytes inside a text that are no UTF-8', async () => {
    const [before, after] = ['{"requestId":"odd","projectId":"project_web","message":"', ' quick"}']
    const body = Buffer.concat([Buffer.from(before), Buffer.from([0xff, 0xfe]), Buffer.from(after)])
    expect(await sendRaw(port, post('/threads', body))).toMatchObject(
      refused(400, 'InvalidRequest'),
    )
  })

  test('a content encoding', async () => {
    const body = {requestId: 'packed', projectId: 'project_web', message: 'quick'}
    const packed = await client.request('POST', '/threads', body, {'content-encoding': 'gzip'})
    expect([packed.status, packed.body['_tag']]).toEqual([400, 'svc/InvalidRequest'])
  })

  test('half a character in a requestId, which no other half may pass for', async () => {
    for (const path of ['/threads', '/captains', '/automations']) {
      const body = `{"requestId":"\\ud800","projectId":"project_web","message":"m","name":"n","prompt":"p"}`
      const {status, body: refusal} = await client.post(path, body)
      expect([status, refusal['_tag']]).toEqual([400, 'svc/InvalidRequest'])
    }
  })

  test('1 MiB and one byte more, announced or in chunks', async () => {
    const filler = 'x'.repeat(MEBIBYTE - '{"message":""}'.length)
    const largest = `{"message":"${filler}"}`
    expect(largest).toHaveLength(MEBIBYTE)
    expect(await sendRaw(port, post('/threads', largest))).toMatchObject(
      refused(400, 'InvalidRequest'),
    )
    const over = `{"message":"${filler}x"}`
    expect(await sendRaw(port, post('/threads', over))).toMatchObject(
      refused(413, 'PayloadTooLarge'),
    )
    const start = head(
      'POST /api/v1/threads HTTP/1.1',
      'content-type: application/json',
      'transfer-encoding: chunked',
    )
    const chunks = `${over.length.toString(16)}\r\n${over}\r\n0\r\n\r\n`
    expect(await sendRaw(port, start + chunks)).toMatchObject(refused(413, 'PayloadTooLarge'))
  })

  test('a webhook takes no more either', async () => {
    const event = JSON.stringify({x: 'x'.repeat(MEBIBYTE)})
    const {status} = await receive(`${platform.originUrl}/webhooks/automations/none`, {
      method: 'POST',
      headers: {'content-type': 'application/json'},
      body: event,
    })
    expect(status).toBe(413)
  })

  test('half a character and a zero are texts like others', async () => {
    const texts = ['half \\ud83d', 'zero \\u0000 inside', 'right to left \\u202e']
    for (const [index, text] of texts.entries()) {
      const body = `{"requestId":"odd-${index}","projectId":"project_web","message":"${text} quick"}`
      const {status, body: thread} = await client.post('/threads', body)
      expect(status).toBe(200)
      const id = String(thread['id'])
      expect((await client.post(`/threads/${id}/regenerate-title`)).status).toBe(200)
      expect((await client.get(`/threads/${id}/messages`)).status).toBe(200)
    }
  })
})

describe('addresses', () => {
  test.each([
    '/threads/%',
    '/threads/%ff',
    '/threads/%00',
    '/threads/..%2f..%2fusers',
    '/threads/__proto__',
    '/threads?limit=0',
    '/threads?limit=1e3',
    '/threads?cursor=%ff',
    '/threads?cursor=__proto__',
    '/threads?projectId=',
    `/threads/${'x'.repeat(10_000)}`,
  ])('%s', async (path) => {
    const answer = await sendRaw(port, head(`GET /api/v1${path} HTTP/1.1`))
    expect([400, 404]).toContain(answer?.status)
    expect(answer?.body._tag).toMatch(/^svc\/\w+$/)
  })
})
