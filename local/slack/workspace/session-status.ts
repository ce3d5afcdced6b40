/** https://docs.slack.dev/ai/agent-sessions */
const sessionStatuses = ['active', 'processing', 'suspended', 'closed'] as const

export type SessionStatus = (typeof sessionStatuses)[number]

export function isSessionStatus(value: string): value is SessionStatus {
  return sessionStatuses.some((status) => status === value)
}
