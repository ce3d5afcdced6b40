import {type StopDesk, stopWork} from '../../agents/stopping.ts'
import {TryLater} from '../../inbox/try-later.ts'
import type {Handling} from '../../inbox/worker.ts'
import type {Link} from '../../store/link.ts'
import type {PostStore} from '../../store/posts.ts'
import type {Deed} from '../../slack/deeds/deed.ts'
import type {NativeStop, Reaction} from '../../slack/deeds/signs.ts'
import {STOP_SIGN} from '../../slack/ids.ts'
import {type Act, type Check, type MakeAct, type Outcome, Refusal} from '../../slack/gate/act.ts'
import {type WhereAgentIs, refuseTask, standingOfLink} from '../../slack/gate/checks.ts'
import {toOutcome} from './unsure.ts'

interface StopActsOptions {
  act: MakeAct
  desk: StopDesk
  posts: PostStore
  whereAgentIs: WhereAgentIs
}

/** Stopping without one of our buttons: a stop sign on a message of ours, and Slack's own button. */
export function createStopActs(options: StopActsOptions): Act[] {
  const {act, desk, posts, whereAgentIs} = options
  const permit = async (link: Link): Promise<Link | Refusal> => {
    const permitted = await refuseTask(link, whereAgentIs)
    if (!(permitted instanceof Refusal)) return permitted
    return new Refusal(permitted.answer, link.place.slackThread)
  }

  const onOurs: Check<Reaction, Link> = {
    name: 'on a message of ours',
    look: async (reaction) => {
      const at = await posts.linkAt(reaction)
      if (at === 'unsettled') throw new TryLater(new Error('A message of ours is being made'))
      const link = at && (await desk.links.byId(at.id))
      return link === undefined ? 'none' : permit(link)
    },
    standing: standingOfLink,
  }
  const inThread: Check<NativeStop, Link> = {
    name: 'in the Slack thread of work',
    look: async (stop) => {
      const {team, channel, threadTs: slackThread} = stop
      const link = await desk.links.byPlace({team, channel, slackThread})
      return link === undefined ? 'none' : permit(link)
    },
    standing: standingOfLink,
  }
  const stop = async (
    {user}: Deed,
    link: Link,
    handling: Handling,
  ): Promise<Outcome | undefined> => {
    const outcome = await stopWork(desk, link, user, handling)
    // A sign on work that rests is no mistake worth a word.
    const isQuiet = outcome.outcome === 'declined' && outcome.why === 'at-rest'
    const told = isQuiet ? undefined : toOutcome(outcome)
    return told && {...told, slackThread: link.place.slackThread}
  }
  return [act('reaction', STOP_SIGN, onOurs, stop), act('native stop', '', inThread, stop)]
}
