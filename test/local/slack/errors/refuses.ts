import type {WebClient} from '@slack/web-api'
import {expect, test} from 'vitest'
import type {LocalSlackOptions} from '../../../../local/slack/options.ts'
import type {LocalSlack} from '../../../../local/slack/server.ts'
import {openSlack, refusalOf} from '../slack-fixture.ts'

export type Arguments = Record<string, unknown>

/** What a case finds: a Slack of its own. */
export interface Place {
  slack: LocalSlack
  people: LocalSlack['people']
  client: WebClient
}

/** The arguments of the call that shall be refused, and whatever leads there before. */
type Case = Arguments | ((at: Place) => Promise<Arguments>)

/** One test for each `method: error`: the official client calls that method and meets that error. */
export function refuses(cases: Record<string, Case>, options: LocalSlackOptions = {}): void {
  for (const [name, provoke] of Object.entries(cases)) {
    const [method = '', error] = name.split(': ')
    test(name, async () => {
      const {slack, client} = await openSlack({rateScale: Infinity, ...options})
      const at = {slack, client, people: slack.people}
      const args = typeof provoke === 'function' ? await provoke(at) : provoke
      expect(await refusalOf(client.apiCall(method, args))).toBe(error)
    })
  }
}

export const web = {channel: 'C0WEB'}
export const nobody = '1700000001.123456'
export const long = (length: number): string => 'x'.repeat(length)
export const several = <Item>(count: number, item: Item): Item[] => Array<Item>(count).fill(item)

/** The `ts` of a message of the app in #web. */
export async function own({client}: Place, args: Arguments = {}): Promise<string> {
  return callForTs(client, 'chat.postMessage', {...web, text: 'Mine', ...args})
}

/** Calls a method that answers with a `ts`. */
export async function callForTs(
  client: WebClient,
  method: string,
  args: Arguments,
): Promise<string> {
  const answer: Record<string, unknown> = {...(await client.apiCall(method, args))}
  return String(answer['ts'])
}

/** The `ts` of a message of Jane in #web. */
export async function hers({people}: Place): Promise<string> {
  return (await people.post({as: 'U0JANE', ...web, text: 'Hers'})).ts
}

/** The `ts` of an answer to her. */
export async function reply(at: Place): Promise<string> {
  const threadTs = await hers(at)
  return (await at.people.post({as: 'U0KIM', ...web, text: 'Reply', threadTs})).ts
}
