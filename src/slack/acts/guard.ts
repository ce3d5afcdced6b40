import type {SettingsOf} from '../../inbox/agents/settings.ts'
import {type Denial, type Door, PERMITS, type Permit, judge} from '../../security/permits.ts'
import type {AuditStore} from '../../store/audit.ts'
import type {Allowed} from '../../store/bindings.ts'
import type {Groups} from '../api/groups.ts'
import type {People} from '../api/people.ts'
import type {Deed} from '../deeds/deed.ts'
import {texts} from '../texts.ts'
import {type Guard, Refusal} from './act.ts'

interface GuardOptions {
  people: People
  groups: Groups
  settingsOf: SettingsOf
  audit: AuditStore
  nowMs: () => number
}

/** Whoever is demoted is refused within this time; what only admins may do is asked anew each time. */
const FRESH_MS: Readonly<Record<Permit, number>> = {
  look: 300_000,
  use: 300_000,
  own: 300_000,
  administer: 0,
}

/** Lets pass who may, as Slack and our tables say it at the time of the act. */
export function createGuard(options: GuardOptions): Guard {
  const {people, groups, settingsOf, audit, nowMs} = options

  const doorOf = async (allowed: Allowed): Promise<Door['list']> => {
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

  const notYours = async (owners: readonly string[]): Promise<Refusal> => {
    const names = await Promise.all(owners.map(async (id) => `@${await people.user(id)}`))
    const [sender = '', starter = sender] = names
    return new Refusal({text: texts.talk.waiting.notYours(sender, starter)})
  }

  return async (event, deed, {channel = channelOf(deed), owners, about}) => {
    const permit = PERMITS[event] ?? 'administer'
    const {team, user} = deed
    const [role, {values}] = await Promise.all([
      people.roleOf(deed, FRESH_MS[permit]),
      settingsOf(team, channel),
    ])
    const {allowed, guests, externals} = values
    // Who may all has no need of a list, and a list that Slack does not tell stops nobody else.
    const isListed = permit !== 'look' && role !== 'admin'
    const door = {guests, externals, list: isListed ? await doorOf(allowed) : undefined}
    const denial = judge(permit, {user, role}, door, owners)
    const outcome = denial === undefined ? 'done' : 'refused'
    if (event !== 'home opened') {
      await audit.add({team, channel, user, act: event, about, outcome, atMs: nowMs()})
    }
    if (denial === 'not-yours') return notYours(owners ?? [])
    return denial === undefined ? undefined : refusalOf(denial)
  }
}

function refusalOf(denial: Exclude<Denial, 'not-yours'>): Refusal {
  const {permit} = texts
  switch (denial) {
    case 'guest':
      return new Refusal({text: permit.guest})
    case 'external':
      return new Refusal({text: texts.notForGuests})
    case 'bot':
    case 'nobody':
      return new Refusal({text: permit.nobody})
    case 'not-listed':
      return new Refusal({text: permit.notListed})
    case 'no-admin':
      return new Refusal({text: permit.noAdmin})
    default:
      throw new Error(`Unknown denial: ${String(denial satisfies never)}`)
  }
}

/** Where it was done; App Home is in no channel. */
function channelOf(deed: Deed): string | undefined {
  if (deed.kind === 'home opened' || deed.kind === 'form') return undefined
  return deed.channel
}
