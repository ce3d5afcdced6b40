import {describe, expect, test} from 'vitest'
import {openStore} from '../../src/store/store.ts'
import {refusalOf} from '../store/refusal.ts'
import {IS_POSTGRES} from '../support/postgres.ts'
import {editRaw} from '../support/raw-database.ts'
import {tool} from '../support/tool.ts'
import {keyNamed, sealedDatabase, settingsOf} from './sealed-database.ts'

const [old, fresh, other] = [keyNamed('k1'), keyNamed('k2'), keyNamed('k1')]

describe('npm run keys', () => {
  test('make prints a key that BOSUN_KEYS takes', async () => {
    const {out, code} = await tool('keys', ['make', '--id', 'mine'], {})
    expect(code).toBe(0)
    expect(out).toMatch(/^mine:[A-Za-z0-9+/]{43}=\n$/)
    const named = await tool('keys', ['make'], {})
    expect(named.out).toMatch(/^k\d{8}:/)
  })

  test('without a command, or with one that is unknown, it says what there is', async () => {
    expect(await tool('keys', [], {})).toMatchObject({code: 1, out: ''})
    expect((await tool('keys', ['turn'], {})).err).toContain('make, check, rotate or drop')
    expect((await tool('keys', ['make', '--di', 'x'], {})).err).toContain("Unknown option '--di'")
    expect((await tool('keys', ['--help'], {})).out).toContain('npm run keys -- rotate')
  })

  test('a rotation while the bot runs: new in front, restart, rotate, old one out', async () => {
    const {path, store, ids} = await sealedDatabase([old])
    const early = await tool('keys', ['rotate'], settingsOf(path, fresh, old))
    expect(early).toMatchObject({code: 1, out: ''})
    expect(early.err).toContain('does not seal with "k2" yet')
    await store[Symbol.asyncDispose]()

    const bot = await openStore({path, sealingKeys: [fresh, old]})
    const before = await tool('keys', ['check'], settingsOf(path, fresh, old))
    expect(before.out).toBe('k2 seals 0 values and seals from now on\nk1 seals 21 values\n')
    const turned = await tool('keys', ['rotate'], settingsOf(path, fresh, old))
    expect(turned).toMatchObject({code: 0, err: ''})
    expect(turned.out).toContain('21 values sealed anew with k2')
    expect(turned.out).toContain('k1 seals nothing any more')
    expect((await bot.installs.byId('T1'))?.installation).toContain('xoxb-1')
    const again = await tool('keys', ['rotate'], settingsOf(path, fresh, old))
    expect(again.out).toBe('0 values sealed anew with k2\n')
    const after = await tool('keys', ['check'], settingsOf(path, fresh, old))
    expect(after.out).toContain('k1 seals 0 values: it may be removed')
    await bot[Symbol.asyncDispose]()

    await using last = await openStore({path, sealingKeys: [fresh]})
    expect(last.connections.keyOf(ids[3] ?? '')?.reveal()).toBe('pk_3_abcd')
  })

  test('a bot that seals with the old key again is not rotated behind its back', async () => {
    const {path, store} = await sealedDatabase([fresh])
    await store[Symbol.asyncDispose]()
    await using bot = await openStore({path, sealingKeys: [old, fresh]})
    expect((await bot.countSealed()).get('k2')).toBe(21)
    const {err} = await tool('keys', ['rotate'], settingsOf(path, fresh, old))
    expect(err).toContain('does not seal with "k2" yet')
  })
})

test.runIf(IS_POSTGRES)(
  'every bot that runs seals with the new key before anything is rotated',
  async () => {
    const {path, store} = await sealedDatabase([old, fresh])
    await using newer = await openStore({path, sealingKeys: [fresh, old]})
    expect(newer).toBeDefined()
    const early = await tool('keys', ['rotate'], settingsOf(path, fresh, old))
    expect(early).toMatchObject({code: 1, out: ''})
    expect(early.err).toContain('each of them where several run')
    await store[Symbol.asyncDispose]()
    const turned = await tool('keys', ['rotate'], settingsOf(path, fresh, old))
    expect(turned).toMatchObject({code: 0, err: ''})
  },
)

test.runIf(IS_POSTGRES)('two bots run: what needs them stopped says so', async () => {
  const {path, store} = await sealedDatabase([old])
  await using second = await openStore({path, sealingKeys: [old]})
  expect(second).toBeDefined()
  const settings = settingsOf(path, old)
  for (const act of [
    () => tool('keys', ['drop', 'T1'], settings),
    () => tool('forget', ['--workspace', 'T1', '--yes'], settings),
  ]) {
    const {code, err} = await act()
    expect(code).toBe(1)
    expect(err).toMatch(/stop/i)
  }
  expect((await store.installs.byId('T1'))?.installation).toContain('xoxb-1')
})

describe('a start with the wrong keys is refused in words', () => {
  test('the key is missing, or another one bears its id', async () => {
    const {path, store} = await sealedDatabase([old], 1)
    await store[Symbol.asyncDispose]()
    for (const keys of [[], [fresh], [other]]) {
      const error = await refusalOf(path, keys)
      expect(error).toMatchObject({code: 'keys'})
      expect(error.message).toContain('the key "k1"')
      expect(error.message).not.toContain('pk_')
    }
  })

  test('its check value is gone, but not what it sealed', async () => {
    const {path, store} = await sealedDatabase([old], 1)
    await store[Symbol.asyncDispose]()
    await editRaw(path, 'delete from seals')
    const {message} = await refusalOf(path, [fresh])
    expect(message).toContain('lacks the key "k1". The platform key of the connection')
    expect(message).toContain('add it behind the others')
  })

  test('a value was swapped with another row’s: it is named, and may be dropped', async () => {
    const {path, store, ids} = await sealedDatabase([old], 2)
    await store[Symbol.asyncDispose]()
    const [one = '', two = ''] = ids
    await editRaw(
      path,
      `update connections set key = (select key from connections where id = '${one}')
      where id = '${two}'`,
    )
    const {message} = await refusalOf(path, [old])
    expect(message).toContain(`connection ${two}, sealed with the key "k1", does not open`)
    const settings = settingsOf(path, old)
    expect(await tool('keys', ['check'], settings)).toMatchObject({code: 1})
    expect((await tool('keys', ['drop', one], settings)).err).toContain('opens: there is no reason')
    expect((await tool('keys', ['drop', two], settings)).out).toContain('is deleted')
    await using bot = await openStore({path, sealingKeys: [old]})
    expect((await bot.connections.byId(two))?.state).toBe('gone')
    expect(bot.connections.keyOf(one)?.reveal()).toBe('pk_0_abcd')
  })
})
