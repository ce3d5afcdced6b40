/** What the local Slack has of one Web API method, and each error that Slack's pages document for it. */
export interface MethodCoverage {
  method: string
  /** https://docs.slack.dev/apis/web-api/rate-limits */
  tier: 1 | 2 | 3 | 4 | 'special'
  /** One of these is needed; none: whoever has a token may call. */
  scopes: string[]
  /** Arises from a state of the local Slack. */
  modelled: string[]
  /** Of states of Slack's own side that are not modelled: `faults.failNext` brings it about. */
  byFault: string[]
}

export const words = (text: string): string[] => text.trim().split(/\s+/)
