import {Hono} from 'hono'

/** One thing that has to be well for the bot to be well. */
export interface Health {
  name: string
  /** `undefined` when it is well, else what is wrong, in words without secrets. */
  check: () => Promise<string | undefined>
}

/** `GET /healthz`: 200 when all is well, 503 with what is wrong. */
export function createRoutes(health: readonly Health[]): Hono {
  const routes = new Hono()
  routes.get('/healthz', async (context) => {
    const results = await Promise.all(
      health.map(async ({name, check}) => [name, (await check()) ?? 'ok'] as const),
    )
    const isWell = results.every(([, word]) => word === 'ok')
    const body = {status: isWell ? 'ok' : 'unwell', ...Object.fromEntries(results)}
    return context.json(body, isWell ? 200 : 503)
  })
  routes.notFound((context) => context.json({error: 'not_found'}, 404))
  return routes
}
