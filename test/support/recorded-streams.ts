import {startPlatform} from '../../local/platform/server.ts'
import {until} from './until.ts'

/** One frame of a stream, as it came over the wire. */
export interface RecordedFrame {
  event: string
  id: string | undefined
  data: Readonly<Record<string, unknown>>
}

export interface Recording {
  name: string
  /** From the thread's beginning until it rests, or its stream is done. */
  frames: readonly RecordedFrame[]
}

type Platform = Awaited<ReturnType<typeof startPlatform>>
type Steps = Parameters<Platform['control']['planScript']>[0]['steps']

/** What people do in a thread. */
export interface Story {
  name: string
  message: string
  /** Instead of what the agent would do about the first message. */
  steps?: Steps
  /** What happens besides. */
  then?: (told: ToldThread) => Promise<void>
  vocabulary?: 'guides' | 'schema'
  isCaptain?: true
}

interface ToldThread {
  post: (path: string, body?: object) => Promise<void>
  /** Waits until the stream has brought these words. */
  hears: (words: string) => Promise<void>
  rests: () => Promise<void>
}

const WORKING = ['active', 'working', 'waiting']

/** Plays the story on a platform of its own, and keeps what its stream says. */
export async function record({name, ...story}: Story): Promise<Recording> {
  await using platform = await startPlatform({
    pace: 0.003,
    ...(story.vocabulary !== undefined && {vocabulary: story.vocabulary}),
  })
  if (story.steps !== undefined) platform.control.planScript({steps: story.steps})
  const call = createCall(platform)
  const started = await call('POST', story.isCaptain === true ? '/captains' : '/threads', {
    ...{requestId: 'r', projectId: platform.projectIds[0]},
    ...(story.isCaptain === true ? {name: story.message} : {message: story.message}),
  })
  const path = `/threads/${String(started['id'])}`
  const stream = await fetch(platform.baseUrl + path + '/stream', {headers: headersOf(platform)})
  let text = ''
  const reading = (async () => {
    for await (const piece of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) text += piece
  })()
  const hears = async (words: string): Promise<void> => {
    await until(`${name}: ${words}`, () => text.includes(words), {tell: () => text})
  }
  const rests = async (): Promise<void> => {
    for (;;) {
      const {status} = await call('GET', path)
      if (!WORKING.includes(String(status))) return
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const post = async (below: string, body?: object): Promise<void> => {
    await call('POST', path + below, body ?? {})
  }
  await story.then?.({post, hears, rests})
  await rests()
  // Whatever was said so far has been written: it arrives before the end.
  await platform.close()
  await reading
  return {name, frames: parse(text)}
}

function headersOf(platform: Platform): Record<string, string> {
  return {authorization: `Bearer ${platform.keys.human}`, 'content-type': 'application/json'}
}

function createCall(platform: Platform) {
  return async (method: string, path: string, body?: object): Promise<Record<string, unknown>> => {
    const answer = await fetch(platform.baseUrl + path, {
      method,
      headers: headersOf(platform),
      ...(body !== undefined && {body: JSON.stringify(body)}),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
  }
}

/** `retry:` lines are left out: where they stand is a matter of dialect. */
function parse(text: string): RecordedFrame[] {
  return text.split('\n\n').flatMap((block) => {
    const field = (name: string): string | undefined =>
      new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
    const event = field('event')
    if (event === undefined) return []
    const data = JSON.parse(field('data') ?? '') as Record<string, unknown>
    return [{event, id: field('id'), data}]
  })
}
