import {ACTIONS, KEY_INPUT} from '../../src/slack/ids.ts'
import type {Modals} from './modals.ts'
import {JANE, type World} from './world.ts'

interface MadeHook {
  /** Of its address, on the bot's own server. */
  path: string
  secret: string
  /** What whoever made it was told. */
  told: string
}

interface PostAnswer {
  status: number
  body: unknown
  retryAfter?: string
}

/** Automations with webhooks, hooks for them, and senders. */
export interface Hooks {
  /** Makes an automation with a webhook at the platform; its address. */
  automation(name: string, filters?: readonly object[]): Promise<string>
  /** `/bosun hooks new`, as an admin. */
  make(channel: string, name: string, url: string): Promise<MadeHook>
  /** [GitHub webhook] of `/bosun hooks`, as an admin. */
  makeGithub(channel: string, name: string, reach?: 'wide'): Promise<MadeHook>
  /** The bot's own server. */
  origin(): string
  post(path: string, body: string, headers: Record<string, string>): Promise<PostAnswer>
  /** What the channel was told of deliveries, once it was told of so many. */
  receipts(channel: string, count: number): Promise<string[]>
}

export function createHooks(world: World, at: Modals): Hooks {
  const origin = (): string => {
    const port = [...world.bot.output().matchAll(/port (\d+)/g)].at(-1)?.[1] ?? ''
    return `http://127.0.0.1:${port}`
  }
  return {
    automation: async (name, filters) => {
      const {platform} = world
      const answer = await fetch(`${platform.originUrl}/api/v1/automations`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${platform.keys.human}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({
          ...{requestId: `made-${name}-${Math.random()}`, projectId: platform.projectIds[0]},
          ...{name, prompt: 'a quick check of this'},
          triggers: [{type: 'incoming_webhook', ...(filters !== undefined && {filters})}],
        }),
      })
      const {webhookUrl} = (await answer.json()) as {webhookUrl: string}
      world.secrets[`the webhook of ${name}`] = webhookUrl.split('/').at(-1) ?? ''
      // As the bot reaches the platform: perhaps by a proxy.
      return new URL(new URL(webhookUrl).pathname, world.settings()['PLATFORM_BASE_URL']).href
    },
    make: async (channel, name, url) => {
      await at.command('hooks new', {as: JANE, channel})
      await at.reads(JANE, 'Webhook address of the automation')
      await at.submit(JANE, {name, [KEY_INPUT]: url})
      const {text} = await at.hears(JANE, channel, `*${name}* has a hook in this channel.`)
      return {
        path: /\/hooks\/\w+/.exec(text)?.[0] ?? '',
        secret: /`(sk_hook_[\w-]+)`/.exec(text)?.[1] ?? '',
        told: text,
      }
    },
    makeGithub: async (channel, name, reach) => {
      const before = world.slack.ephemerals(channel, JANE).length
      await at.command('hooks', {as: JANE, channel})
      const {ts} = await world.until('the hooks are listed', () => {
        return world.slack.ephemerals(channel, JANE)[before]
      })
      const press = {as: JANE, channel, ts, actionId: ACTIONS.githubNew}
      await world.slack.people.press(press)
      await at.reads(JANE, 'Repository or organization')
      await at.submit(JANE, {name, ...(reach !== undefined && {wide: [reach]})})
      const {text} = await at.hears(JANE, channel, `GitHub can tell me about *${name}* now`)
      return {
        path: /\/hooks\/\w+/.exec(text)?.[0] ?? '',
        secret: /`(sk_hook_[\w-]+)`/.exec(text)?.[1] ?? '',
        told: text,
      }
    },
    origin,
    post: async (path, body, headers) => {
      const answer = await fetch(origin() + path, {method: 'POST', headers, body})
      const retryAfter = answer.headers.get('retry-after') ?? undefined
      const text = await answer.text()
      return {
        status: answer.status,
        body: JSON.parse(text) as unknown,
        ...(retryAfter !== undefined && {retryAfter}),
      }
    },
    receipts: (channel, count) => {
      const look = (): string[] | false => {
        const found = world.slack
          .messages(channel)
          .filter(({userId, text}) => userId === world.slack.botUserId && /^[⚡⚪⚠]/u.test(text))
        // What runs is said a moment later.
        const receipts = found.map(({text}) => text.replaceAll(/\n▶️ .*/gu, ''))
        return deliveriesTold(receipts) >= count && receipts
      }
      // What did not get through is tried ever more rarely.
      return world.until(`${count} receipts`, look, 60_000)
    },
  }
}

/** Of how many deliveries these messages tell. */
export function deliveriesTold(receipts: readonly string[]): number {
  return sum(receipts, (text) => Number(/(\d+) deliveries to its hook/.exec(text)?.[1] ?? 1))
}

/** How many of them have started a run. */
export function runsTold(receipts: readonly string[]): number {
  return sum(receipts, (text) => {
    const many = /^⚡️ (\d+) started a run$/mu.exec(text)?.[1]
    return many === undefined ? Number(text.includes('* started: ')) : Number(many)
  })
}

function sum(receipts: readonly string[], countOf: (text: string) => number): number {
  return receipts.reduce((total, text) => total + countOf(text), 0)
}
