import type {
  AgentThreadView,
  MessageView,
  WorkspaceView,
  ShownViews,
} from '../../page-feed/contract.ts'
import {isFields, stringIn} from './block-shape.ts'

/** The page's requests. A refusal becomes an Error whose message can be shown as it is. */
export interface Api {
  workspace: () => Promise<WorkspaceView>
  messages: (channel: string) => Promise<MessageView[]>
  views: () => Promise<ShownViews>
  agentThreads: () => Promise<AgentThreadView[]>
  /** Does what a person does, by the name that `local/slack/control/acts.ts` gives it; answers what that act does. */
  act: <Result>(name: string, fields: object) => Promise<Result>
}

export function createApi(as: string, team: string | undefined): Api {
  const place: Record<string, string> = team === undefined ? {} : {team}
  const query = (more: Record<string, string> = {}): string =>
    new URLSearchParams({...place, as, ...more}).toString()
  return {
    workspace: () => read<WorkspaceView>(`/local/workspace?${query()}`),
    messages: (channel) => read<MessageView[]>(`/local/messages?${query({channel})}`),
    views: () => read<ShownViews>(`/local/views?${query()}`),
    agentThreads: () => read<AgentThreadView[]>(`/local/agent-threads?${query()}`),
    act: async <Result>(name: string, fields: object) => {
      const body = JSON.stringify({as, ...fields})
      const headers = {'content-type': 'application/json'}
      const {result} = await answer<{result: Result}>(() =>
        fetch(`/control/people/${name}?${new URLSearchParams(place).toString()}`, {
          method: 'POST',
          headers,
          body,
        }),
      )
      return result
    },
  }
}

async function read<T>(path: string): Promise<T> {
  return answer<T>(() => fetch(path))
}

async function answer<T>(ask: () => Promise<Response>): Promise<T> {
  let response
  try {
    response = await ask()
  } catch (cause) {
    throw new Error('The local Slack does not answer. Is it still running?', {cause})
  }
  // The page is served by the same process as these routes, in one version: the shape is its word.
  if (response.ok) return (await response.json()) as T
  throw new Error(refusal(response.status, await response.text()))
}

/** The server explains itself in a sentence, or with one of Slack's error codes. */
function refusal(status: number, body: string): string {
  const said = errorIn(body) ?? `HTTP ${status}`
  return said.includes(' ') ? said : `The local Slack refused this: ${said}.`
}

function errorIn(body: string): string | undefined {
  try {
    const answer: unknown = JSON.parse(body)
    return isFields(answer) ? stringIn(answer.error) : undefined
  } catch {
    return undefined // not JSON: the status has to do
  }
}
