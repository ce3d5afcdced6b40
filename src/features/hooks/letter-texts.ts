/** What people read of deliveries that were given up. */
export const letterTexts = {
  count: (count: number) =>
    count === 1 ? '⚠️ 1 delivery was given up.' : `⚠️ ${count} deliveries were given up.`,
  show: 'Show',
  title: '*Given up: what did not get through to the agent platform*',
  explain:
    'I keep these for 30 days, 200 of each hook. *Send again* uses the same key, so what did begin runs no second time.',
  none: 'No delivery of this channel’s hooks is given up now.',
  row: (facts: readonly string[]) => facts.join(' · '),
  why: {
    'not-found': 'the automation’s address is wrong, or it is disabled',
    refused: 'the agent platform declined it',
    expired: 'it did not get through for a day',
    unsaid: 'passed on, but the agent platform did not say what came of it',
  },
  unknown: 'nobody knows why',
  size: (bytes: number) =>
    bytes < 1000 ? `about ${bytes} bytes` : `about ${Math.round(bytes / 1000)} kB`,
  again: 'Send again',
  discard: 'Discard',
  confirmDiscard: {
    title: 'Discard this delivery?',
    text: 'Its body is deleted, and nobody can send it again.',
  },
  sent: 'It is on its way again. What comes of it appears here in a moment.',
  discarded: 'It is discarded.',
  gone: 'That one is no longer in this list.',
} as const
