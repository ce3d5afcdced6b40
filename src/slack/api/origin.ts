/** An address in a payload is Slack's if it is where its API is, or one of Slack's own. */
export function isSlacks(responseUrl: string, apiUrl: string): boolean {
  if (!URL.canParse(responseUrl)) return false
  const {origin, protocol, hostname} = new URL(responseUrl)
  if (origin === new URL(apiUrl).origin) return true
  return protocol === 'https:' && (hostname === 'slack.com' || hostname.endsWith('.slack.com'))
}
