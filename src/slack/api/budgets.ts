import type {Budget} from '../../async/buckets.ts'

/**
 * Slack's documented rates (docs.slack.dev/apis/web-api/rate-limits): tier 2 is 20 a minute, tier 3 is 50,
 * tier 4 is 100, a channel takes one message a second, a workspace several hundred a minute. Bursts are
 * "tolerated"; how large is not documented, so what is assumed here is unlearnt as soon as Slack says no. The
 * status line has "special" limits: ten a second are assumed, and, once Slack has said no, one a second in each channel besides.
 */
export function slackBudgets(scale: number): Readonly<Record<string, readonly Budget[]>> {
  const budget = (perMinute: number, burst: number, per: Budget['per'] = 'workspace'): Budget => {
    // Two clocks need not agree.
    return {perMinute: 0.99 * perMinute * scale, burst: Math.max(1, burst * scale), per}
  }
  const tier2 = budget(20, 5)
  const tier3 = budget(50, 10)
  const tier4 = budget(100, 20)
  return {
    'chat.postMessage': [budget(60, 5, 'channel'), budget(300, 60)],
    'chat.update': [tier3],
    'chat.startStream': [tier2],
    'chat.appendStream': [tier4],
    'chat.stopStream': [tier2],
    'chat.delete': [tier3],
    'chat.unfurl': [tier3],
    'entity.presentDetails': [tier3],
    'conversations.replies': [tier3],
    'conversations.history': [tier3],
    'reactions.add': [tier3],
    'reactions.remove': [tier2],
    'assistant.threads.setStatus': [budget(600, 50), {...budget(60, 5, 'channel'), isLatent: true}],
    'files.info': [tier4],
    'files.getUploadURLExternal': [tier4],
    'files.completeUploadExternal': [tier4],
    'chat.postEphemeral': [tier4],
    'agents.conversations.archive': [tier2],
    'agents.conversations.create': [tier2],
    'agents.conversations.listViews': [tier3],
    'agents.conversations.removeView': [tier3],
    'agents.conversations.setCommands': [tier2],
    'agents.conversations.setProperties': [tier3],
    'agents.conversations.setView': [tier3],
    'agents.sessions.rename': [tier3],
    'agents.sessions.setStatus': [tier3],
    'assistant.threads.setSuggestedPrompts': [tier4],
    'chat.getPermalink': [tier4],
    'views.open': [tier4],
    'views.push': [tier4],
    'views.update': [tier4],
    'views.publish': [tier4],
  }
}

/**
 * Of `users.info` (tier 4) and `conversations.info` (tier 3), what names alone may use: less than half, so that who may do
 * what can always be asked, whatever people write.
 */
export function nameBudgets(scale: number): Readonly<Record<'users' | 'channels', Budget>> {
  const part = (perMinute: number): Budget => ({
    perMinute: perMinute * scale,
    burst: Math.max(1, (perMinute / 4) * scale),
    per: 'workspace',
  })
  return {users: part(40), channels: part(20)}
}
