import {ACTS, type Act} from './acts.ts'

/** Who does it: one person of each kind, and a member who started the work. */
export const PERSONS = [
  ...['starter', 'admin', 'member', 'outsider', 'guest', 'single-channel guest'],
  ...['external', 'bot', 'deactivated'],
] as const
export type Person = (typeof PERSONS)[number]

/** What a channel has chosen; what is not open to all is for everyone in it, and the outsider has left it. */
export const DOORS = ['everyone', 'list', 'group', 'wide', 'private', 'group message'] as const
export type Door = (typeof DOORS)[number]

/** Who is not in it does not see it. */
export const isClosed = (door: Door): boolean => door === 'private' || door === 'group message'

/** Whose ids a deed bears: of where it is done, of another channel there, of the other workspace. */
export type Reach = 'here' | 'other channel' | 'other workspace'

export interface Cell {
  event: string
  team: number
  door: Door
  person: Person
  reach: Reach
}

/** Guests and people of another company may use Bosun where an admin has let them in, and nowhere else. */
const PEOPLE_OF: Readonly<Record<Door, readonly Person[]>> = {
  everyone: ['starter', 'admin', 'member', 'outsider'],
  list: ['starter', 'admin'],
  // An admin needs no list.
  group: ['member', 'admin'],
  wide: [
    ...(['starter', 'admin', 'member', 'outsider'] as const),
    ...(['guest', 'single-channel guest', 'external'] as const),
  ],
  private: ['starter', 'admin', 'member'],
  'group message': ['starter', 'admin', 'member'],
}

const OF_THE_WORKSPACE: readonly Person[] = [
  ...['starter', 'admin', 'member', 'outsider', 'guest', 'single-channel guest'],
] as const

const BY_EVENT: ReadonlyMap<string, Act> = new Map(ACTS.map((act) => [act.event, act]))

/** @throws for an act that the documents do not know. */
function actOf(event: string): Act {
  const act = BY_EVENT.get(event)
  if (act === undefined) throw new Error(`Say in acts.ts who may do "${event}".`)
  return act
}

/** Slack itself lets nobody act in a channel that they have left; what they opened before stays open. */
export function canHappen({event, door, person}: Cell): boolean {
  return !(isClosed(door) && person === 'outsider') || actOf(event).where !== 'place'
}

/** `workDoor`: of the channel where the work is. */
export function mayDo(cell: Cell, workDoor: Door): boolean {
  const {event, person, reach} = cell
  const {who, where} = actOf(event)
  if (reach !== 'here' && !isOwnList(cell)) return false
  if (where === 'home') return OF_THE_WORKSPACE.includes(person)
  const isOfPeople = PEOPLE_OF[workDoor].includes(person)
  switch (who) {
    case 'everybody':
      return OF_THE_WORKSPACE.includes(person)
    case 'people':
      return isOfPeople
    case 'admins':
      return person === 'admin'
    case 'theirs':
      return isOfPeople && (person === 'starter' || person === 'admin')
    case 'asker':
      return isOfPeople && person === 'starter'
  }
}

/** `/bosun mine` has rows from all channels, each with its own [Stop]. */
function isOwnList({event, person, reach}: Cell): boolean {
  return event === 'press bosun:list-stop' && person === 'starter' && reach === 'other channel'
}
