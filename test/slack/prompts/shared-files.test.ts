import {once} from 'node:events'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {Secret} from '../../../src/security/secret.ts'
import type {SharedFile} from '../../../src/slack/incoming/message.ts'
import {fileReaderOf} from '../../support/file-reader.ts'

const asked: {path: string; token: string | undefined}[] = []
const server = createServer((request, response) => {
  const path = request.url ?? ''
  asked.push({path, token: request.headers.authorization})
  if (path === '/redirect') response.writeHead(302, {location: '/text'}).end()
  else if (path === '/login') response.writeHead(200, {'content-type': 'text/html'}).end('<html>')
  else if (path === '/LOGIN') response.writeHead(200, {'content-type': 'Text/HTML'}).end('<html>')
  else if (path === '/gone') response.writeHead(404).end()
  else if (path === '/binary') response.end(Buffer.from([65, 0, 66]))
  else if (path === '/latin') response.end(Buffer.from([0x47, 0xf6]))
  else if (path === '/endless') response.end(Buffer.alloc(500_000, 65))
  else response.end('Größe\n')
})
let origin = ''

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

const file = (path: string, more: Partial<SharedFile> = {}): SharedFile => ({
  ...{id: 'F1', name: 'a.txt', mimetype: 'text/plain', size: 10, url: `${origin}${path}`},
  ...more,
})
const read = (...files: SharedFile[]) =>
  fileReaderOf({
    tokenOf: async () => Promise.resolve(new Secret('xoxb-1')),
    apiUrl: `${origin}/api/`,
  })(files, new AbortController().signal)

test('text goes along, with its name', async () => {
  expect(await read(file('/text'), file('/text', {name: 'Makefile', mimetype: ''}))).toEqual({
    texts: [
      {name: 'a.txt', text: 'Größe\n'},
      {name: 'Makefile', text: 'Größe\n'},
    ],
    fetched: [],
    said: [],
    notPassed: [],
  })
  expect(asked[0]?.token).toBe('Bearer xoxb-1')
})

const nothing = {texts: [], fetched: [], said: []}

test.each([
  [{why: 'no-text'}, () => file('/never', {mimetype: 'image/png'})],
  [{why: 'no-text'}, () => file('/binary')],
  [{why: 'no-text'}, () => file('/latin')],
  [{why: 'too-large'}, () => file('/never', {size: 200_000})],
  [{why: 'huge', limit: 50}, () => file('/never', {mimetype: 'video/quicktime', size: 60_000_000})],
  // More than it said it would be.
  [{why: 'too-large'}, () => file('/endless')],
  [{why: 'unreadable'}, () => file('/redirect')],
  [{why: 'unreadable'}, () => file('/login')],
  [{why: 'unreadable'}, () => file('/LOGIN')],
  [{why: 'unreadable'}, () => file('/gone')],
  [{why: 'unreadable'}, () => file('', {url: undefined})],
  [{why: 'unreadable'}, () => file('', {url: 'http://files.slack.com/never'})],
  [{why: 'unreadable'}, () => file('', {url: 'https://files.slack.com.evil.example/never'})],
  [{why: 'unreadable'}, () => file('', {url: 'not an address'})],
])('what is not passed says why: %o', async (why, toFile) => {
  expect(await read(toFile())).toEqual({...nothing, notPassed: [{name: 'a.txt', ...why}]})
  expect(asked.some(({path}) => path === '/never')).toBe(false)
})

test('what somebody shares from a drive is not fetched from us: Slack has no bytes of it', async () => {
  const url = 'https://docs.google.com/document/d/1/edit'
  const shared = file('', {name: 'Roadmap', mimetype: 'application/vnd.google-apps.document', url})
  const reader = fileReaderOf(
    {tokenOf: async () => Promise.resolve(new Secret('xoxb-1')), apiUrl: `${origin}/api/`},
    async (files) => Promise.resolve(files.map((one) => ({file: one, command: 'curl …'}))),
  )
  const signal = new AbortController().signal
  expect(await reader([shared], signal)).toEqual({
    ...nothing,
    notPassed: [{name: 'Roadmap', why: 'unreadable'}],
  })
})

test('of many files the first go along', async () => {
  const four = ['1', '2', '3', '4'].map((name) => file('/text', {id: name, name}))
  const {texts, notPassed} = await read(...four)
  expect(texts.map(({name}) => name)).toEqual(['1', '2', '3'])
  expect(notPassed).toEqual([{name: '4', why: 'too-many', limit: 3}])
})

test('what is said in a clip goes along, whatever becomes of the clip', async () => {
  const clip = file('/never', {name: 'memo.m4a', mimetype: 'audio/mp4', words: 'Fix the login.'})
  expect(await read(clip)).toEqual({
    ...nothing,
    said: [{name: 'memo.m4a', words: 'Fix the login.'}],
    notPassed: [],
  })
})
