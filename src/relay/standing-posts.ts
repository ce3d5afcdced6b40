import type {PostRow, PostStore} from '../store/posts.ts'

/** The posts that may still change, and whatever else stands of the same replies. */
export async function standingPosts(posts: PostStore, linkId: string): Promise<PostRow[]> {
  const unsettled = await posts.unsettled(linkId)
  const deliveries = new Set(unsettled.flatMap(({delivery}) => delivery ?? []))
  const replies = await Promise.all(
    [...deliveries].map((delivery) => posts.ofDelivery(linkId, delivery)),
  )
  return [...unsettled.filter(({delivery}) => delivery === undefined), ...replies.flat()]
}

/** A part without a draft shows its entry: that entry comes again, and the reply waits for it as it stands. */
export function toDrafts(standing: readonly PostRow[]): {delivery: string; text: string}[] {
  const texts = new Map<string, (string | undefined)[]>()
  for (const {delivery, key, draft} of standing) {
    if (delivery === undefined) continue
    const part = Number(key.slice(key.lastIndexOf(':') + 1))
    const parts = texts.get(delivery) ?? []
    parts[part] = draft
    texts.set(delivery, parts)
  }
  return [...texts].flatMap(([delivery, parts]) =>
    parts.includes(undefined) ? [] : {delivery, text: parts.join('')},
  )
}
