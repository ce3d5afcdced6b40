/**
 * What somebody is in a workspace, as Slack says it now. `colleague`: of another workspace of its organization, who sees no more
 * channels of this one than those that they are in. `external`: of another company, in a shared channel. `bot`:
 * an app, a workflow, Slackbot. `nobody`: deactivated, or Slack does not know or tell them.
 */
export type Role = 'admin' | 'member' | 'colleague' | 'guest' | 'external' | 'bot' | 'nobody'

/**
 * `look`: people of the workspace, guests too: it shows help, or what is theirs. `use`: whoever is in the channel and may
 * use Bosun there. `own`: of those, whoever it belongs to, and admins. `administer`: admins.
 */
export type Permit = 'look' | 'use' | 'own' | 'administer'

/** Who may use Bosun in a channel. */
export interface ChannelRules {
  /** Whether the person is in the channel, as they do something or as Slack says it. */
  isInside: boolean
  /** `undefined`: everyone in the channel. */
  list: ReadonlySet<string> | undefined
  guests: boolean
  externals: boolean
}

/**
 * Why somebody may not. `outside`: they are not in the channel. `not-listed`: it is for others. `not-yours`: it belongs to
 * somebody else.
 */
export type Denial =
  'guest' | 'external' | 'bot' | 'nobody' | 'outside' | 'not-listed' | 'not-yours' | 'no-admin'

/**
 * @param owners whom the thing belongs to, for `own`.
 * @returns `undefined` to let them pass.
 */
export function judge(
  permit: Permit,
  person: {user: string; role: Role},
  rules: ChannelRules,
  owners: readonly string[] = [],
): Denial | undefined {
  const {user, role} = person
  const denial = judgeRole(role, permit, rules)
  if (denial !== undefined) return denial
  // What is in a channel is nobody's business outside of it, an admin's neither.
  if ((permit === 'use' || permit === 'own') && !rules.isInside) return 'outside'
  if (role === 'admin') return undefined
  switch (permit) {
    case 'look':
      return undefined
    case 'administer':
      return 'no-admin'
    case 'use':
    case 'own':
      if (rules.list !== undefined && !rules.list.has(user)) return 'not-listed'
      return permit === 'own' && !owners.includes(user) ? 'not-yours' : undefined
    default:
      throw new Error(`Unknown permit: ${String(permit satisfies never)}`)
  }
}

function judgeRole(
  role: Role,
  permit: Permit,
  {guests, externals}: ChannelRules,
): Denial | undefined {
  switch (role) {
    case 'admin':
    case 'member':
    case 'colleague':
      return undefined
    case 'guest':
      return guests || permit === 'look' ? undefined : 'guest'
    case 'external':
      return externals && permit !== 'look' ? undefined : 'external'
    case 'bot':
    case 'nobody':
      return role
    default:
      throw new Error(`Unknown role: ${String(role satisfies never)}`)
  }
}
