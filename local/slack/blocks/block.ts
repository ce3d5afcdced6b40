/** A Block Kit block as the app sent it, with the `block_id` that Slack gave it. */
export interface SlackBlock {
  type: string
  block_id?: string
  [field: string]: unknown
}

/** Of Markdown in one text, and in all `markdown` blocks of a message together. */
export const maxMarkdown = 12_000
