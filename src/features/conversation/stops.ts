import {type StopDeps, stopWork} from '../../agents/stopping.ts'
import {TryLater} from '../../inbox/try-later.ts'
import type {Handling} from '../../inbox/worker.ts'
import type {Link} from '../../store/tables/work/link.ts'
import type {PostStore} from '../../store/tables/work/posts.ts'
import type {Interaction} from '../../slack/incoming/interaction.ts'
import type {NativeStop, Reaction} from '../../slack/incoming/signs.ts'
import {STOP_SIGN} from '../../slack/ids.ts'
import {type Act, type Check, type ActResult, Refusal} from '../../slack/gate/act.ts'
import {refuseElsewhere, standingOfLink} from '../../slack/gate/checks.ts'
import {toResult} from './unsure.ts'
import type {Tools} from '../../slack/gate/tools.ts'

interface StopActsOptions extends Pick<Tools, 'act' | 'whereAgentIs'> {
  deps: StopDeps
  posts: PostStore
}

/** Stopping without one of our buttons: a stop sign on a message of ours, and Slack's own button. */
export function createStopActs(options: StopActsOptions): Act[] {
  const {act, deps, posts, whereAgentIs} = options
  const permit = async (link: Link): Promise<Link | Refusal> => {
    const permitted = await refuseElsewhere(deps, link, whereAgentIs)
    if (!(permitted instanceof Refusal)) return permitted
    return new Refusal(permitted.answer, link.place.slackThread)
  }

  const onOurs: Check<Reaction, Link> = {
    name: 'on a message of ours',
    look: async (reaction) => {
      const at = await posts.linkAt(reaction)
      if (at === 'unsettled') throw new TryLater(new Error('A message of ours is being made'))
      const link = at && (await deps.links.byId(at.id))
      return link === undefined ? 'none' : permit(link)
    },
    standing: standingOfLink,
  }
  const inThread: Check<NativeStop, Link> = {
    name: 'in the Slack thread of work',
    look: async (stop) => {
      const {team, channel, threadTs: slackThread} = stop
      const link =
        slackThread === undefined
          ? await deps.links.inRoom({team, channel})
          : await deps.links.byPlace({team, channel, slackThread})
      return link === undefined ? 'none' : permit(link)
    },
    standing: standingOfLink,
  }
  const stop = async (
    {user}: Interaction,
    link: Link,
    handling: Handling,
  ): Promise<ActResult | undefined> => {
    const outcome = await stopWork(deps, link, user, handling)
    // A sign on work that rests is no mistake worth a word.
    const isQuiet = outcome.outcome === 'declined' && outcome.why === 'at-rest'
    const told = isQuiet ? undefined : toResult(outcome)
    const {slackThread, isRoom} = link.place
    return told && {...told, ...(isRoom !== true && {slackThread})}
  }
  return [act('reaction', STOP_SIGN, onOurs, stop), act('native stop', '', inThread, stop)]
}
