import {TryLater} from '../../inbox/try-later.ts'
import {type Desk, stopWork} from '../../inbox/work.ts'
import type {Link} from '../../store/link.ts'
import type {PostStore} from '../../store/posts.ts'
import type {Deed} from '../deeds/deed.ts'
import type {NativeStop, Reaction} from '../deeds/signs.ts'
import {STOP_SIGN} from '../ids.ts'
import {texts} from '../texts.ts'
import {type Act, type Check, type MakeAct, type Outcome, Refusal} from './act.ts'
import {type WhereAgentIs, refuseTask} from './checks.ts'
import {toOutcome} from './work.ts'

interface StopActsOptions {
  act: MakeAct
  desk: Desk
  posts: PostStore
  /** Whether the person belongs to this workspace: neither event says it. */
  isMember: (user: string) => Promise<boolean>
  whereAgentIs: WhereAgentIs
}

/** Stopping without one of our buttons: a stop sign on a message of ours, and Slack's own button. */
export function createStopActs(options: StopActsOptions): Act[] {
  const {act, desk, posts, isMember, whereAgentIs} = options
  const permit = async ({user}: Deed, link: Link): Promise<Link | Refusal> =>
    (await isMember(user))
      ? refuseTask(link, whereAgentIs)
      : new Refusal({text: texts.notForGuests})

  const onOurs: Check<Reaction, Link | 'none'> = {
    name: 'member, on a message of ours',
    look: async (reaction) => {
      const at = await posts.linkAt(reaction)
      if (at === 'unsettled') throw new TryLater(new Error('A message of ours is being made'))
      const link = at && (await desk.links.byId(at.id))
      return link === undefined ? 'none' : permit(reaction, link)
    },
  }
  const inThread: Check<NativeStop, Link | 'none'> = {
    name: 'member, in the Slack thread of work',
    look: async (stop) => {
      const {team, channel, threadTs: slackThread} = stop
      const link = await desk.links.byPlace({team, channel, slackThread})
      return link === undefined ? 'none' : permit(stop, link)
    },
  }
  const stop = async (
    {user}: Deed,
    link: Link | 'none',
    {signal}: {signal: AbortSignal},
  ): Promise<Outcome | undefined> => {
    if (link === 'none') return undefined
    const outcome = await stopWork(desk, link, user, signal)
    // A sign on work that rests is no mistake worth a word.
    const isQuiet = outcome.outcome === 'declined' && outcome.why === 'at-rest'
    return isQuiet ? undefined : toOutcome(outcome)
  }
  return [act('reaction', STOP_SIGN, onOurs, stop), act('native stop', '', inThread, stop)]
}
