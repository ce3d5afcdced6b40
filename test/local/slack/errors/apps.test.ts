import {refuses, type Place} from './refuses.ts'

const redirectUri = 'https://bosun.test/back'
const credentials = ({slack}: Place) => {
  const [app] = slack.apps.all()
  return {client_id: app?.clientId ?? '', client_secret: app?.clientSecret ?? ''}
}
const client = (args: object) => async (at: Place) => ({...credentials(at), ...args})
const stranger = {client_id: '1.2', client_secret: 'x'}

/** Jane lets the app in: the code that its page gets. */
const consented = (path: string, args: object) => async (at: Place) => {
  const url = new URL(path, at.slack.origin)
  const {client_id} = credentials(at)
  url.search = String(
    new URLSearchParams({client_id, scope: 'chat:write', redirect_uri: redirectUri}),
  )
  const body = new URLSearchParams({answer: 'allow', as: 'U0JANE'})
  const response = await fetch(url, {method: 'POST', body, redirect: 'manual'})
  const back = new URL(response.headers.get('location') ?? '')
  return {...credentials(at), code: back.searchParams.get('code'), ...args}
}

refuses(
  {
    'oauth.v2.access: bad_client_secret': client({client_secret: 'x'}),
    'oauth.v2.access: bad_redirect_uri': consented('/oauth/v2/authorize', {
      redirect_uri: 'https://bosun.test/elsewhere',
    }),
    'oauth.v2.access: invalid_client_id': stranger,
    'oauth.v2.access: invalid_code': client({code: '1.x'}),
    'oauth.v2.access: invalid_grant_type': client({grant_type: 'password'}),
    'oauth.v2.access: invalid_refresh_token': client({
      grant_type: 'refresh_token',
      refresh_token: 'xoxe-1-x',
    }),
    'oauth.v2.access: oauth_authorization_url_mismatch': consented('/oauth/authorize', {
      redirect_uri: redirectUri,
    }),
    'oauth.v2.access: pkce_not_allowed': client({code_verifier: 'x'}),
    'oauth.v2.exchange: authorization_not_found': client({token: 'xoxb-none'}),
    'oauth.v2.exchange: bad_client_secret': client({client_secret: 'x'}),
    'oauth.v2.exchange: invalid_client_id': stranger,
    'oauth.v2.exchange: token_already_exchanged': client({}),
  },
  {tokenRotation: true, redirectUrls: [redirectUri]},
)

refuses({
  'oauth.v2.exchange: token_rotation_not_enabled': client({}),
  'apps.uninstall: client_id_token_mismatch': stranger,
  'apps.uninstall: invalid_client_id': {},
  'apps.connections.open: not_allowed_token_type': {},
})

// Tokens that end at once.
refuses({'auth.test: token_expired': {}}, {tokenRotation: true, timeFactor: 0})
