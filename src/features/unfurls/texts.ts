/** What people read of links that were posted. Names, titles and addresses come drawn. */
export const unfurlTexts = {
  /** Where it was shown before. */
  withdrawn: '🔒 What this link leads to is not shown here any more.',
  pullRequest: (name: string) => `Pull request ${name}`,

  /** Of a work object. */
  work: 'Work of an agent',
  product: 'Bosun',
  kind: {pullRequest: 'Pull request'},
  fields: {status: 'Status', pullRequest: 'Pull request', since: 'Since'},
} as const
