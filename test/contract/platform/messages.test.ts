import {expect, test} from 'vitest'
import {itemsOf} from '../../local/platform/client.ts'
import {all, eventually, sharedContract} from './contract.ts'

const contract = await sharedContract()

test('4.1.r4 transcript cursors are passed back unchanged, as after, until one is null', async () => {
  const {id} = await contract.begin('some work')
  await contract.finish(id)
  const whole = await contract.transcript(id)
  expect(whole.length).toBeGreaterThan(3)

  const from = contract.platform.ledger.length
  const client = contract.client('human', {pageSize: 1})
  expect(await all(client.listMessages(id, undefined, contract.signal))).toEqual(whole)
  const asked = contract.platform.ledger.slice(from).map(({path}) => path)
  expect(asked).toHaveLength(whole.length)
  for (const [index, path] of asked.entries()) {
    const {body} = await contract.raw().get(path.replace('/api/v1', ''))
    const sent = new URLSearchParams(asked[index + 1]?.split('?')[1]).get('after')
    expect(sent).toBe(body['cursor'])
  }
})

test('4.1.r9 a message answers a receipt, and two equal messages are two', async () => {
  const {id} = await contract.begin('quick')
  const text = 'quick echo'
  const receipts = [await contract.say(id, text), await contract.say(id, text)]
  expect(receipts.map(({deduped}) => deduped)).toEqual([false, false])
  expect(new Set(receipts.map((receipt) => receipt.id)).size).toBe(2)
  const said = async () => (await contract.transcript(id)).filter((entry) => entry.text === text)
  await eventually('both entries', said, (entries) => entries.length === 2)
})

test('4.1.r10 the transcript pages in order behind after', async () => {
  const {id} = await contract.begin('some work')
  await contract.finish(id)
  const whole = await contract.transcript(id)
  let cursor = ''
  for (let position = 1; position < whole.length; position += 1) {
    const query = cursor === '' ? '' : `&after=${encodeURIComponent(cursor)}`
    const page = await contract.raw().get(`/threads/${id}/messages?limit=1${query}`)
    expect(itemsOf(page)).toHaveLength(1)
    cursor = String(page.body['cursor'])
    const rest = await all(contract.client().listMessages(id, cursor, contract.signal))
    expect(rest).toEqual(whole.slice(position))
  }
})

test('4.1.r13 a message may name the model that works on it', async () => {
  const {id} = await contract.begin('quick')
  await contract.finish(id)
  const message = {text: 'quick', delivery: 'queue', model: {modelId: 'swift'}} as const
  await contract.client().sendMessage(id, message, contract.signal)
  await contract.finish(id)
  expect((await contract.transcript(id)).at(-1)?.model).toBe('swift')
  expect((await contract.client().getThread(id, contract.signal)).lastModelId).toBe('swift')
})
