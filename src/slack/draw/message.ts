import type {KnownBlock} from '@slack/types'

/** What one person is told. */
export interface Message {
  text: string
  blocks?: KnownBlock[]
}

/** A message as `chat.postMessage` and `chat.update` take it. */
export interface DrawnMessage extends Message {
  /** What notifications and screen readers say; also what shows when there are no blocks. */
  text: string
  blocks: KnownBlock[]
}
