import type {Channel} from '../agents/who-may-know.ts'
import {type Membership, createMembership} from '../slack/api/membership.ts'
import {type SlackAccess, createSlackClient} from '../slack/api/slack-client.ts'
import type {Install, Workspace} from './workspaces.ts'

interface VisibilityOptions {
  /** The workspaces that are open here. */
  workspaces: {of: (team: string) => Pick<Workspace, 'membership'> | undefined}
  /** Those that have the app, whoever works for them. */
  known: ReadonlyMap<string, Install>
  slackAccess: SlackAccess
}

type Ask = 'visibilityOf' | 'surelyVisibilityOf'
type Visibility = (place: Channel) => ReturnType<Membership[Ask]>

/**
 * Who may look into a channel, of whichever workspace: work of one is told in another, and another instance may work for
 * the one. What is asked of Slack for that changes nothing there.
 */
export function createVisibility({
  workspaces,
  known,
  slackAccess,
}: VisibilityOptions): Record<Ask, Visibility> {
  const elsewhere = new WeakMap<Install, Membership>()

  const elsewhereOf = (install: Install): Membership => {
    const {tokenOf, identity} = install
    const membership =
      elsewhere.get(install) ??
      createMembership(createSlackClient(tokenOf, slackAccess, identity.team))
    elsewhere.set(install, membership)
    return membership
  }

  const askOf =
    (ask: Ask): Visibility =>
    async ({team, channel}) => {
      const install = known.get(team)
      const membership = workspaces.of(team)?.membership ?? (install && elsewhereOf(install))
      return membership === undefined ? 'unknown' : membership[ask](channel)
    }
  return {visibilityOf: askOf('visibilityOf'), surelyVisibilityOf: askOf('surelyVisibilityOf')}
}
