import {CARD, type PostRow, type PostStore} from '../../store/tables/work/posts.ts'

/** The posts that may still change, and whatever else stands of the same replies. */
export async function standingPosts(posts: PostStore, linkId: string): Promise<PostRow[]> {
  const unsettled = await posts.unsettled(linkId)
  const deliveries = new Set(unsettled.flatMap(({delivery}) => delivery ?? []))
  const replies = await Promise.all(
    [...deliveries].map((delivery) => posts.ofDelivery(linkId, delivery)),
  )
  return [...unsettled.filter(({delivery}) => delivery === undefined), ...replies.flat()]
}

/** Of work that is over: whether all that it said is shown. Its card is final last, and no part of a reply is not. */
export function isToldOut(standing: readonly PostRow[]): boolean {
  const telling = standing.filter(({key, delivery}) => delivery !== undefined || key === CARD)
  const isFinal = telling.every(({final, state}) => final || state === 'gone')
  return isFinal && telling.some(({key}) => key === CARD)
}

/**
 * What stands without its entry. A part without a draft shows an entry, as a quote does: that comes again, and
 * the reply waits for it as it stands.
 */
export function toDrafts(standing: readonly PostRow[]): {delivery: string; text: string}[] {
  const replies = Map.groupBy(standing, ({delivery}) => delivery)
  return [...replies].flatMap(([delivery, rows]) => {
    if (delivery === undefined) return []
    const parts = rows.toSorted((a, b) => partOf(a) - partOf(b))
    const isWhole = parts.every((row, part) => row.draft !== undefined && partOf(row) === part)
    return isWhole ? {delivery, text: parts.map(({draft}) => draft).join('')} : []
  })
}

function partOf({key}: PostRow): number {
  return Number(key.slice(key.lastIndexOf(':') + 1))
}
