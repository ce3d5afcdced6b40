import type {World} from './world.ts'

/** What code on the machine of an agent has to prove itself with; the world then looks for it everywhere. */
export async function sessionTokenOf(
  {platform, secrets}: Pick<World, 'platform' | 'secrets'>,
  thread: string,
): Promise<string> {
  const answer = await fetch(`${platform.baseUrl}/threads/${thread}/session-token`, {
    headers: {authorization: `Bearer ${platform.keys.human}`},
  })
  const {token} = (await answer.json()) as {token: string}
  secrets[`a session token of ${thread}`] = token
  return token
}
