import {setTimeout as delay} from 'node:timers/promises'
import type {StoredMessage} from '../../../local/slack/messages/messages.ts'
import type {Place} from '../../../test/support/verdict.ts'
import {Secret} from '../../../src/security/secret.ts'
import {sessionTokenOf} from '../../../test/support/sessions.ts'
import {type World, personOf} from '../world.ts'

/** A channel of its own beside the load: with a budget for each piece of work, a hook, and work whose machine posts. */
export interface Desk {
  world: World
  /** Work that rests. */
  thread: string
  hook: {path: string; secret: string}
  /** All that Bosun has written here. */
  ours(): StoredMessage[]
  /** As code on the machine of that work. */
  post(
    body: string | FormData,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<Response>
  /** Mentions Bosun. */
  ask(text: string): Promise<Place>
  /** Until it stands, at most so long; whoever waits in vain goes on, and the judgement says what is missing. */
  until(isThere: () => boolean): Promise<void>
  /** Both in the same instant, and again for as long as Slack shows an error, or what they want is not there. */
  pressBoth(ts: string, actionIds: readonly [string, string], isDone: () => boolean): Promise<void>
}

export const BUDGET_USD = 5
/** Of whoever waits, through a takeover and beyond. */
export const PATIENCE_MS = 120_000
const LOOK_MS = 250
const AGAIN_MS = 3000

export async function openDesk(world: World, team: string): Promise<Desk> {
  const {slack, platform, origin} = world
  /** Whoever asks for work, and an admin. */
  const people = [personOf(team), `U${team.slice(1)}ALEX`] as const
  const at = slack.peopleOf(team)
  const {id: channel} = await at.createChannel({name: 'desk', memberIds: [...people]})
  const hook = await openHook(world, team, channel)
  await at.inviteBot(channel)
  const botUserId = slack.apps.all()[0]?.installations.find((it) => it.teamId === team)?.botUserId
  const desk: Omit<Desk, 'thread'> = {
    ...{world, hook},
    ours: () => slack.messages(channel).filter(({userId}) => userId === botUserId),
    post: async (body, headers, signal) => {
      const token = await sessionTokenOf({platform, secrets: {}}, thread)
      return fetch(`${origin}/agent/posts`, {
        ...{method: 'POST', body, signal},
        headers: {...headers, authorization: `Bearer ${token}`},
      })
    },
    ask: async (text) => {
      const {ts} = await at.post({as: people[0], channel, text: `@Bosun ${text}`})
      return {channel, ts}
    },
    until: async (isThere) => {
      for (const endMs = Date.now() + PATIENCE_MS; !isThere() && Date.now() < endMs;) {
        await delay(LOOK_MS)
      }
    },
    pressBoth: async (ts, actionIds, isDone) => {
      for (const endMs = Date.now() + PATIENCE_MS; !isDone() && Date.now() < endMs;) {
        const press = (as: string, actionId: string) => at.press({as, channel, ts, actionId})
        // The buttons may have gone since.
        await Promise.allSettled(people.map((as, index) => press(as, actionIds[index] ?? '')))
        for (const soonMs = Date.now() + AGAIN_MS; !isDone() && Date.now() < soonMs;) {
          await delay(LOOK_MS)
        }
      }
    },
  }
  const {ts} = await desk.ask('a quick check')
  const requestId = `slack:${team}:${channel}:${ts}`
  const threadOf = () => platform.threads().find((it) => it.requestId === requestId)
  await desk.until(() => threadOf()?.status === 'idle')
  const thread = threadOf()?.id ?? ''
  return {...desk, thread}
}

/** An automation with a webhook, and a hook of the channel that passes on to it and brings what runs into the channel. */
async function openHook(world: World, team: string, channel: string): Promise<Desk['hook']> {
  const {platform} = world
  const [projectId = ''] = platform.projectIds
  const answer = await fetch(`${platform.baseUrl}/automations`, {
    method: 'POST',
    headers: {authorization: `Bearer ${platform.keys.human}`, 'content-type': 'application/json'},
    body: JSON.stringify({
      ...{requestId: `desk of ${team}`, projectId, name: 'Desk', prompt: 'look at this'},
      triggers: [{type: 'incoming_webhook'}],
    }),
  })
  const {webhookUrl} = (await answer.json()) as {webhookUrl: string}
  await using store = await world.openStore()
  const by = {user: 'U0ADMIN', nowMs: Date.now()}
  await store.bindings.change({team, channel}, {budgetPerWork: BUDGET_USD}, by)
  const {id} = await store.hooks.add(
    {
      ...{team, channel, name: 'Desk', automationId: undefined, madeBy: `U${team.slice(1)}ALEX`},
      ...{requestId: `desk of ${team}`, url: new Secret(webhookUrl)},
    },
    by.nowMs,
  )
  await store.hooks.follow(id, true)
  const {secrets} = await store.hooks.secretsOf(id)
  return {path: `/hooks/${id}`, secret: secrets.secret.reveal()}
}
