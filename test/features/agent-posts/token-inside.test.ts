import {Hono} from 'hono'
import {expect, test} from 'vitest'
import type {SessionProof} from '../../../src/agents/session-proof.ts'
import {createAgentPosts} from '../../../src/features/agent-posts/agent-posts.ts'
import {addAgentPosts} from '../../../src/features/agent-posts/endpoint.ts'
import {createFormPosts} from '../../../src/features/agent-posts/form-posts.ts'
import {createLeaks} from '../../../src/security/leaks.ts'
import {Secret} from '../../../src/security/secret.ts'
import {FRESH_LINK} from '../../support/fresh-link.ts'

const {signal} = new AbortController()
const token = new Secret('eyJhbGciOi.x7Kq2LmZ9TpW4vRs')
const value = token.reveal()
const never = () => Promise.reject(new Error('Nothing is shown'))
const lists = {openOfThread: async () => [FRESH_LINK]}
const ask = {token, threadId: 't', text: '', key: undefined, file: undefined, question: undefined}

/** What takes posts and forms, as the platform judges the token. */
function createTakers(proof: Pick<SessionProof, 'prove'>) {
  const agentPosts = {expect: never}
  const leaks = createLeaks()
  const all = {lists, proof, show: never, agentPosts, upload: never, leaks, nowMs: Date.now}
  return {accept: createAgentPosts(all), acceptForm: createFormPosts(all), maxBytes: 100}
}

test('nobody looks in what came for a token that is none: one that is made up for it makes that take long', async () => {
  const routes = new Hono()
  addAgentPosts(routes, createTakers({prove: async () => ({outcome: 'denied', isExpired: false})}))
  const form = new FormData()
  form.append('post', JSON.stringify({thread: 't', files: [{name: value, size: 1}]}))
  for (const [body, type] of [
    [JSON.stringify({thread: 't', text: value}), {'content-type': 'application/json'}],
    [form, {}],
  ] as const) {
    const headers = {authorization: `Bearer ${value}`, ...type}
    const answer = await routes.request('/agent/posts', {method: 'POST', headers, body})
    expect(answer.status).toBe(401)
  }
})

test('a post and a form that show the token are refused, wherever it stands in them', async () => {
  const {accept, acceptForm} = createTakers({prove: async () => FRESH_LINK})
  const file = (content: string, name = 'a.bin') => ({
    name,
    bytes: new Uint8Array(Buffer.from(content)),
  })
  const posts = [
    {...ask, text: `${value.slice(0, 15)}**${value.slice(15)}**`},
    {...ask, file: file(`is ${value}`)},
    {...ask, file: file('is', value)},
    {...ask, question: {options: [value.slice(0, 14), value.slice(14)]}},
  ]
  for (const post of posts) {
    expect(await accept(post, signal)).toMatchObject({outcome: 'wrong'})
  }
  const bodies = (async function* () {})()
  const form = {...ask, files: [{name: value, size: 1}], bodies}
  expect(await acceptForm(form, signal)).toMatchObject({outcome: 'wrong'})
})
