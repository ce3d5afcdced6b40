import {once} from 'node:events'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {openPage} from '../../../../local/slack/page/serve.ts'

const server = createServer()

beforeAll(async () => {
  const page = await openPage()
  server.on('request', (request, response) => page.handle(request, response))
  await once(server.listen(0, '127.0.0.1'), 'listening')
})

afterAll(() => {
  server.close()
  server.closeAllConnections()
})

async function ask(path: string, method = 'GET'): Promise<Response> {
  const {port} = server.address() as AddressInfo
  return fetch(`http://127.0.0.1:${port}${path}`, {method})
}

async function assets(): Promise<string[]> {
  const html = await (await ask('/')).text()
  return [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? '')
}

test('the page brings one script and one style, both of which may be kept for good', async () => {
  const paths = await assets()
  expect(paths.map((path) => path.split('.').at(-1)).sort()).toEqual(['css', 'js'])
  for (const path of paths) {
    const response = await ask(path)
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toContain('immutable')
  }
  expect((await ask('/')).headers.get('cache-control')).toBe('no-cache')
})

test('every part of the style is in it', async () => {
  const path = (await assets()).find((one) => one.endsWith('.css')) ?? ''
  const style = await (await ask(path)).text()
  expect(style).toContain('--accent')
  expect(style).toContain('.composer')
})

test('any address is the page, but no asset is made up and nothing can be written', async () => {
  expect(await (await ask('/anything?as=U0JANE')).text()).toContain('<div id="root">')
  expect((await ask('/assets/none.js')).status).toBe(404)
  expect((await ask('/', 'POST')).status).toBe(405)
})
