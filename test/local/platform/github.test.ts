import {createHmac} from 'node:crypto'
import {once} from 'node:events'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {text} from 'node:stream/consumers'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {readGithubEvent} from '../../../src/features/pull-requests/github-events.ts'
import {until} from '../../support/until.ts'
import {clientOf} from './client.ts'
import {sharedPlatform} from './open-platform.ts'

const SECRET = 'sk_hook_of_a_test'
const platform = await sharedPlatform({pace: 0.01})
const client = clientOf(platform)
const page = `${platform.controlUrl}/github`

/** What a webhook has heard, in words; a bot has to be able to read all of it. */
const heard: string[] = []
const server = createServer((request, response) => {
  void text(request).then((json) => {
    const signature = `sha256=${createHmac('sha256', SECRET).update(json).digest('hex')}`
    const name = String(request.headers['x-github-event'])
    const isSigned = request.headers['x-hub-signature-256'] === signature
    const body: unknown = JSON.parse(json)
    heard.push(isSigned ? wordsOf(name, body) : 'not signed')
    if (readGithubEvent(name, body) === undefined) heard.push(`${name} cannot be read`)
    response.writeHead(202).end('{}')
  })
})
let address: string

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/one`
})
afterAll(() => {
  server.close()
  server.closeAllConnections()
})

interface Body {
  action: string
  check_run?: {name: string; status: string; conclusion: string | null}
  review?: {state: string}
  pull_request?: {merged: boolean}
}
function wordsOf(name: string, body: unknown): string {
  const {action, check_run: run, review, pull_request: pr} = body as Body
  if (run !== undefined) return `${run.name} ${run.conclusion ?? run.status}`
  return review === undefined ? `${name} ${pr?.merged === true ? 'merged' : action}` : review.state
}

const add = (body: object) =>
  fetch(page, {
    method: 'POST',
    headers: {'content-type': 'application/json'},
    body: JSON.stringify(body),
  })

const FIRST = ['lint in_progress', 'unit in_progress', 'lint success']
const named = /https:\/\/github\.com\/\S+\/pull\/\d+/

async function open(): Promise<{threadId: string; pullRequest: string}> {
  const threadId = await client.create('open a pull request for the cart')
  await client.run(threadId)
  const said = JSON.stringify(platform.transcript(threadId).at(-1))
  return {threadId, pullRequest: named.exec(said)?.[0].replace(/\\n.*/, '') ?? ''}
}

describe('the GitHub of a laptop', () => {
  test('tells nobody of pull requests before somebody wants to hear', async () => {
    const {threadId, pullRequest} = await open()
    await client.post(`/threads/${threadId}/message`, {text: fixOf(pullRequest)})
    await client.run(threadId)
    expect(JSON.stringify(platform.transcript(threadId).at(-1))).toContain('pushed to')
    expect(heard).toEqual([])
  })

  test('takes a webhook of this machine alone, and shows its address and no secret', async () => {
    const foreign = await add({address: 'https://example.com/hooks/one', secret: SECRET})
    expect(foreign.status).toBe(400)
    expect((await add({address, secret: SECRET})).status).toBe(200)
    const shown = await (await fetch(page)).text()
    expect(shown).toContain(address)
    expect(shown).not.toContain(SECRET)
  })

  test('tells of checks that fail, of a fix whose checks pass, and of its merge, once each', async () => {
    const {threadId, pullRequest} = await open()
    const failed = ['pull_request opened', ...FIRST, 'unit failure']
    await until('its checks have failed', () => heard.length >= failed.length)
    expect(heard).toEqual(failed)
    const before = platform.transcript(threadId).length
    await client.post(`/threads/${threadId}/message`, {text: fixOf(pullRequest)})
    await until('the agent has begun', () => platform.transcript(threadId).length > before)
    // What is under way goes on.
    await platform.control.restart(0)
    const fixed = ['pull_request synchronize', ...FIRST, 'unit success', 'approved']
    const all = [...failed, ...fixed, 'pull_request merged']
    await until('it is merged', () => heard.length >= all.length)
    expect(heard).toEqual(all)
    const numbers = platform
      .transcript(threadId)
      .flatMap((entry) => named.exec(JSON.stringify(entry))?.[0] ?? [])
    expect(new Set(numbers.map((one) => /\d+$/.exec(one.replace(/\\n.*/, ''))?.[0])).size).toBe(1)
  })
})

function fixOf(pullRequest: string): string {
  return `About the pull request ${pullRequest}: these checks failed at 0123456.\n- “unit”\nFind out why, fix it, and push.`
}
