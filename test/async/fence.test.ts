import {Agent, fetch} from 'undici'
import {expect, onTestFinished, test} from 'vitest'
import {NotOurs, fenced} from '../../src/async/fence.ts'
import {answerJson, reasonOf, serve} from '../platform/http-server.ts'

async function openFence() {
  const {origin, requests} = await serve((response) => answerJson(response, 200, {ok: true}))
  const agent = new Agent({connections: 1})
  onTestFinished(() => agent.destroy())
  let isOurs = true
  const dispatcher = fenced(agent, () => isOurs)
  return {
    origin,
    requests,
    agent,
    dispatcher,
    lose: () => (isOurs = false),
    win: () => (isOurs = true),
  }
}

test('who may call is not in the way', async () => {
  const {origin, dispatcher} = await openFence()
  const answer = await fetch(origin, {method: 'POST', body: 'a=1', dispatcher})
  expect(await answer.json()).toEqual({ok: true})
})

test('of a call that is not ours any more nothing goes out, and its connection goes on', async () => {
  const {origin, requests, dispatcher, lose, win} = await openFence()
  await (await fetch(origin, {dispatcher})).text()
  lose()
  const error = await reasonOf(fetch(origin, {method: 'POST', body: 'a=1', dispatcher}))
  expect((error as Error).cause).toBeInstanceOf(NotOurs)
  expect(requests).toHaveLength(1)
  win()
  await (await fetch(origin, {dispatcher})).text()
  expect(requests).toHaveLength(2)
})

test('a call that waits for its connection is stopped when it comes to its turn', async () => {
  const turn = Promise.withResolvers<undefined>()
  const {origin, requests} = await serve((response) => {
    void turn.promise.then(() => answerJson(response, 200, {ok: true}))
  })
  const agent = new Agent({connections: 1, pipelining: 1})
  onTestFinished(() => agent.destroy())
  let isOurs = true
  const dispatcher = fenced(agent, () => isOurs)
  const first = fetch(origin, {dispatcher})
  await expect.poll(() => requests.length).toBe(1)
  const waiting = reasonOf(fetch(origin, {method: 'POST', body: 'a=1', dispatcher}))
  isOurs = false
  turn.resolve(undefined)
  await (await first).text()
  expect(((await waiting) as Error).cause).toBeInstanceOf(NotOurs)
  expect(requests).toHaveLength(1)
})
