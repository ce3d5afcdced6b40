import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {pause} from './pause.ts'
import type {Attached, MachinePost} from './script.ts'

/**
 * The machine of an agent, as far as it speaks with a bot: by the session token of its thread, which proves whose work it
 * does. Section 4.11. Both answer in words what came of it, or `undefined` when the run was stopped meanwhile.
 */
export interface Machine {
  fetch(threadId: string, file: Attached, signal: AbortSignal): Promise<string | undefined>
  /** `key`: the same post, though it is begun again after a restart. */
  post(
    threadId: string,
    key: string,
    post: MachinePost,
    signal: AbortSignal,
  ): Promise<string | undefined>
}

interface MachineOptions {
  /** The bot's origin. */
  bot: string | undefined
  tokenOf: (threadId: string) => string | undefined
}

/** The bot may be starting, or may not know yet which work this is. */
const AGAIN: readonly number[] = [401, 503]
const MAX_TRIES = 10
const PAUSE_MS = 1000

const pictures = join(import.meta.dirname, 'pictures')

export function createMachine({bot, tokenOf}: MachineOptions): Machine {
  const ask = async (
    threadId: string,
    request: (headers: Record<string, string>) => Promise<Response>,
    signal: AbortSignal,
  ): Promise<Response | undefined> => {
    for (let tries = 1; ; tries += 1) {
      const headers = {authorization: `Bearer ${tokenOf(threadId) ?? ''}`}
      const answer = await request(headers).catch(() => undefined)
      const isDone = answer !== undefined && !AGAIN.includes(answer.status)
      if (signal.aborted || isDone || tries === MAX_TRIES) return answer
      await answer?.body?.cancel()
      if (!(await pause(PAUSE_MS, signal))) return undefined
    }
  }

  return {
    fetch: async (threadId, {name, url}, signal) => {
      const answer = await ask(threadId, (headers) => fetch(url, {headers, signal}), signal)
      const bytes = await answer?.arrayBuffer().catch(() => undefined)
      if (signal.aborted) return undefined
      if (answer?.ok !== true || bytes === undefined) {
        return `Could not fetch ${name}: ${whyNot(answer)}`
      }
      return `Fetched ${name} (${Math.ceil(bytes.byteLength / 1000)} kB)`
    },
    post: async (threadId, key, post, signal) => {
      const body = await toForm(threadId, post)
      const request = (headers: Record<string, string>): Promise<Response> =>
        fetch(`${bot ?? ''}/agent/posts`, {
          method: 'POST',
          signal,
          ...body,
          headers: {...headers, ...body.headers, 'idempotency-key': key},
        })
      const answer = await ask(threadId, request, signal)
      await answer?.body?.cancel()
      if (signal.aborted) return undefined
      return answer?.ok === true ? toDone(post) : `Could not post: ${whyNot(answer)}`
    },
  }
}

function whyNot(answer: Response | undefined): string {
  return answer === undefined ? 'no answer' : `answer ${answer.status}`
}

function toDone({pictures: shown = [], options = []}: MachinePost): string {
  if (shown.length > 0) return `Posted ${shown.join(' and ')}`
  return options.length > 0 ? `Asked with ${options.length} answers` : 'Posted to the conversation'
}

/** A question is JSON; files come as a form, which declares them first. docs/agent-posts.md */
async function toForm(
  thread: string,
  {pictures: shown = [], ...said}: MachinePost,
): Promise<{body: FormData | string; headers: Record<string, string>}> {
  if (shown.length === 0) {
    const headers = {'content-type': 'application/json'}
    return {body: JSON.stringify({thread, ...said}), headers}
  }
  const files = await Promise.all(
    shown.map(async (name) => ({name, bytes: await readFile(join(pictures, name))})),
  )
  const form = new FormData()
  const declared = files.map(({name, bytes}) => ({name, size: bytes.length}))
  form.set('post', JSON.stringify({thread, ...said, files: declared}))
  for (const {name, bytes} of files) form.append('file', new Blob([bytes]), name)
  return {body: form, headers: {}}
}
