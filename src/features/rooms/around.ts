import type {Link} from '../../store/tables/work/link.ts'
import type {contextBar} from './context-bar.ts'
import type {Tab} from './tabs.ts'

/** What Slack was told last, and what we have read to be able to. */
export interface Shown {
  title?: string
  bar?: string
  commands?: string
  /** Hashes of tabs by key; empty from before Slack is told of one until it has answered. */
  tabs?: Readonly<Record<string, string>>
  /** What was read of the cost, when it was so much. */
  costs?: {of: string; lines: readonly string[]}
  /** The state of the plan that was read, and since when it was that. */
  plan?: string
}

/** What stands around a room, and what should. */
export interface Around {
  link: Link
  bar: ReturnType<typeof contextBar>
  tabs: readonly Tab[]
  shown: Shown
  /** Its work is put away, and all that it had to say stands there. */
  isOver: boolean
  isClosed: boolean
}
