import type {MessageView, PostMessage, PressElement, WorkspaceView} from '../view.ts'
import {isFields, stringIn} from './block-shape.ts'

/** The page's requests. A refusal becomes an Error whose message can be shown as it is. */
export interface Api {
  workspace: () => Promise<WorkspaceView>
  messages: (channel: string) => Promise<MessageView[]>
  post: (message: Omit<PostMessage, 'as'>) => Promise<MessageView>
  press: (element: Omit<PressElement, 'as'>) => Promise<void>
}

export function createApi(as: string): Api {
  return {
    workspace: () => read<WorkspaceView>('/local/workspace'),
    messages: (channel) =>
      read<MessageView[]>(`/local/messages?${new URLSearchParams({as, channel}).toString()}`),
    post: (message) => write<MessageView>('/local/messages', {as, ...message}),
    press: async (element) => {
      await write<unknown>('/local/actions', {as, ...element})
    },
  }
}

async function read<T>(path: string): Promise<T> {
  return answer<T>(() => fetch(path))
}

async function write<T>(path: string, body: PostMessage | PressElement): Promise<T> {
  const headers = {'content-type': 'application/json'}
  return answer<T>(() => fetch(path, {method: 'POST', headers, body: JSON.stringify(body)}))
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
