import type {Bench} from '../bench.ts'
import {differs} from '../finding.ts'
import type {Scene} from '../scene.ts'
import {checkTexts} from '../texts.ts'

const EMOJI = 'eyes'

/** Status line, session and reactions: how it shows that somebody is at work. */
export const signs: Scene = {
  ids: ['status-line', 'session', 'reaction-stands', 'reaction-twice', 'reaction-gone'],
  play: async (bench) => {
    const {place, caller, attempt, post} = bench
    const where = {channel_id: place.channel, thread_ts: place.root}
    await attempt('status-line', async () => {
      await caller.call('assistant.threads.setStatus', {...where, status: 'is being tried'})
      await caller.call('assistant.threads.setStatus', {...where, status: ''})
      return 'both were taken'
    })
    await attempt('session', async () => {
      await caller.call('agents.sessions.setStatus', {...where, status: 'processing'})
      await caller.call('agents.sessions.setStatus', {...where, status: 'closed'})
      return 'both were taken'
    })
    const ts = await post({text: 'This one gets a reaction.'})
    await tryReaction(bench, ts)
  },
}

async function tryReaction({place, caller, attempt, read}: Bench, ts: string): Promise<void> {
  const target = {channel: place.channel, timestamp: ts, name: EMOJI}
  const stands = await attempt('reaction-stands', async () => {
    await caller.call('reactions.add', target)
    const message = await read(ts, ({reactions}) => reactions !== undefined)
    const isOurs = message?.reactions?.some(
      ({name, users}) => name === EMOJI && users?.includes(place.botUserId) === true,
    )
    return isOurs === true ? 'it does' : differs('it is not there')
  })
  if (!stands) return
  const judge = (wanted: string, said: string) =>
    said === wanted ? said : differs(checkTexts.insteadOf(wanted, said))
  await attempt('reaction-twice', async () =>
    judge('already_reacted', await caller.refusal('reactions.add', target)),
  )
  await attempt('reaction-gone', async () => {
    await caller.call('reactions.remove', target)
    return judge('no_reaction', await caller.refusal('reactions.remove', target))
  })
}
