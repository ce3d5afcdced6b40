import {once} from 'node:events'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {afterAll, beforeAll, expect, test} from 'vitest'
import type {PageServer} from '../../../../local/slack/options.ts'
import {openPage} from '../../../../local/slack/page/serve.ts'

let page: PageServer
const server = createServer((request, response) => page.handle(request, response))

beforeAll(async () => {
  page = await openPage()
  await once(server.listen(0, '127.0.0.1'), 'listening')
})

afterAll(async () => {
  server.close()
  server.closeAllConnections()
  await page.close()
})

async function get(path: string): Promise<string> {
  const {port} = server.address() as AddressInfo
  const response = await fetch(`http://127.0.0.1:${port}${path}`)
  expect(response.status, path).toBe(200)
  return response.text()
}

/** What a module imports at once, as paths of this server. */
function importsOf(module: string): string[] {
  return [...module.matchAll(/^import [^;]*?["'](\/[^"']+)["']/gm)].map(([, path]) => path ?? '')
}

test('the page loads no reload client, whose socket is switched off', async () => {
  expect(await get('/')).not.toContain('@vite/client')
  expect(await get('/')).toContain('/main.tsx')
})

test('every module that the page imports is served', async () => {
  const seen = new Set(['/main.tsx'])
  for (const path of seen) {
    for (const next of importsOf(await get(path))) seen.add(next)
  }
  expect(seen).toContain('/app.tsx')
  expect(seen.size).toBeGreaterThan(30)
})

test('the style is plain CSS with all of its parts', async () => {
  const style = await get('/style.css')
  expect(style).toContain('--accent')
  expect(style).toContain('.composer')
})
