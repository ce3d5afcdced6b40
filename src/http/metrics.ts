import {createHash, timingSafeEqual} from 'node:crypto'
import type {Hono} from 'hono'
import type {Secret} from '../security/secret.ts'
import {bearerIn, refuse} from './refusals.ts'

interface MetricsOptions {
  scrape: () => Promise<{type: string; body: string}>
  /** `undefined`: whoever reaches the port may ask. */
  token: Secret | undefined
}

/** `GET /metrics`, in the text format of Prometheus, for who brings the token. */
export function addMetrics(routes: Hono, {scrape, token}: MetricsOptions): void {
  routes.get('/metrics', async ({req}) => {
    if (token !== undefined && !isToken(bearerIn(req.raw.headers), token)) {
      const challenge = {'www-authenticate': 'Bearer'}
      return refuse(401, 'unauthorized', 'Send METRICS_TOKEN as a bearer token.', challenge)
    }
    const {type, body} = await scrape()
    return new Response(body, {headers: {'content-type': type, 'cache-control': 'no-store'}})
  })
}

/** Takes as long whatever is brought. */
function isToken(brought: string | undefined, token: Secret): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(brought ?? ''), digest(token.reveal()))
}
