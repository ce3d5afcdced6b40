import {sessionTokenOf} from './sessions.ts'
import type {Place, World} from './world.ts'

/** How code on the machine of an agent asks. */
export interface Ask {
  token?: string
  key?: string
  headers?: Record<string, string>
  method?: string
}

/** Where the bot that runs now takes posts. */
export function postsAddress({bot}: Pick<World, 'bot'>): string {
  const port = bot
    .output()
    .match(/(?<=port )\d+/g)
    ?.at(-1)
  return `http://127.0.0.1:${port ?? ''}/agent/posts`
}

/** What code on the machine of an agent does. */
export async function postFrom(
  world: Pick<World, 'bot'>,
  body: unknown,
  {token, key, headers, method = 'POST'}: Ask = {},
) {
  const answer = await fetch(postsAddress(world), {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token !== undefined && {authorization: `Bearer ${token}`}),
      ...(key !== undefined && {'idempotency-key': key}),
      ...headers,
    },
    ...(method !== 'GET' &&
      method !== 'HEAD' && {body: typeof body === 'string' ? body : JSON.stringify(body)}),
  })
  const text = await answer.text()
  return {
    status: answer.status,
    said: (text === '' ? {} : JSON.parse(text)) as {id?: string; error?: string; state?: string},
    headers: answer.headers,
  }
}

/** Work whose agent's machine may post. */
export interface Machine {
  place: Place
  thread: string
  token: string
}

export async function openMachine(world: World, task = '@Bosun a quick check'): Promise<Machine> {
  const place = await world.say(task)
  await world.settled(place)
  const thread = world.threadIn(place)?.id ?? ''
  return {place, thread, token: await sessionTokenOf(world, thread)}
}
