import {expect, test} from 'vitest'
import {Secret} from '../../src/security/secret.ts'
import {
  type Grant,
  type Installation,
  openInstall,
  toInstall,
  withGrant,
} from '../../src/slack/installs/installation.ts'
import {createTokens} from '../../src/slack/installs/tokens.ts'
import {SlackError} from '../../src/once/slack-error.ts'

const HOUR_MS = 3_600_000

function openTokens(changes: {
  renew?: (refreshToken: Secret) => Promise<Grant>
  store?: (installation: Installation) => Promise<boolean>
}) {
  let nowMs = 1_700_000_000_000
  /** So far somebody has set the date back. */
  let backMs = 0
  const asked: string[] = []
  const stored: string[] = []
  const logged: string[] = []
  const replaced: string[] = []
  const log = (_details: object, message: string) => void logged.push(message)
  const given = {
    ...{team: {id: 'T1', name: 'One'}, enterprise: undefined, isEnterpriseInstall: false},
    user: {id: 'U1', token: undefined, scopes: undefined},
    bot: {
      ...{token: 't0', refreshToken: 'r0', id: 'B1', userId: 'UB', scopes: ['chat:write']},
      expiresAt: nowMs / 1000 + 12 * 3600,
    },
  }
  let standing = openInstall(toInstall(given, nowMs))
  const tokens = createTokens({
    first: standing,
    read: async () => standing,
    renew: async (refreshToken) => {
      asked.push(refreshToken.reveal())
      if (changes.renew !== undefined) return changes.renew(refreshToken)
      const number = asked.length
      return {token: `t${number}`, refreshToken: `r${number}`, lifeSeconds: 12 * 3600}
    },
    store: async (change) => {
      const installation = change(standing)
      if ((await changes.store?.(installation)) === false) return undefined
      stored.push(installation.token.reveal())
      standing = installation
      return installation
    },
    onReplaced: (token) => void replaced.push(token.reveal()),
    clock: {nowMs: () => nowMs, dateMs: () => nowMs - backMs},
    log: {info: log, warn: log, error: log},
  })
  const now = async (expired?: string): Promise<string> => {
    const current = tokens.installation().token
    return (await tokens.tokenOf(expired === current.reveal() ? current : undefined)).reveal()
  }
  const pass = (ms: number) => (nowMs += ms)
  const setBack = (ms: number) => (backMs += ms)
  const elsewhere = (grant: Grant): void => {
    standing = withGrant(standing, grant, nowMs)
  }
  return {tokens, now, pass, setBack, asked, stored, logged, replaced, elsewhere}
}

const refusal = (code: string, kind: SlackError['kind'] = 'refused') => new SlackError(kind, code)

test('a token that lives for hours is left alone; in its last sixth one asks for the next', async () => {
  const {tokens, now, pass, asked, stored} = openTokens({})
  pass(9.9 * HOUR_MS)
  expect(await now()).toBe('t0')
  expect(asked).toEqual([])
  pass(0.2 * HOUR_MS)
  expect(await Promise.all([now(), now(), now()])).toEqual(['t0', 't0', 't0'])
  await tokens.end()
  expect([asked, stored]).toEqual([['r0'], ['t1']])
  expect(await now()).toBe('t1')
})

test('who comes with a token that is over waits for the new one, and asks nobody twice', async () => {
  const {now, pass, asked, stored, replaced} = openTokens({})
  pass(13 * HOUR_MS)
  expect(await Promise.all([now(), now(), now()])).toEqual(['t1', 't1', 't1'])
  pass(13 * HOUR_MS)
  expect(await now()).toBe('t2')
  expect(replaced).toEqual(['t0', 't1'])
  expect([asked, stored]).toEqual([
    ['r0', 'r1'],
    ['t1', 't2'],
  ])
})

test('a token that Slack calls expired is renewed, whatever our clock says', async () => {
  const {tokens, now, asked} = openTokens({})
  const old = tokens.installation().token
  expect(await now('t0')).toBe('t1')
  // A call that was longer on its way finds it done.
  expect((await tokens.tokenOf(old)).reveal()).toBe('t1')
  expect(asked).toEqual(['r0'])
})

test('a token that could not be renewed is renewed a minute later, also where the date is set back meanwhile', async () => {
  let isAway = true
  const {now, pass, setBack} = openTokens({
    renew: async () => {
      if (isAway) throw new SlackError('retry', 'no_answer')
      return {token: 't1', refreshToken: 'r1', lifeSeconds: 12 * 3600}
    },
  })
  await expect(now('t0')).rejects.toThrow()
  isAway = false
  setBack(5 * HOUR_MS)
  pass(60_000)
  expect(await now('t0')).toBe('t1')
})

test('nothing is used that is not stored, and what could not be stored is not asked for again', async () => {
  let isBroken = true
  const {now, pass, asked, stored} = openTokens({
    store: async () => {
      if (isBroken) throw new Error('The disk is full')
      return true
    },
  })
  pass(11 * HOUR_MS)
  expect(await now()).toBe('t0')
  await new Promise(setImmediate)
  expect([await now(), stored]).toEqual(['t0', []])
  isBroken = false
  pass(HOUR_MS)
  expect(await now()).toBe('t1')
  expect([asked, stored]).toEqual([['r0'], ['t1']])
})

test('a refresh token that is spent leaves the old token at work until its end, and is told of once', async () => {
  const {tokens, now, pass, asked, logged} = openTokens({
    renew: () => Promise.reject(refusal('invalid_refresh_token')),
  })
  pass(11 * HOUR_MS)
  expect(await now()).toBe('t0')
  await new Promise(setImmediate)
  expect(await now()).toBe('t0')
  expect(asked).toEqual(['r0'])
  expect(tokens.refusal()).toEqual({
    code: 'invalid_refresh_token',
    endsAtMs: 1_700_000_000_000 + 12 * HOUR_MS,
  })
  pass(2 * HOUR_MS)
  await expect(now()).rejects.toMatchObject({kind: 'dead', code: 'invalid_refresh_token'})
  await expect(now()).rejects.toMatchObject({kind: 'dead'})
  expect(logged).toEqual(['Slack does not renew the token of this install'])
})

test('a refresh token that another instance has spent meanwhile is no refusal: its token is used', async () => {
  const {now, pass, tokens, logged, elsewhere} = openTokens({
    renew: async () => {
      elsewhere({token: 'tx', refreshToken: 'rx', lifeSeconds: 12 * 3600})
      throw refusal('invalid_refresh_token')
    },
  })
  pass(13 * HOUR_MS)
  expect(await now()).toBe('tx')
  expect([tokens.refusal(), logged]).toEqual([undefined, []])
})

test('a Slack that does not answer is asked again later, and nobody is told that all is lost', async () => {
  let isSilent = true
  const {tokens, now, pass, asked} = openTokens({
    renew: async () => {
      if (isSilent) throw refusal('no_answer', 'retry')
      return {token: 't1', refreshToken: 'r1', lifeSeconds: 60}
    },
  })
  pass(13 * HOUR_MS)
  await expect(now()).rejects.toMatchObject({kind: 'retry'})
  expect(tokens.refusal()).toBeUndefined()
  isSilent = false
  pass(60_000)
  expect(await now()).toBe('t1')
  expect(asked).toEqual(['r0', 'r0'])
})

test('an install that is gone meanwhile is not brought back', async () => {
  const {now, pass} = openTokens({store: async () => false})
  pass(13 * HOUR_MS)
  await expect(now()).rejects.toMatchObject({kind: 'dead', code: 'app_uninstalled'})
})
