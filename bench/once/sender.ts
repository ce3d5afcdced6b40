import {createHmac} from 'node:crypto'
import type {World} from '../../test/support/world.ts'

/** Slack's signed requests, from somebody who decides when each of them goes out. */
export interface Sender {
  /** How long the acknowledgement took, in milliseconds; `undefined` when there was none. */
  event(body: object, retry?: {num: number}): Promise<number | undefined>
  interaction(body: object): Promise<number | undefined>
}

const PATIENCE_MS = 10_000

export function createSender(world: World): Sender {
  const port = /port (\d+)/.exec(world.bot.output())?.[1]
  if (port === undefined) throw new Error('The bot has not said its port.')
  const url = `http://127.0.0.1:${port}/slack/events`
  const {signingSecret} = world.slack

  const send = async (
    body: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<number | undefined> => {
    const timestamp = String(Math.floor(Date.now() / 1000))
    const hash = createHmac('sha256', signingSecret).update(`v0:${timestamp}:${body}`).digest('hex')
    const signed = {'x-slack-request-timestamp': timestamp, 'x-slack-signature': `v0=${hash}`}
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const beganMs = performance.now()
    try {
      const init = {method: 'POST', body, headers: {...signed, ...headers}, signal}
      const answer = await fetch(url, init)
      await answer.arrayBuffer()
      return answer.ok ? performance.now() - beganMs : undefined
    } catch {
      return undefined
    }
  }

  return {
    event: (body, retry) =>
      send(JSON.stringify(body), {
        'content-type': 'application/json',
        ...(retry !== undefined && {
          'x-slack-retry-num': String(retry.num),
          'x-slack-retry-reason': 'http_timeout',
        }),
      }),
    interaction: (body) =>
      send(new URLSearchParams({payload: JSON.stringify(body)}).toString(), {
        'content-type': 'application/x-www-form-urlencoded',
      }),
  }
}
