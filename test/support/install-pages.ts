import {once} from 'node:events'
import {type RequestListener, createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {onTestFinished} from 'vitest'
import {Secret} from '../../src/security/secret.ts'
import {createSlackLogger} from '../../src/slack/api/log.ts'
import {createInstallPages} from '../../src/slack/installs/install-pages.ts'
import type {UsedStateStore} from '../../src/store/tables/used-states.ts'

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** The pages of as many instances as there are stores, and a Slack that gives a bot for every code, in its own time. */
export async function openPages(
  stores: readonly UsedStateStore[],
  {
    write = () => undefined,
    inTime = async () => undefined,
  }: {write?: (...line: unknown[]) => void; inTime?: () => Promise<unknown>} = {},
) {
  const log = {info: write, warn: write, error: write}
  const kept: string[] = []
  const slack = await listen((_request, response) => {
    const bot = {access_token: 'xoxb-1', bot_user_id: 'UB', token_type: 'bot', scope: 'chat:write'}
    const of = {team: {id: 'T1', name: 'One'}, authed_user: {id: 'U1'}, app_id: 'A1', bot_id: 'B1'}
    response.setHeader('content-type', 'application/json')
    void inTime().then(() => response.end(JSON.stringify({ok: true, ...bot, ...of})))
  })
  const origins = await Promise.all(
    stores.map((usedStates) => {
      const pages = createInstallPages({
        ...{slackApiUrl: `${slack}/api/`, logger: createSlackLogger(log), log},
        credentials: {
          ...{clientId: '1.2', clientSecret: new Secret('secret')},
          stateSecret: new Secret('state-secret'),
        },
        publicUrl: undefined,
        usedStates,
        keep: async ({team}) => void kept.push(team?.id ?? ''),
      })
      return listen((request, response) => {
        pages[(request.url ?? '').split('?')[0] ?? '']?.(request, response)
      })
    }),
  )
  /** The way back from Slack, with all that the browser brings. */
  const begin = async () => {
    const begun = await fetch(`${origins[0]}/slack/install`, {redirect: 'manual'})
    const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state') ?? ''
    const cookie = begun.headers.getSetCookie().map((one) => one.split(';')[0])
    const path = `/slack/oauth_redirect?code=c&state=${encodeURIComponent(state)}`
    const comeTo = async (origin: string) =>
      (await fetch(origin + path, {headers: {cookie: cookie.join('; ')}})).status
    return () => Promise.all(origins.map(comeTo))
  }
  return {origins, begin, kept}
}
