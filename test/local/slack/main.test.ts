import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {createInterface} from 'node:readline'
import {fileURLToPath} from 'node:url'
import {WebClient} from '@slack/web-api'
import {expect, test} from 'vitest'
import {z} from 'zod'

const readySchema = z.object({
  ready: z.literal(true),
  origin: z.string(),
  apiUrl: z.string(),
  botToken: z.string().startsWith('xoxb-'),
  appToken: z.string().startsWith('xapp-'),
  signingSecret: z.string().min(32),
  teamId: z.literal('T0LOCAL'),
  botUserId: z.literal('U0BOSUN'),
})

test('the program prints one ready line, serves, and ends on SIGTERM', async () => {
  const program = fileURLToPath(new URL('../../../local/slack/main.ts', import.meta.url))
  const child = spawn(process.execPath, [program, '--port', '0', '--no-page'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const ready = readySchema.parse(JSON.parse(line))
  const client = new WebClient(ready.botToken, {slackApiUrl: ready.apiUrl})
  expect(await client.auth.test()).toMatchObject({ok: true, user_id: 'U0BOSUN'})
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  expect(await exited).toEqual([0, null])
})
