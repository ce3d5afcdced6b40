import type {ServerResponse} from 'node:http'
import {html, raw} from 'hono/html'
import {installTexts} from './texts.ts'

/** What somebody's attempt to install the app came to. */
export type InstallOutcome =
  | {kind: 'installed'; name: string}
  | {kind: 'cancelled' | 'outdated' | 'busy' | 'silent' | 'broken'}
  | {kind: 'refused'; code: string}

const STATUS: Readonly<Record<InstallOutcome['kind'], number>> = {
  installed: 200,
  cancelled: 200,
  outdated: 400,
  refused: 400,
  busy: 503,
  silent: 502,
  broken: 500,
}

/** The address of the page holds Slack's word: it goes nowhere else, and nothing is loaded from elsewhere. */
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
}

const STYLE = raw(
  'body{font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:10vh auto;padding:0 1rem;color-scheme:light dark}' +
    'li{margin:.5rem 0}',
)

export async function showPage(response: ServerResponse, outcome: InstallOutcome): Promise<void> {
  const {title, body} = draw(outcome)
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <style>
          ${STYLE}
        </style>
      </head>
      <body>
        <h1>${title}</h1>
        ${body}
      </body>
    </html>`
  response.writeHead(STATUS[outcome.kind], HEADERS).end(String(await page))
}

function draw(outcome: InstallOutcome): {title: string; body: unknown} {
  const {kind} = outcome
  switch (kind) {
    case 'installed': {
      const steps = installTexts.next.map((step) => html`<li>${step}</li>`)
      return {
        title: installTexts.installed(outcome.name),
        body: html`<ol>
          ${steps}
        </ol>`,
      }
    }
    case 'cancelled':
      return withAgain(installTexts.cancelled, installTexts.cancelledWhy)
    case 'outdated':
      return withAgain(installTexts.outdated, installTexts.outdatedWhy)
    case 'refused':
      return withAgain(installTexts.refused, installTexts.refusedWhy(outcome.code))
    case 'busy':
      return withAgain(installTexts.busy, installTexts.busyWhy)
    case 'silent':
      return withAgain(installTexts.silent, installTexts.silentWhy)
    case 'broken':
      return withAgain(installTexts.broken, installTexts.brokenWhy)
    default:
      throw new Error(`Unknown outcome: ${JSON.stringify(kind satisfies never)}`)
  }
}

function withAgain(title: string, why: string): {title: string; body: unknown} {
  return {
    title,
    body: html`<p>${why}</p>
      <p><a href="install">${installTexts.again}</a></p>`,
  }
}
