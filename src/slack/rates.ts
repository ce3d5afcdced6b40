import type {Budget} from '../relay/pacer.ts'

/**
 * Slack's documented rates (docs.slack.dev/apis/web-api/rate-limits), a little below each so that
 * two clocks need not agree: tier 3 is 50 a minute, a channel takes one message a second, a
 * workspace several hundred a minute. Bursts are "tolerated"; how large is not documented.
 */
export function slackBudgets(scale: number): Readonly<Record<string, readonly Budget[]>> {
  const tier3: Budget = {perMinute: 48 * scale, burst: Math.max(1, 8 * scale), per: 'workspace'}
  const tier4: Budget = {perMinute: 96 * scale, burst: Math.max(1, 15 * scale), per: 'workspace'}
  return {
    'chat.postMessage': [
      {perMinute: 58 * scale, burst: Math.max(1, 4 * scale), per: 'channel'},
      {perMinute: 280 * scale, burst: Math.max(1, 40 * scale), per: 'workspace'},
    ],
    'chat.update': [tier3],
    'chat.delete': [tier3],
    'conversations.replies': [tier3],
    'reactions.add': [tier3],
    'files.completeUploadExternal': [tier4],
    'chat.postEphemeral': [tier4],
  }
}
