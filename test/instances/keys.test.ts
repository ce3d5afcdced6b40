import {expect, test} from 'vitest'
import {Secret} from '../../src/security/secret.ts'
import {rotate} from '../../src/store/database/sealed-values.ts'
import {openToolStore} from '../../src/store/tool-store.ts'
import {SEALING_KEYS, openBeside} from '../support/beside.ts'
import {temporaryPostgres} from '../support/postgres.ts'

async function openTwo() {
  const url = await temporaryPostgres()
  const [one, other] = await Promise.all([openBeside(url), openBeside(url)])
  await expect.poll(() => [one, other].every(({notices}) => notices.isListening())).toBe(true)
  other.notices.onHeard(({about}) => {
    if (about !== 'keys') return
    // The last that is heard may come as the test ends, and its store with it.
    Promise.all([other.connections.reload(), other.hooks.reload()]).catch(() => undefined)
  })
  return {url, one, other}
}

const key = (value: string) => ({team: 'T1', label: 'l', key: new Secret(value), madeBy: 'U1'})

test('a key that one instance adds, replaces or removes, the others hear of', async () => {
  const {one, other} = await openTwo()
  const {id} = await one.connections.add(key('key-one'), 1)
  const keyThere = () => other.connections.keyOf(id)?.reveal()
  await expect.poll(keyThere).toBe('key-one')
  await one.connections.replaceKey(id, new Secret('key-two'), 'U1')
  await expect.poll(keyThere).toBe('key-two')
  expect(other.learned).toEqual(new Set(['key-one', 'key-two']))
  await one.connections.remove(id)
  await expect.poll(keyThere).toBeUndefined()
})

test('one key that two instances store at once is one connection', async () => {
  const {one, other} = await openTwo()
  const added = await Promise.all(
    [one, other, one, other].map(({connections}) => connections.add(key('key-same'), 1)),
  )
  expect(new Set(added.map(({id}) => id)).size).toBe(1)
  expect(await one.connections.ofTeam('T1')).toHaveLength(1)
})

test('the secrets of a hook that was made elsewhere are known for secrets', async () => {
  const {one, other} = await openTwo()
  const about = {team: 'T1', channel: 'C1', name: 'h', automationId: undefined, madeBy: 'U1'}
  const url = new Secret('https://a.example/webhooks/x')
  const {id} = await one.hooks.add({...about, requestId: 'r', url}, 1)
  const first = (await one.hooks.secretsOf(id)).secrets.secret.reveal()
  await expect.poll(() => other.learned.has(first)).toBe(true)
  const turned = await one.hooks.rotate(id, 0, Date.now() + 60_000)
  await expect.poll(() => other.learned.has(turned?.secret.reveal() ?? '')).toBe(true)
})

test('what is sealed anew while instances work opens in all of them, and a forgotten key goes by looking alone', async () => {
  const url = await temporaryPostgres()
  const one = await openBeside(url, {isHearing: false})
  const {id} = await one.connections.add(key('key-one'), 1)
  const newer = {id: 'new', key: new Secret(Buffer.alloc(32, 9).toString('base64'))}
  const other = await openBeside(url, {isHearing: false, sealingKeys: [newer, ...SEALING_KEYS]})
  await using tool = await openToolStore({path: url, sealingKeys: [newer, ...SEALING_KEYS]})
  expect(await rotate(tool, tool.sealer, 'new')).toMatchObject({resealed: 1, problems: []})
  await other.connections.reload()
  expect(other.connections.keyOf(id)?.reveal()).toBe('key-one')
  // One that was started without the new sealing key goes on with what it knows.
  await expect(one.connections.reload()).rejects.toThrow('new')
  expect(one.connections.keyOf(id)?.reveal()).toBe('key-one')
  await tool.write((db) => db.updateTable('connections').set({key: null}).execute())
  await Promise.all([one.connections.reload(), other.connections.reload()])
  expect([one, other].map(({connections}) => connections.keyOf(id))).toEqual([undefined, undefined])
})
