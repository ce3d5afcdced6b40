import {once} from 'node:events'
import type {AddressInfo} from 'node:net'
import {type HttpBindings, serve} from '@hono/node-server'
import {expect, onTestFinished, test, vi} from 'vitest'
import {alreadySent} from '../../local/already-sent.ts'

test('nothing is written behind what a handler has written itself', async () => {
  const complaint = vi.spyOn(console, 'error').mockReturnValue()
  onTestFinished(() => complaint.mockRestore())
  const server = serve({
    port: 0,
    fetch: async (_request, bindings) => {
      const {outgoing} = bindings as HttpBindings
      outgoing.writeHead(200, {'content-type': 'text/plain'})
      outgoing.write('first, ')
      setTimeout(() => outgoing.end('last'), 20)
      return alreadySent()
    },
  })
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const {port} = server.address() as AddressInfo
  const answer = await fetch(`http://127.0.0.1:${port}`)
  expect(await answer.text()).toBe('first, last')
  expect(complaint).not.toHaveBeenCalled()
})
