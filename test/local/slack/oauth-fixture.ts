import {createServer, type Server} from 'node:http'
import {once} from 'node:events'
import {App, HTTPReceiver} from '@slack/bolt'
import {
  InstallProvider,
  type CodedError,
  type Installation,
  type InstallationStore,
} from '@slack/oauth'
import {WebClient} from '@slack/web-api'
import {onTestFinished} from 'vitest'
import type {LocalSlackOptions} from '../../../local/slack/options.ts'
import type {LocalSlack} from '../../../local/slack/server.ts'
import {openSlack, quiet} from './slack-fixture.ts'

const scopes = ['chat:write', 'channels:history']

/** An app's own server, on a port of its own before there is a Slack. */
export async function openServer(): Promise<{server: Server; origin: string}> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port.')
  return {server, origin: `http://127.0.0.1:${address.port}`}
}

/** Installations by workspace, as the app keeps them. */
function createStore() {
  const kept = new Map<string, Installation>()
  const store: InstallationStore = {
    storeInstallation: async (installation) => {
      kept.set(installation.team?.id ?? '', installation)
    },
    fetchInstallation: async ({teamId}) => {
      const found = kept.get(teamId ?? '')
      if (found === undefined) throw new Error(`Not installed in ${String(teamId)}.`)
      // As a database would: what the installer changes is not yet kept.
      return structuredClone(found)
    },
    deleteInstallation: async ({teamId}) => void kept.delete(teamId ?? ''),
  }
  return {kept, store}
}

/** The official installer at `/install` and `/callback`, and what it ended with. */
export async function openInstaller(options: LocalSlackOptions = {}) {
  const {server, origin} = await openServer()
  const redirectUri = `${origin}/callback`
  const {slack} = await openSlack({...options, redirectUrls: [redirectUri]})
  const {kept, store} = createStore()
  const credentials = credentialsOf(slack)
  const installer = new InstallProvider({
    ...credentials,
    stateSecret: 'a secret of the app',
    installationStore: store,
    authorizationUrl: `${slack.origin}/oauth/v2/authorize`,
    clientOptions: {slackApiUrl: slack.apiUrl, retryConfig: {retries: 0}},
    logger: quiet,
  })
  const failures: CodedError[] = []
  const callbacks = {
    failure: (error: CodedError, ...[, , response]: [unknown, unknown, {end(): unknown}]) => {
      failures.push(error)
      response.end()
    },
  }
  const ask = {scopes: [...scopes], redirectUri}
  server.on('request', (request, response) => {
    const isInstall = request.url?.startsWith('/install') === true
    void (isInstall
      ? installer.handleInstallPath(request, response, {}, ask)
      : installer.handleCallback(request, response, callbacks))
  })
  const tokenless = new WebClient(undefined, {
    slackApiUrl: slack.apiUrl,
    retryConfig: {retries: 0},
    logger: quiet,
  })
  const authorizeUrl = await installer.generateInstallUrl(ask)
  return {
    ...{slack, installer, kept, failures, credentials, tokenless},
    ...{installUrl: `${origin}/install`, authorizeUrl, redirectUri},
  }
}

export function credentialsOf(slack: LocalSlack, at = 0) {
  const app = slack.apps.all()[at]
  return {clientId: app?.clientId ?? '', clientSecret: app?.clientSecret ?? ''}
}

/** A Bolt app with its own installer on a server that listens already. */
export function createOauthApp(
  slack: LocalSlack,
  {server, origin}: {server: Server; origin: string},
) {
  const {kept, store} = createStore()
  const receiver = new HTTPReceiver({
    ...credentialsOf(slack),
    signingSecret: slack.signingSecret,
    stateSecret: 'a secret of the app',
    scopes,
    redirectUri: `${origin}/slack/oauth_redirect`,
    installationStore: store,
    installerOptions: {
      authorizationUrl: `${slack.origin}/oauth/v2/authorize`,
      redirectUriPath: '/slack/oauth_redirect',
      clientOptions: {slackApiUrl: slack.apiUrl},
    },
    logger: quiet,
  })
  const app = new App({receiver, logger: quiet, clientOptions: {slackApiUrl: slack.apiUrl}})
  server.on('request', receiver.requestListener)
  slack.setEventsUrl(`${origin}/slack/events`)
  return {app, kept, installUrl: `${origin}/slack/install`}
}

/** A person in front of the consent page. */
interface Visitor {
  as: string
  answer?: 'allow' | 'cancel'
}

/** From the app's own page over Slack's consent page back to the app, cookies and all. */
export async function install(
  installUrl: string,
  {as, answer = 'allow'}: Visitor,
): Promise<Response> {
  const landing = await fetch(installUrl)
  const cookie = landing.headers.get('set-cookie')?.split(';')[0] ?? ''
  const link = /href="([^"]*authorize[^"]*)"/.exec(await landing.text())?.[1] ?? ''
  const location = await consent(link.replaceAll('&amp;', '&'), {as, answer})
  return fetch(location, {headers: {cookie}})
}

/** Looks at the page and answers it; where it leads to. */
export async function consent(
  authorizeUrl: string,
  {as, answer = 'allow'}: Visitor,
): Promise<string> {
  const page = await fetch(authorizeUrl)
  if (!page.ok) throw new Error(await page.text())
  const response = await fetch(authorizeUrl, {
    method: 'POST',
    body: new URLSearchParams({as, answer}),
    redirect: 'manual',
  })
  const location = response.headers.get('location')
  if (location === null) throw new Error(await response.text())
  return location
}

/** The code that allowing leads back with. */
export async function codeOf(authorizeUrl: string, as = 'U0JANE'): Promise<string> {
  const location = await consent(authorizeUrl, {as})
  return new URL(location).searchParams.get('code') ?? ''
}
