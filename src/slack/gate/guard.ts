import type {Denial} from '../../security/permits.ts'
import type {AuditStore} from '../../store/tables/audit.ts'
import type {BarredChannelStore} from '../../store/tables/channels/barred-channels.ts'
import {ACTIONS, STOP_SIGN} from '../ids.ts'
import type {People} from '../api/people.ts'
import type {Interaction} from '../incoming/interaction.ts'
import {texts} from '../texts.ts'
import {nameLine} from '../markup/lines.ts'
import type {Access} from '../access.ts'
import {type Guard, Refusal} from './act.ts'

/** Whoever did something in a channel counts for so long as being there: as long as what Slack says of it is remembered. */
const PRESENT_MS = 60_000

interface GuardOptions {
  access: Access
  people: Pick<People, 'user' | 'adminNames'>
  barredChannels: Pick<BarredChannelStore, 'isBarred'>
  audit: AuditStore
  nowMs: () => number
}

/** Lets pass who may, as Slack and our tables say it at the time of the act. */
export function createGuard(options: GuardOptions): Guard {
  const {access, people, barredChannels, audit, nowMs} = options

  const notYours = async (owners: readonly string[]): Promise<Refusal> => {
    const names = await Promise.all(owners.map(async (id) => `@${nameLine(await people.user(id))}`))
    const [sender = '', starter = sender] = names
    return new Refusal({text: texts.talk.waiting.notYours(sender, starter)})
  }

  const isBarred = async (team: string, channel: string | undefined) =>
    channel !== undefined && (await barredChannels.isBarred({team, channel}))

  return async (
    {event, permit},
    interaction,
    {channel = channelOf(interaction), owners, about, isStop = false},
    {attempts, receivedAtMs},
  ) => {
    const {team, user} = interaction
    // Who was there when they did what is done later may have been taken out since.
    const isNow = attempts === 0 && nowMs() - receivedAtMs < PRESENT_MS
    const isFromThere = channel === channelOf(interaction) && (isNow ? true : 'before')
    const personal = await access.denialOf(interaction, {permit, channel, owners, isFromThere})
    const isOfPlace = (permit === 'use' || permit === 'own') && !STOPS.has(event) && !isStop
    const denial = personal ?? (isOfPlace && (await isBarred(team, channel)) ? 'barred' : undefined)
    const outcome = denial === undefined ? 'done' : 'refused'
    if (!LOOKING.has(event)) {
      await audit.add({team, channel, user, act: event, about, outcome, atMs: nowMs()})
    }
    if (denial === 'not-yours') return notYours(owners ?? [])
    if (denial === undefined) return undefined
    return refusalOf(denial, FOR_ADMINS.has(denial) ? await people.adminNames() : [])
  }
}

/** What goes on can be stopped everywhere. */
const STOPS: ReadonlySet<string> = new Set([
  ...[ACTIONS.stop, ACTIONS.stopAndArchive, ACTIONS.listStop].map((id) => `press ${id}`),
  ...[`reaction ${STOP_SIGN}`, 'native stop', '/stop '],
])

/** What admins can change. */
const FOR_ADMINS: ReadonlySet<string> = new Set(['no-admin', 'not-listed', 'barred'])

/** Nothing is done by it. */
const LOOKING: ReadonlySet<string> = new Set(['home opened', 'messages opened'])

/** `admins`: names of those who can help. */
function refusalOf(
  denial: Exclude<Denial, 'not-yours'> | 'barred',
  admins: readonly string[],
): Refusal {
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
    case 'barred':
      return new Refusal({text: permit.barred(admins.map(nameLine))})
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
