import type {Denial} from '../../security/permits.ts'
import type {AuditStore} from '../../store/tables/audit.ts'
import type {People} from '../api/people.ts'
import type {Interaction} from '../incoming/interaction.ts'
import {texts} from '../texts.ts'
import {nameLine} from '../markup/lines.ts'
import type {Access} from '../access.ts'
import {type Guard, Refusal} from './act.ts'

interface GuardOptions {
  access: Access
  people: Pick<People, 'user' | 'adminNames'>
  audit: AuditStore
  nowMs: () => number
}

/** Lets pass who may, as Slack and our tables say it at the time of the act. */
export function createGuard({access, people, audit, nowMs}: GuardOptions): Guard {
  const notYours = async (owners: readonly string[]): Promise<Refusal> => {
    const names = await Promise.all(owners.map(async (id) => `@${await people.user(id)}`))
    const [sender = '', starter = sender] = names
    return new Refusal({text: texts.talk.waiting.notYours(sender, starter)})
  }

  return async (
    {event, permit},
    interaction,
    {channel = channelOf(interaction), owners, about},
  ) => {
    const {team, user} = interaction
    const isFromThere = channel === channelOf(interaction)
    const denial = await access.denialOf(interaction, {permit, channel, owners, isFromThere})
    const outcome = denial === undefined ? 'done' : 'refused'
    if (!LOOKING.has(event)) {
      await audit.add({team, channel, user, act: event, about, outcome, atMs: nowMs()})
    }
    if (denial === 'not-yours') return notYours(owners ?? [])
    if (denial === undefined) return undefined
    const isForAdmins = denial === 'no-admin' || denial === 'not-listed'
    return refusalOf(denial, isForAdmins ? await people.adminNames() : [])
  }
}

/** Nothing is done by it. */
const LOOKING: ReadonlySet<string> = new Set(['home opened', 'messages opened'])

/** `admins`: names of those who can help. */
function refusalOf(denial: Exclude<Denial, 'not-yours'>, admins: readonly string[]): Refusal {
  const {permit} = texts
  switch (denial) {
    case 'guest':
      return new Refusal({text: permit.guest})
    case 'external':
      return new Refusal({text: texts.notForGuests})
    case 'bot':
    case 'nobody':
      return new Refusal({text: permit.nobody})
    case 'outside':
      return new Refusal({text: permit.outside})
    case 'not-listed':
      return new Refusal({text: permit.notListed(admins.map(nameLine))})
    case 'no-admin':
      return new Refusal({text: permit.noAdmin(admins.map(nameLine))})
    default:
      throw new Error(`Unknown denial: ${String(denial satisfies never)}`)
  }
}

/** Where it was done; App Home is in no channel, and a modal only remembers one. */
function channelOf(interaction: Interaction): string | undefined {
  if (interaction.kind === 'home opened' || interaction.kind === 'form') return undefined
  return interaction.channel
}
