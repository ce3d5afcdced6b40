import {html, raw} from 'hono/html'
import type {App} from './app.ts'

/** Somebody who may let apps in, by the workspace. */
export interface Admin {
  id: string
  label: string
  teamId: string
}

const refusals: Readonly<Record<string, string>> = {
  invalid_client_id: 'No app has this client_id. Check the address that led here.',
  no_scopes: 'The app asks for no scopes. Name them in the scope parameter.',
  invalid_scope:
    'The app asks for a scope that it does not declare. User scopes are never declared here.',
  pkce_not_allowed: 'The app has not declared PKCE.',
  bad_redirect_uri: "The redirect_uri is none of the app's own. Add it to the app's redirectUrls.",
  not_an_admin: 'Only an admin of a workspace may install apps there. Choose another person.',
}

/** Instead of the page, with the next step. */
export function refusalPage(code: string) {
  return frame(
    'Something went wrong',
    html`<h1>Something went wrong</h1>
      <p>${refusals[code]}</p>
      <p><code>${code}</code></p>`,
  )
}

/** `wanted`: the workspace that is chosen to begin with. */
export function consentPage(
  {app, scopes}: {app: App; scopes: readonly string[]},
  admins: readonly Admin[],
  wanted: string | undefined,
) {
  return frame(
    `Install ${app.name}`,
    html`<h1>${app.name} asks for access to your workspace</h1>
      <form method="post">
        <label
          >Workspace and admin
          <select name="as">
            ${admins.map(
              ({id, label, teamId}) =>
                html`<option value="${id}" ${teamId === wanted ? 'selected' : ''}>
                  ${label}
                </option>`,
            )}
          </select></label
        >
        <p>${app.name} will be able to use:</p>
        <ul>
          ${scopes.map((scope) => html`<li><code>${scope}</code></li>`)}
        </ul>
        <button name="answer" value="cancel">Cancel</button>
        <button name="answer" value="allow" class="allow">Allow</button>
      </form>`,
  )
}

const style = raw(`
  :root {
    color-scheme: light dark;
  }
  body {
    font:
      15px/1.5 system-ui,
      sans-serif;
    max-width: 34rem;
    margin: 10vh auto;
    padding: 0 1rem;
  }
  label,
  select {
    display: block;
    width: 100%;
  }
  select,
  button {
    font: inherit;
    padding: 0.5rem 0.75rem;
  }
  .allow {
    background: #007a5a;
    color: #fff;
    border: 0;
    border-radius: 4px;
  }
`)

function frame(title: string, body: ReturnType<typeof html>) {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <style>
          ${style}
        </style>
      </head>
      <body>
        ${body}
      </body>
    </html>`
}
