import type {Channel} from '../agents/who-may-know.ts'
import {type Membership, createMembership} from '../slack/api/membership.ts'
import {type SlackAccess, createSlackClient} from '../slack/api/slack-client.ts'
import type {Install, Workspace} from './workspaces.ts'

interface VisibilityOptions {
  /** The workspaces that are open here. */
  workspaces: {of: (team: string) => Pick<Workspace, 'visibilityOf'> | undefined}
  /** Those that have the app, whoever works for them. */
  known: ReadonlyMap<string, Install>
  slackAccess: SlackAccess
}

/**
 * Who may look into a channel, of whichever workspace: work of one is told in another, and another instance may work for
 * the one. What is asked of Slack for that changes nothing there.
 */
export function createVisibility({
  workspaces,
  known,
  slackAccess,
}: VisibilityOptions): (
  place: Channel,
  canWait?: boolean,
) => ReturnType<Membership['visibilityOf']> {
  const elsewhere = new WeakMap<Install, Membership>()

  const elsewhereOf = (install: Install): Membership => {
    const {tokenOf, identity} = install
    const membership =
      elsewhere.get(install) ??
      createMembership(createSlackClient(tokenOf, slackAccess, identity.team))
    elsewhere.set(install, membership)
    return membership
  }

  return async ({team, channel}, canWait) => {
    const here = workspaces.of(team)
    if (here !== undefined) return here.visibilityOf(channel, canWait)
    const install = known.get(team)
    return install === undefined ? 'unknown' : elsewhereOf(install).visibilityOf(channel, canWait)
  }
}
