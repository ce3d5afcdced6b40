import {type Clock, systemClock} from '../../async/clock.ts'
import {createKeyedQueue} from '../../async/keyed-queue.ts'
import {backoffMs, pause} from '../../async/pause.ts'
import type {Log} from '../../relay/ports.ts'
import type {Secret} from '../../security/secret.ts'
import type {TokenOf} from '../api/slack-client.ts'
import {type Grant, type Installation, withGrant} from './installation.ts'
import {SlackError} from '../../once/slack-error.ts'

/** One installation and its token: where tokens rotate, the one place that renews it. */
export interface Tokens {
  tokenOf: TokenOf
  installation(): Installation
  /** Changes what is stored of it, one change after the other. */
  change(change: (installation: Installation) => Installation): Promise<void>
  /** What others have stored is used from now on; what is over is asked for. */
  refresh(): Promise<void>
  /** Slack does not renew it any more: in Slack's words, and when the token that it has will end. */
  refusal(): {code: string; endsAtMs: number} | undefined
  /** Nothing is asked for any more. Resolves when what Slack has given is stored. */
  end(): Promise<void>
}

interface TokensOptions {
  first: Installation
  /**
   * Asks Slack for new tokens; the refresh token is worth nothing from then on.
   *
   * @throws {SlackError}
   */
  renew: (refreshToken: Secret) => Promise<Grant>
  /** Changes what is stored, whoever else does: what it is then. `undefined`: there is no such install any more. */
  store: (change: (installation: Installation) => Installation) => Promise<Installation | undefined>
  /** What is stored now. */
  read: () => Promise<Installation | undefined>
  /** Whether it is this instance that asks Slack: the others wait for what it stores. */
  mayRenew?: () => boolean
  /** Somebody has to ask Slack, and it is not us. */
  onNeeded?: () => void
  /** This one is not used any more. */
  onReplaced?: (token: Secret) => void
  clock?: Pick<Clock, 'nowMs' | 'dateMs'>
  log: Log
}

/** Two of Slack's twelve hours: whoever has to install the app anew has so long to do it. */
const RENEWED_IN_LAST = 1 / 6
const RETRY = {baseMs: 1000, maxMs: 60_000}
/** What Slack has refused once it will hardly allow. */
const REFUSED_RETRY_MS = 600_000
/** Who may not ask Slack looks so often, and so many times, what another instance has stored. */
const LOOK_EVERY_MS = 1000
const LOOKS = 10

/**
 * `fresh → renewed → stored → used`. A token is renewed while it still lives, and goes on being used until the new one is
 * stored: Slack leaves it alive until its own end. Who comes with one that is over waits for the new one. Only one asks
 * Slack at a time, since a refresh token works once. A process that dies between Slack's answer and the table keeps the
 * old token, and the operator reads when that will end: what Slack has answered once it does not answer again.
 */
