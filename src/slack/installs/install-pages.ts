import type {RequestListener, ServerResponse} from 'node:http'
import {
  ClearStateStore,
  ErrorCode,
  InstallProvider,
  type Installation,
  InvalidStateError,
  type StateStore,
} from '@slack/oauth'
import {ErrorCode as WebApiErrorCode} from '@slack/web-api'
import {createPlaces} from '../../async/places.ts'
import type {Log} from '../../relay/ports.ts'
import type {Secret} from '../../security/secret.ts'
import {QUIET, type SlackAccess, toSlackError} from '../api/slack-client.ts'
import {scopes} from '../scopes.ts'
import {NoBotError} from './installation.ts'
import {type InstallOutcome, showPage} from './pages.ts'
import type {Credentials} from './renewing.ts'
import {randomUUID} from 'node:crypto'
import type {UsedStateStore} from '../../store/tables/used-states.ts'

interface InstallPagesOptions extends SlackAccess {
  credentials: Credentials & {stateSecret: Secret}
  /** Where Bosun is reached from outside; without it Slack leads back to the first of the app's redirect URLs. */
  publicUrl: string | undefined
  usedStates: UsedStateStore
  /** @throws {NoBotError} */
  keep: (installation: Installation) => Promise<void>
  log: Log
}

const REDIRECT = '/slack/oauth_redirect'
/** Anybody gets a state and may come back with it: Slack is asked about so many at once, however slowly it answers. */
const PLACES = {most: 16, mostOfOne: 16}

/** The way into a workspace, by path: to Slack's own page that asks for leave, and back from it. */
export function createInstallPages(
  options: InstallPagesOptions,
): Readonly<Record<string, RequestListener>> {
  const {credentials, publicUrl, slackApiUrl, logger, fetch, keep, usedStates, log} = options
  const {clientId, clientSecret, stateSecret} = credentials
  const provider = new InstallProvider({
    clientId,
    clientSecret: clientSecret.reveal(),
    // It has a line for whoever comes with nothing: nobody may fill the log from outside. What is ours is told below.
    logger: {...logger, error: () => undefined},
    stateStore: createStates(stateSecret, usedStates),
    authorizationUrl: new URL('/oauth/v2/authorize', slackApiUrl).href,
    directInstall: true,
    clientOptions: {...QUIET, slackApiUrl, ...(fetch !== undefined && {fetch})},
    installationStore: {
      storeInstallation: keep,
      fetchInstallation: () => Promise.reject(new Error('Installs are read elsewhere')),
    },
  })
  const wish = {
    scopes: Object.keys(scopes),
    ...(publicUrl !== undefined && {
      redirectUri: `${publicUrl.replace(/(?<!\/)\/+$/, '')}${REDIRECT}`,
    }),
  }

  const take = createPlaces(PLACES)

  const fail = async (response: ServerResponse, error: unknown, asked?: string): Promise<void> => {
    const outcome = outcomeOf(error, asked)
    if (outcome.kind === 'broken') log.error({err: error}, 'An installation could not be kept')
    await showPage(response, outcome)
  }

  /** Nothing is left to be said where even that failed. */
  const guard = (work: Promise<void>, response: ServerResponse): void => {
    work.catch((error: unknown) => {
      log.error({err: error}, 'A page for an installation failed')
      response.destroy()
    })
  }

  return {
    '/slack/install': (request, response) => {
      // It brings a state and its cookie: from a cache all would come back with the same ones.
      response.setHeader('cache-control', 'no-store')
      const begin = provider.handleInstallPath(request, response, {}, wish)
      guard(
        begin.catch((error: unknown) => fail(response, error)),
        response,
      )
    },
    [REDIRECT]: (request, response) => {
      const leave = take('')
      if (leave === undefined) {
        guard(showPage(response, {kind: 'busy'}), response)
        return
      }
      const said = new URL(request.url ?? '', 'http://localhost').searchParams.get('error')
      // Slack's package reads the address together with the host that somebody names, which may be none.
      request.headers.host = 'localhost'
      const back = provider.handleCallback(request, response, {
        successAsync: ({team, enterprise}) =>
          showPage(response, {
            kind: 'installed',
            name: (team ?? enterprise)?.name ?? 'your workspace',
          }),
        failureAsync: (error) => fail(response, error, said ?? undefined),
      })
      guard(back.finally(leave), response)
    },
  }
}

/** What Slack may say of itself: nothing else comes onto a page. */
const CODE = /^[a-z_]{1,60}$/

function outcomeOf(error: unknown, asked: string | undefined): InstallOutcome {
  if (error instanceof NoBotError) return {kind: 'refused', code: 'no_bot'}
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  switch (code) {
    case ErrorCode.AuthorizationError:
      return {kind: 'cancelled'}
    case ErrorCode.InvalidStateError:
    case ErrorCode.MissingStateError:
      return {kind: 'outdated'}
    case ErrorCode.MissingCodeError:
      return asked !== undefined && CODE.test(asked)
        ? {kind: 'refused', code: asked}
        : {kind: 'outdated'}
    case WebApiErrorCode.PlatformError:
    case WebApiErrorCode.RequestError:
    case WebApiErrorCode.HTTPError:
    case WebApiErrorCode.RateLimitedError:
      return refusalOf(error)
    default:
      return {kind: 'broken'}
  }
}

function refusalOf(error: unknown): InstallOutcome {
  const {kind, code} = toSlackError(error)
  if (kind === 'retry' || kind === 'wait' || !CODE.test(code)) return {kind: 'silent'}
  return {kind: 'refused', code}
}

const LIFE_SECONDS = 600
/** Somebody waits for the page. */
const WRITE_WITHIN_MS = 5000

/** What a browser brings back from Slack: signed, for ten minutes, each its own, and used once. */
function createStates(secret: Secret, usedStates: UsedStateStore): StateStore {
  const signed = new ClearStateStore(secret.reveal(), LIFE_SECONDS)

  return {
    generateStateParam: (options, now) =>
      signed.generateStateParam({...options, metadata: randomUUID()}, now),
    verifyStateParam: async (now, state) => {
      const options = await signed.verifyStateParam(now, state)
      // A database that does not take it lets nobody in: it may have been used.
      const late = AbortSignal.timeout(WRITE_WITHIN_MS)
      if (!(await usedStates.use(state, now.getTime(), late))) {
        throw new InvalidStateError('The state was used already')
      }
      return options
    },
  }
}
