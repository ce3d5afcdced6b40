import type {StoredMessage} from '../../local/slack/messages/messages.ts'
import {ACTIONS} from '../../src/slack/ids.ts'
import {createModals} from './modals.ts'
import {JANE, KIM, type World} from './world.ts'

/** Somebody was a little late, and the moment before is just over: a minute, and as much for a machine that has other work. */
export const MOMENT_MS = 120_000

/** An automation that runs every minute by itself, made in a channel of its own. */
interface Minutely {
  channel: string
  /** As an admin. */
  follow(): Promise<void>
  /** What the platform has begun of it. */
  runs(): {id: string}[]
  /** Messages of ours in its channel that begin a Slack thread. */
  heads(): StoredMessage[]
  /** Each of its runs has a head, and what it said stands below it. */
  isShown(): boolean
}

export async function makeMinutely(world: World, name: string): Promise<Minutely> {
  const at = createModals(world)
  const channel = await at.channel(name, [JANE, KIM])
  await at.command('automations new', {as: JANE, channel})
  await at.reads(JANE, 'What should the agent do?')
  const prompt = `a quick check for ${name}`
  await at.submit(JANE, {name, prompt, cron: '* * * * *', zone: 'UTC'})
  const made = await at.hears(JANE, channel, 'is created.')
  const runs = () =>
    world.platform
      .threads()
      .filter(({id}) => world.platform.transcript(id)[0]?.text.includes(prompt) === true)
  const heads = () =>
    world.slack
      .messages(channel)
      .filter(({userId, threadTs}) => userId === world.slack.botUserId && threadTs === undefined)
  return {
    ...{channel, runs, heads},
    follow: async () => {
      const actionId = ACTIONS.automationFollow
      await world.slack.people.press({as: JANE, channel, ts: made.ts, actionId})
      await at.hears(JANE, channel, 'starts from now on is followed here')
    },
    isShown: () =>
      heads().length === runs().length &&
      heads().every(({ts}) => world.ours({channel, ts}).some(({text}) => text.includes('Done'))),
  }
}
