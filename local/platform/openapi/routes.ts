import type {Hono} from 'hono'
import type {Env} from '../edge/request.ts'
import {writeOpenApi} from './document.ts'
import {writePage} from './page.ts'
import {writeOpenApiYaml} from './yaml.ts'

/** What the page may load: nothing. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

/** Where whoever writes a client or a platform reads the contract: beside the API, without a key. */
export function addContractRoutes(app: Hono<Env>): void {
  app.get('/openapi.yaml', (request) =>
    request.text(writeOpenApiYaml(), 200, {'content-type': 'application/yaml; charset=utf-8'}),
  )
  app.get('/openapi.json', (request) => request.json(writeOpenApi()))
  app.get('/docs', async (request) =>
    request.html(await writePage(writeOpenApi()), 200, {'content-security-policy': POLICY}),
  )
}
