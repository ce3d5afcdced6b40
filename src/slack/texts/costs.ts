/** What people read of what work has cost. */
export const costTexts = {
  credits: (kind: string, credits: string, dollars: string) =>
    `${kind}: ${credits} credits (${dollars})`,
  creditsAlone: (kind: string, words: string) => `${kind}: ${words}`,
  kinds: {llmCredits: 'Model', imageCredits: 'Images', vmCredits: 'Machine', totalCredits: 'Total'},
  unlimited: 'unlimited',
  unknown: 'unknown',
} as const
