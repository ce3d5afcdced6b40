/**
 * Who may do what: the one table. An act that is not in it cannot be built, and one that is in it cannot run before
 * {@link judge} has let the person pass.
 */

/**
 * What somebody is in a workspace, as Slack says it now. `external`: of another company, in a shared channel. `bot`:
 * an app, a workflow, Slackbot. `nobody`: deactivated, or Slack does not know or tell them.
 */
export type Role = 'admin' | 'member' | 'guest' | 'external' | 'bot' | 'nobody'

/**
 * `look`: people of the workspace, guests too: it shows help, or what is theirs. `use`: whoever is in the channel and may
 * use Bosun there. `own`: of those, whoever it belongs to, and admins. `administer`: admins.
 */
export type Permit = 'look' | 'use' | 'own' | 'administer'

/** By the event of each act, as Slack names it. */
export const PERMITS: Readonly<Record<string, Permit>> = {
  message: 'use',
  'message changed': 'use',
  'message deleted': 'use',
  'reaction octagonal_sign': 'use',
  'native stop': 'use',
  'home opened': 'look',

  'shortcut bosun:send': 'use',
  'shortcut bosun:manage': 'use',
  'shortcut bosun:automate': 'use',

  'form bosun:start-form': 'use',
  'form bosun:send-form': 'use',
  'form bosun:answer': 'use',
  'form bosun:answer-watched': 'use',
  'form bosun:captain-form': 'use',
  'form bosun:captain-ask-form': 'use',
  'form bosun:file-form': 'use',
  'form bosun:connect': 'administer',
  'form bosun:connect-settings': 'administer',
  'form bosun:replace-key': 'administer',
  'form bosun:review-rule': 'use',
  'form bosun:ask-for-changes': 'use',
  'form bosun:hook': 'administer',
  'form bosun:automation': 'administer',
  'form bosun:automate': 'use',

  '/bosun help': 'look',
  '/bosun ': 'look',
  '/review help': 'look',
  '/review ': 'use',
  '/review rules': 'use',
  '/review filters': 'use',
  '/review billing': 'administer',
  '/captain help': 'look',
  '/captain ': 'look',
  '/captain new': 'use',
  '/captain list': 'use',
  '/captain ask': 'use',
  '/captain here': 'use',
  '/bosun new': 'use',
  '/bosun status': 'use',
  '/bosun mine': 'use',
  '/bosun find': 'use',
  '/bosun tasks': 'use',
  '/bosun projects': 'use',
  '/bosun users': 'use',
  '/bosun folders': 'use',
  // It tells of the whole organization: who spent what, also where nobody of this channel belongs.
  '/bosun usage': 'administer',
  '/bosun follow': 'use',
  '/bosun watch': 'use',
  '/bosun unwatch': 'use',
  '/bosun doctor': 'administer',
  '/bosun audit': 'administer',
  '/bosun channel': 'use',
  '/bosun automations': 'use',
  '/bosun hooks': 'use',
  '/bosun connect': 'administer',
  '/bosun disconnect': 'administer',

  'press bosun:stop': 'use',
  'press bosun:archive': 'use',
  'press bosun:ask-archive': 'use',
  'press bosun:stop-archive': 'use',
  'press bosun:archive-only': 'use',
  'press bosun:unarchive': 'use',
  'press bosun:new-title': 'use',
  'press bosun:take-over': 'use',
  'press bosun:details': 'use',
  'press bosun:mute': 'use',
  'press bosun:unmute': 'use',
  'press bosun:tasks': 'use',
  'press bosun:tasks-page': 'use',
  'press bosun:task-messages': 'use',
  'press bosun:task-messages-page': 'use',
  'press bosun:follow-task': 'use',
  'press bosun:check-again': 'use',
  'press bosun:send-again': 'use',
  'press bosun:send-now': 'own',
  'press bosun:cancel': 'own',
  'press bosun:send-held': 'own',
  'press bosun:discard': 'own',
  'press bosun:unarchive-send': 'own',
  'press bosun:start-with': 'use',
  'press bosun:answer': 'use',
  'press bosun:snooze': 'use',
  'press bosun:try-again': 'use',
  'press bosun:list-stop': 'use',
  'press bosun:list-more': 'use',
  'press bosun:find-more': 'use',
  'press bosun:find-follow': 'use',
  'press bosun:turn-page': 'use',
  'press bosun:file': 'use',
  'press bosun:usage-more': 'administer',
  'press bosun:use-project': 'administer',
  'press bosun:follow-here': 'use',
  'press bosun:answer-watched': 'use',
  'press bosun:not-this-one': 'use',
  'press bosun:captain-model': 'use',
  'press bosun:captain-change': 'use',
  'press bosun:captain-more': 'use',
  'press bosun:captain-ask': 'use',
  'press bosun:captain-bring': 'use',
  'press bosun:audit-more': 'administer',
  'press bosun:audit-export': 'administer',
  'press bosun:ask-admin': 'use',
  'press bosun:connect': 'administer',
  'press bosun:disconnect': 'administer',
  'press bosun:replace-key': 'administer',
  'press bosun:review': 'use',
  'press bosun:review-again': 'use',
  'press bosun:ask-for-changes': 'use',
  'press bosun:filters-more': 'use',
  'press bosun:delete-filter': 'administer',
  'press bosun:hooks-more': 'use',
  'press bosun:hook-log': 'use',
  'press bosun:hook-again': 'use',
  'press bosun:hook-new': 'administer',
  'press bosun:hook-secret': 'administer',
  'press bosun:hook-revoke': 'administer',
  'press bosun:hook-disable': 'administer',
  'press bosun:hook-enable': 'administer',
  'press bosun:hook-delete': 'administer',
  'press bosun:automations-more': 'use',
  'press bosun:automation-new': 'administer',
  'press bosun:automation-disable': 'administer',
  'press bosun:automation-enable': 'administer',
  'press bosun:automation-delete': 'administer',
  'press bosun:automation-restore': 'administer',
  'press bosun:home-more': 'look',
  'press bosun:home-noise': 'look',
  'press bosun:home-dm': 'look',
  'press bosun:home-model': 'look',
  'press bosun:home-size': 'look',
}

/** Who may use Bosun in a channel. */
export interface Door {
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
  door: Door,
  owners: readonly string[] = [],
): Denial | undefined {
  const {user, role} = person
  const denial = judgeRole(role, permit, door)
  if (denial !== undefined) return denial
  // What is in a channel is nobody's business outside of it, an admin's neither.
  if ((permit === 'use' || permit === 'own') && !door.isInside) return 'outside'
  if (role === 'admin') return undefined
  switch (permit) {
    case 'look':
      return undefined
    case 'administer':
      return 'no-admin'
    case 'use':
    case 'own':
      if (door.list !== undefined && !door.list.has(user)) return 'not-listed'
      return permit === 'own' && !owners.includes(user) ? 'not-yours' : undefined
    default:
      throw new Error(`Unknown permit: ${String(permit satisfies never)}`)
  }
}

function judgeRole(role: Role, permit: Permit, {guests, externals}: Door): Denial | undefined {
  switch (role) {
    case 'admin':
    case 'member':
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
