/** Action ids of our buttons, as Slack sends them back. */
export const ACTIONS = {
  stop: 'bosun:stop',
  archive: 'bosun:archive',
  unarchive: 'bosun:unarchive',
  /** A link: Slack tells us of the click all the same. */
  open: 'bosun:open',
  checkAgain: 'bosun:check-again',
  sendAgain: 'bosun:send-again',
} as const

export type ActionId = (typeof ACTIONS)[keyof typeof ACTIONS]

/** The type of the metadata that names a message's post. Any app in the workspace may read it. */
export const POST_METADATA = 'bosun_post'
