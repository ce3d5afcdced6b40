import {Hono} from 'hono'
import {z} from 'zod'
import {isLoopbackHost} from '../../loopback.ts'
import {invalidRequest} from '../edge/errors.ts'
import {type Env, readBody} from '../edge/request.ts'
import type {Webhooks} from './webhooks.ts'

const webhookSchema = z.strictObject({address: z.string(), secret: z.string().min(1)})

/** The page of the local GitHub where people set up a webhook, as at GitHub under *Webhooks → Add webhook*. */
export function createGithubPage(webhooks: Webhooks): Hono<Env> {
  const app = new Hono<Env>()
  app.get('/', (request) => request.html(draw(webhooks.addresses())))
  app.post('/', async (request) => {
    const {address, secret} = await readBody(request, webhookSchema)
    const url = URL.parse(address.trim())
    if (url?.protocol !== 'http:' || !isLoopbackHost(url.host)) {
      throw invalidRequest(
        'The payload URL has to be one of this machine, such as http://127.0.0.1:4006/hooks/…',
      )
    }
    webhooks.add({address: url.href, secret: secret.trim()})
    return request.json({address: url.href})
  })
  return app
}

function draw(addresses: readonly string[]): string {
  const known = addresses.map((address) => `<li><code>${escape(address)}</code></li>`).join('')
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Webhooks · local GitHub</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 3rem auto; padding: 0 1rem }
label { display: block; margin: 1rem 0 } input { font: inherit; width: 100%; padding: .4rem; box-sizing: border-box }
button { font: inherit; padding: .4rem 1rem } code { overflow-wrap: anywhere }
</style>
<h1>Webhooks</h1>
<p>This is the GitHub of the demo: it tells of the pull requests that the scripted agent opens.</p>
<ul>${known}</ul>
<form>
<label>Payload URL<input name="address" required placeholder="http://127.0.0.1:4006/hooks/…"></label>
<label>Secret<input name="secret" type="password" required autocomplete="off" placeholder="sk_hook_…"></label>
<button>Add webhook</button> <output></output>
</form>
<script>
const form = document.querySelector('form')
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const body = JSON.stringify(Object.fromEntries(new FormData(form)))
  const answer = await fetch('', {method: 'POST', headers: {'content-type': 'application/json'}, body})
  if (answer.ok) return location.reload()
  const said = await answer.json()
  document.querySelector('output').textContent = said.error?.message ?? said.message ?? 'That is refused.'
})
</script></html>`
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
