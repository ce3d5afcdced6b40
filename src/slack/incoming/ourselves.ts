/** Who we are in a workspace. */
export interface Ourselves {
  botUserId: string
  botId: string
}

interface Author {
  user?: string | null | undefined
  botId?: string | null | undefined
}

/** Also under the face of a captain, where Slack names no user. */
export function isOurs({user, botId}: Author, us: Ourselves): boolean {
  return user === us.botUserId || (botId === us.botId && us.botId !== '')
}
