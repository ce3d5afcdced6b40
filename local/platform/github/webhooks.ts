import {createHmac, randomUUID} from 'node:crypto'
import type {Database} from '../database.ts'

/** Where somebody wants to hear of pull requests, and what it is signed with. */
interface Webhook {
  address: string
  secret: string
}

/** An event as GitHub words it: https://docs.github.com/webhooks/webhook-events-and-payloads */
export interface GithubEvent {
  name: string
  body: Record<string, unknown>
}

/** The webhooks that people have set up at the local GitHub. */
export interface Webhooks {
  /** In the place of the one with the same address. */
  add(webhook: Webhook): void
  addresses(): string[]
  /** Sends it to all of them, once: GitHub repeats nothing by itself. */
  deliver(event: GithubEvent): Promise<void>
}

const WITHIN_MS = 10_000

export function createWebhooks(database: Database): Webhooks {
  database.exec(
    'create table if not exists githubWebhooks (address text primary key, secret text not null) strict;',
  )
  const put = database.prepare<Webhook>(
    'insert or replace into githubWebhooks (address, secret) values (@address, @secret)',
  )
  const all = database.prepare<[], Webhook>('select * from githubWebhooks')
  return {
    add: (webhook) => void put.run(webhook),
    addresses: () => all.all().map(({address}) => address),
    deliver: async (event) => {
      await Promise.allSettled(all.all().map((webhook) => send(webhook, event)))
    },
  }
}

async function send({address, secret}: Webhook, {name, body}: GithubEvent): Promise<void> {
  const json = JSON.stringify(body)
  const answer = await fetch(address, {
    method: 'POST',
    redirect: 'error',
    signal: AbortSignal.timeout(WITHIN_MS),
    headers: {
      'content-type': 'application/json',
      'x-github-event': name,
      'x-github-delivery': randomUUID(),
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(json).digest('hex')}`,
    },
    body: json,
  })
  await answer.body?.cancel()
}
