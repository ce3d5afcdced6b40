import type {Stretch} from '../ports.ts'
import type {FilePost, Rank, SayPost, WantedPost} from '../post.ts'

/** One call that would bring Slack closer to what is wanted. */
export type Step = {rank: Rank; sinceMs: number; notBeforeMs: number} & (
  | {move: 'create'; post: WantedPost}
  | {move: 'open'; post: SayPost}
  | {move: 'edit'; post: WantedPost; ts: string}
  | {move: 'append'; post: SayPost; ts: string; stretch: Stretch}
  | {move: 'close'; key: string; ts: string; stretch: Stretch | undefined}
  | {move: 'share'; post: FilePost}
  | {move: 'remove'; key: string; ts: string}
  | {move: 'find'; key: string}
)
