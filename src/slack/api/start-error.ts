/** Slack refuses a setting for good: starting again with the same one cannot help. */
export class SlackStartError extends Error {
  override name = 'SlackStartError' as const
}