export function createTokens(options: TokensOptions): Tokens {
  const {
    renew,
    store,
    read,
    mayRenew = () => true,
    onNeeded,
    onReplaced,
    clock = systemClock,
    log,
  } = options
  let current = options.first
  let renewing: Promise<void> | undefined
  const inOrder = createKeyedQueue()
  let failure: unknown
  let failures = 0
  let notBeforeMs = 0
  /** Slack has given it, and it could not be stored yet. */
  let unstored: {grant: Grant; atMs: number; spent: Secret} | undefined
  let isOver = false
  /** Until another token is here. */
  let woken = new AbortController()

  const change: Tokens['change'] = (make) =>
    inOrder('', async () => {
      const after = await store(make)
      if (after === undefined) throw new SlackError('dead', 'app_uninstalled')
      adopt(after)
    })

  const adopt = (stored: Installation): void => {
    if (stored.contents.reveal() === current.contents.reveal()) return
    // Whoever holds the old one has to see that it is another: where it is not, it is the same one still.
    const isSame = stored.token.reveal() === current.token.reveal()
    const {token} = current
    current = isSame ? {...stored, token} : stored
    if (isSame) return
    onReplaced?.(token)
    failure = undefined
    failures = 0
    notBeforeMs = 0
    woken.abort()
    woken = new AbortController()
  }

  /** Behind all changes: what is read is not older than what they have stored. */
  const catchUp = (): Promise<void> =>
    inOrder('', async () => {
      const stored = await read()
      if (stored !== undefined) adopt(stored)
    })

  const ask = async (old: Secret): Promise<void> => {
    if (clock.nowMs() < notBeforeMs) throw failure
    if (isOver) throw new SlackError('dead', 'app_uninstalled')
    try {
      // Its owner until now may have renewed it.
      await catchUp()
      if (current.token !== old || current.renewal === undefined) return
      const spent = current.renewal.refreshToken
      unstored ??= {grant: await renew(spent), atMs: clock.dateMs(), spent}
      await change(granted(unstored))
      unstored = undefined
      failure = undefined
      failures = 0
    } catch (error) {
      // A refresh token is spent, too, where another instance has renewed it while this one stood still.
      if (unstored === undefined) await catchUp().catch(() => undefined)
      if (current.token !== old) return
      fail(error)
      throw failure
    }
  }

  const fail = (error: unknown): void => {
    const mayPass = !(error instanceof SlackError) || ['retry', 'wait'].includes(error.kind)
    const waitMs = error instanceof SlackError ? error.retryAfterMs : 0
    notBeforeMs =
      clock.nowMs() + (mayPass ? Math.max(waitMs, backoffMs(failures, RETRY)) : REFUSED_RETRY_MS)
    failures += 1
    const wasRefused = refusal() !== undefined
    failure = mayPass ? error : new SlackError('dead', error.code, {cause: error})
    const details = {err: error, install: current.id}
    if (mayPass) log.warn(details, 'A token could not be renewed; trying again')
    else if (!wasRefused) log.error(details, 'Slack does not renew the token of this install')
  }

  const refusal: Tokens['refusal'] = () =>
    failure instanceof SlackError && failure.kind === 'dead'
      ? {code: failure.code, endsAtMs: current.renewal?.endsAtMs ?? 0}
      : undefined

  /** As its owner stores it, who is told that it is needed. */
  const waitForOwner = async (old: Secret): Promise<void> => {
    for (let look = 0; look < LOOKS && !isOver; look += 1) {
      await catchUp()
      if (current.token !== old) return
      if (mayRenew()) return ask(old)
      onNeeded?.()
      await pause(LOOK_EVERY_MS, woken.signal)
      if (current.token !== old) return
    }
    throw new SlackError('retry', 'token_not_renewed')
  }

  const tokenOf: TokenOf = async (expired) => {
    const {token, renewal} = current
    // Somebody else may have renewed it meanwhile.
    if (renewal === undefined || (expired !== undefined && expired !== token)) return token
    const {grantedAtMs, endsAtMs} = renewal
    const leftMs = expired === undefined ? endsAtMs - clock.dateMs() : 0
    if (leftMs > (endsAtMs - grantedAtMs) * RENEWED_IN_LAST) return token
    // What Slack has given is stored, whoever owns it by now: nobody else can have it.
    const isMine = mayRenew() || unstored !== undefined
    if (!isMine && leftMs > 0) return token
    const another = isMine ? ask : waitForOwner
    renewing ??= another(token).finally(() => (renewing = undefined))
    if (leftMs <= 0) await renewing
    // It is told, and it is told again when the token is over.
    else renewing.catch(() => undefined)
    return leftMs <= 0 ? current.token : token
  }

  return {
    tokenOf,
    installation: () => current,
    change,
    refresh: async () => {
      await catchUp()
      if (mayRenew()) tokenOf().catch(() => undefined) // it is told
    },
    refusal,
    end: async () => {
      isOver = true
      woken.abort()
      await renewing?.catch(() => undefined)
      await inOrder('', async () => undefined)
    },
  }
}

/** In the place of the refresh token that was spent for it: a newer one stays. */
function granted({grant, atMs, spent}: {grant: Grant; atMs: number; spent: Secret}) {
  return (stored: Installation): Installation =>
    stored.renewal?.refreshToken.reveal() === spent.reveal()
      ? withGrant(stored, grant, atMs)
      : stored
}
