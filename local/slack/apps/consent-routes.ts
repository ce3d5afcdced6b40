import {Hono, type Context} from 'hono'
import type {Member, Organization, Roster} from '../workspace/workspace.ts'
import type {App} from './app.ts'
import {consentPage, refusalPage, type Admin} from './consent-page.ts'
import type {Codes} from './oauth.ts'

interface ConsentParts {
  apps: readonly App[]
  organization: Organization | undefined
  rosters: readonly Roster[]
  codes: Codes
}

/** What an app asks for, by the query of the page. */
interface Ask {
  app: App
  scopes: string[]
  redirectUri: string
  isRedirectAsked: boolean
  isFirstVersion: boolean
  state: string
}

/**
 * The page on which somebody lets an app into their workspace. It leads back to the app with a code, or
 * with `error=access_denied`: https://docs.slack.dev/authentication/installing-with-oauth. The page of the
 * first OAuth is here too; oauth.v2.access takes none of its codes.
 */
export function consentRoutes(parts: ConsentParts): Hono {
  const routes = new Hono()
  for (const path of ['/oauth/v2/authorize', '/oauth/authorize']) {
    routes.get(path, (context) => {
      const ask = readAsk(parts, context)
      if (typeof ask === 'string') return context.html(refusalPage(ask), 400)
      return context.html(consentPage(ask, adminsOf(parts), context.req.query('team')))
    })
    routes.post(path, async (context) => {
      const ask = readAsk(parts, context)
      if (typeof ask === 'string') return context.html(refusalPage(ask), 400)
      const back = answer(parts, ask, await context.req.parseBody())
      if (back === undefined) return context.html(refusalPage('not_an_admin'), 403)
      return context.redirect(back.href)
    })
  }
  return routes
}

/** Where the browser goes on; `undefined`: who answered may not. */
function answer(
  {rosters, codes, organization}: ConsentParts,
  {app, state, ...ask}: Ask,
  form: Record<string, unknown>,
): URL | undefined {
  const back = new URL(ask.redirectUri)
  if (state !== '') back.searchParams.set('state', state)
  if (form['answer'] !== 'allow') {
    back.searchParams.set('error', 'access_denied')
    return back
  }
  const [userId = '', owner] = typeof form['as'] === 'string' ? form['as'].split(' ') : []
  const roster = rosters.find((one) => isAdmin(one.member(userId)))
  if (roster === undefined) return undefined
  const teamId = owner !== undefined && owner === organization?.id ? owner : roster.team.id
  const consent = {...ask, appId: app.id, teamId, userId}
  back.searchParams.set('code', codes.issue(consent))
  return back
}

function isAdmin(member: Member | undefined): boolean {
  return member?.isAdmin === true && !member.isBot && member.deactivated !== true
}

/** Admins of the first workspace speak for the organization, too. */
function adminsOf({rosters, organization}: ConsentParts): Admin[] {
  const ofTeams = rosters.flatMap(({team, members}) =>
    members()
      .filter(isAdmin)
      .map(({id, realName}) => ({id, label: `${team.name}: ${realName}`, teamId: team.id})),
  )
  const [first] = ofTeams
  if (organization === undefined || first === undefined) return ofTeams
  const {id: teamId, name} = organization
  return [...ofTeams, {id: `${first.id} ${teamId}`, label: `All workspaces of ${name}`, teamId}]
}

/** The words of Slack's own error page, where the ask is none. */
function readAsk({apps}: ConsentParts, context: Context): Ask | string {
  const query = context.req.query()
  const app = apps.find(({clientId}) => clientId === query['client_id'])
  if (app === undefined) return 'invalid_client_id'
  if (query['code_challenge'] !== undefined) return 'pkce_not_allowed'
  const scopes = toScopes(query['scope'])
  const declared = app.options.scopes ?? scopes
  const unknown = [
    ...scopes.filter((one) => !declared.includes(one)),
    ...toScopes(query['user_scope']),
  ]
  if (unknown.length > 0) return 'invalid_scope'
  if (scopes.length === 0) return 'no_scopes'
  const {redirectUrls = []} = app.options
  const redirectUri = query['redirect_uri'] ?? redirectUrls[0] ?? ''
  if (!redirectUrls.some((url) => isBelow(redirectUri, url))) return 'bad_redirect_uri'
  return {
    app,
    scopes,
    redirectUri,
    isRedirectAsked: query['redirect_uri'] !== undefined,
    isFirstVersion: context.req.path === '/oauth/authorize',
    state: query['state'] ?? '',
  }
}

function toScopes(text = ''): string[] {
  return text.split(/[ ,]+/).filter((scope) => scope !== '')
}

/** The address itself, or one below it on the same host. */
function isBelow(address: string, declared: string): boolean {
  if (!URL.canParse(address) || !URL.canParse(declared)) return false
  const [below, base] = [new URL(address), new URL(declared)]
  const path = base.pathname.endsWith('/') ? base.pathname : `${base.pathname}/`
  const isSame = below.pathname === base.pathname
  return below.origin === base.origin && (isSame || below.pathname.startsWith(path))
}
