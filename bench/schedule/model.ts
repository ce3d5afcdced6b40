/** A limit of Slack's, as the work is measured with. */
export interface Rate {
  perMinute: number
  burst: number
  per: 'workspace' | 'channel'
}

export type Rates = Readonly<Record<string, readonly Rate[]>>

export const slackRates: Rates = {
  'chat.postMessage': [
    {perMinute: 60, burst: 5, per: 'channel'},
    {perMinute: 300, burst: 60, per: 'workspace'},
  ],
  'chat.update': [{perMinute: 50, burst: 10, per: 'workspace'}],
  'chat.appendStream': [{perMinute: 100, burst: 20, per: 'workspace'}],
  'chat.startStream': [{perMinute: 20, burst: 5, per: 'workspace'}],
  'chat.stopStream': [{perMinute: 20, burst: 5, per: 'workspace'}],
}

/** A call takes so long, and what it says is seen after half of that. */
export const LATENCY_MS = 100

export type Writer = 'edit' | 'stream' | 'auto'
