import type {SettingsOf} from '../agents/channel-settings.ts'
import {TryLater} from '../inbox/try-later.ts'
import {type Denial, type ChannelRules, type Permit, type Role, judge} from '../security/permits.ts'
import type {Allowed} from '../store/tables/channels/bindings.ts'
import type {Groups} from './api/groups.ts'
import type {Membership} from './api/membership.ts'
import type {People} from './api/people.ts'
import type {Who} from './incoming/who.ts'
import {isSlackUser} from './markup/lines.ts'

/** Whoever is demoted is refused within this time; what only admins may do is asked anew each time. */
const FRESH_MS: Readonly<Record<Permit, number>> = {
  look: 300_000,
  use: 300_000,
  own: 300_000,
  administer: 0,
}

const OF_COMPANY: ReadonlySet<Role> = new Set(['admin', 'member', 'colleague', 'guest'])

/** Somebody, and what they want to do in which channel. */
interface Wanted {
  permit: Permit
  /** `undefined`: in none. */
  channel: string | undefined
  /** Whom the thing belongs to. */
  owners?: readonly string[] | undefined
  /** What they did came from the channel itself, so that they are in it; or it did so a while ago. */
  isFromThere: boolean | 'before'
}

/** Whom the people of one workspace let do what, as Slack and our tables say it now. */
export interface Access {
  /**
   * Why somebody may not; `undefined` to let them pass.
   *
   * @throws {TryLater} when Slack does not say who they are, or where.
   */
  denialOf(
    who: Pick<Who, 'team' | 'user' | 'userTeam'>,
    wanted: Wanted,
  ): Promise<Denial | undefined>
  /** Whether somebody may know, wherever they are, of what is in a channel. While Slack does not answer they may not. */
  mayKnow(user: string, channel: string): Promise<boolean>
  /**
   * The same for who can wait until Slack answers.
   *
   * @throws {TryLater} when Slack does not say now.
   */
  maySurelyKnow(user: string, channel: string): Promise<boolean>
  /** The same for somebody in a channel, for the time of one answer: each channel is looked at once. */
  remembering(user: string, here: string): (channel: string) => Promise<boolean>
  /** Whether somebody may administer, as Slack says it now. */
  isAdmin(user: string): Promise<boolean>
  /** A full member of the workspace may look into every public channel. */
  isFullMember(user: string): Promise<boolean>
  /**
   * A guest, or somebody of another company.
   *
   * @throws {TryLater} when Slack does not say.
   */
  isVisitor(user: string): Promise<boolean>
  /** Somebody of this workspace or its organization, which says what their e-mail is. While Slack does not answer nobody is. */
  isOfCompany(user: string): Promise<boolean>
}

interface AccessOptions {
  team: string
  people: Pick<People, 'roleOf'>
  groups: Pick<Groups, 'members'>
  membership: Membership
  settingsOf: SettingsOf
}

export function createAccess(options: AccessOptions): Access {
  const {team, people, groups, membership, settingsOf} = options

  const listOf = async (allowed: Allowed): Promise<ChannelRules['list']> => {
    switch (allowed.who) {
      case 'everyone':
        return undefined
      case 'list':
        return new Set(allowed.users)
      case 'group':
        return new Set(await groups.members(allowed.group))
      default:
        throw new Error(`Unknown choice: ${JSON.stringify(allowed satisfies never)}`)
    }
  }

  const denialOf: Access['denialOf'] = async (who, {permit, channel, owners, isFromThere}) => {
    const isUse = permit === 'use' || permit === 'own'
    const isPlaced = async (): Promise<boolean> => {
      if (!isUse || channel === undefined || isFromThere === true) return true
      return isFromThere === 'before'
        ? !(await membership.hasLeft(channel, who.user))
        : membership.isMember(channel, who.user)
    }
    const [role, {values}, isInside] = await Promise.all([
      people.roleOf(who, FRESH_MS[permit]),
      settingsOf(who.team, channel),
      isPlaced(),
    ])
    const {allowed, guests, externals} = values
    // Who may all has no need of a list, and a list that Slack does not tell stops nobody else.
    const isListed = permit !== 'look' && role !== 'admin'
    const list = isListed ? await listOf(allowed) : undefined
    return judge(permit, {user: who.user, role}, {isInside, guests, externals, list}, owners)
  }

  const unlessSilent = async (ask: () => Promise<boolean>): Promise<boolean> => {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof TryLater)) throw error
      return false
    }
  }

  const maySurelyKnow: Access['maySurelyKnow'] = async (user, channel) => {
    const wanted = {permit: 'use', channel, isFromThere: false} as const
    return (await denialOf({team, user, userTeam: undefined}, wanted)) === undefined
  }

  const mayKnow: Access['mayKnow'] = (user, channel) =>
    unlessSilent(() => maySurelyKnow(user, channel))

  return {
    denialOf,
    mayKnow,
    maySurelyKnow,
    remembering: (user, here) => {
      const known = new Map([[here, Promise.resolve(true)]])
      return (channel) => {
        const may = known.get(channel) ?? mayKnow(user, channel)
        known.set(channel, may)
        return may
      }
    },
    isAdmin: (user) =>
      unlessSilent(async () => {
        const role = await people.roleOf({user, userTeam: undefined}, FRESH_MS.administer)
        return role === 'admin'
      }),
    isFullMember: (user) =>
      unlessSilent(async () => {
        const role = await people.roleOf({user, userTeam: undefined}, FRESH_MS.use)
        return role === 'admin' || role === 'member'
      }),
    isVisitor: async (user) => {
      // What a rule or a workflow begins is nobody's in Slack, and was let in by an admin.
      if (!isSlackUser(user)) return false
      const role = await people.roleOf({user, userTeam: undefined}, FRESH_MS.use)
      return role === 'guest' || role === 'external'
    },
    isOfCompany: (user) =>
      unlessSilent(async () => {
        const role = await people.roleOf({user, userTeam: undefined}, FRESH_MS.use)
        return OF_COMPANY.has(role)
      }),
  }
}
