import {Secret} from '../../src/security/secret.ts'
import {openStore} from '../../src/store/store.ts'
import type {Platform} from '../platform/server.ts'
import type {LocalSlack} from '../slack/server.ts'

/** The first one is there anyway; the ids of the others hold their names. */
export const workspaces = [
  {id: 'T0LOCAL', name: 'Acme'},
  ...['Bakery', 'Cinema', 'Florist', 'Garage', 'Harbour'].map((name) => ({
    id: `T0${name.toUpperCase()}`,
    name,
  })),
]

const adminOf = (team: string): string => (team === 'T0LOCAL' ? 'U0JANE' : `U${team.slice(1)}ALEX`)
const channelOf = (team: string): string =>
  team === 'T0LOCAL' ? 'C0GENERAL' : `C${team.slice(1)}GENERAL`

/** Each workspace has a key of its own, and a project. */
export async function connectWorkspaces(of: {
  url: string
  key: string
  platform: Platform
}): Promise<void> {
  const {url: path, key, platform} = of
  await using store = await openStore({path, sealingKeys: [{id: 'demo', key: new Secret(key)}]})
  const [projectId = ''] = platform.projectIds
  for (const {id: team} of workspaces) {
    const by = {user: adminOf(team), nowMs: Date.now()}
    const ask = {team, label: 'Demo', key: new Secret(platform.keys.human), madeBy: by.user}
    const {id: connectionId} = await store.connections.add(ask, by.nowMs)
    await store.bindings.change({team, channel: ''}, {connectionId, projectId}, by)
  }
}

/** An admin goes through Slack's own pages, without a browser, and invites Bosun to #general. */
export async function installIn(team: string, slack: LocalSlack, origin: string): Promise<void> {
  const begun = await fetch(`${origin}/slack/install`, {redirect: 'manual'})
  const cookie = begun.headers.get('set-cookie')?.split(';', 1)[0] ?? ''
  const consent = new URL(begun.headers.get('location') ?? '')
  consent.searchParams.set('team', team)
  const body = new URLSearchParams({as: adminOf(team), answer: 'allow'})
  const allowed = await fetch(consent, {method: 'POST', body, redirect: 'manual'})
  const back = await fetch(allowed.headers.get('location') ?? '', {headers: {cookie}})
  if (!back.ok) throw new Error(`${team} could not be installed: ${await back.text()}`)
  if (team !== 'T0LOCAL') await slack.peopleOf(team).inviteBot(channelOf(team))
}
