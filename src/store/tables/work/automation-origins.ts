import type {Kysely} from 'kysely'
import {inParts} from '../../database/in-parts.ts'
import type {Schema} from '../../database/schema.ts'
import type {Write} from '../../database/writer.ts'
import type {Origin} from './origin.ts'
import {hashOf, markPrivate} from './private-marks.ts'

type Channel = Origin['channels'][number]

/** An automation of the platform, by its id and by what else names it. */
export interface AutomationNames {
  id: string
  /** What we have written into its prompt. */
  references: readonly string[]
}

/**
 * Where automations were made, as far as we made them. Each has two names, its reference before the platform has it and its
 * id from then on: at no moment can one of a private place be taken for one from elsewhere.
 */
export interface AutomationOrigins {
  /** It is made in a private place, and nobody else's business for good. */
  keepAutomation(place: Channel, name: string): Promise<void>
  /** By their ids; those that were made elsewhere are not in it. `place`: whether it was made there is known, too. */
  ofAutomations(
    place: Channel,
    automations: readonly AutomationNames[],
  ): Promise<ReadonlyMap<string, Origin>>
}

export function createAutomationOrigins(db: Kysely<Schema>, write: Write): AutomationOrigins {
  const markedOf = async (marks: readonly string[]): Promise<ReadonlySet<string>> => {
    const marked = new Set<string>()
    for (const some of inParts(marks)) {
      const rows = await db
        .selectFrom('private_threads')
        .select('thread_hash')
        .where('thread_hash', 'in', [...some])
        .execute()
      for (const {thread_hash: hash} of rows) marked.add(hash)
    }
    return marked
  }

  /** In which channels those stand that are still in use there. */
  const channelsOf = async (ids: readonly string[]) => {
    const found: (Channel & {id: string | null; is_private: number})[] = []
    for (const some of inParts(ids)) {
      const rows = await db
        .selectFrom('timetables')
        .select(['automation_id as id', 'team', 'channel', 'is_private'])
        .where('automation_id', 'in', [...some])
        .execute()
      const hooks = await db
        .selectFrom('hooks')
        .select(['automation_id as id', 'team', 'channel'])
        .where('automation_id', 'in', [...some])
        .execute()
      found.push(...rows, ...hooks.map((hook) => ({...hook, is_private: 0})))
    }
    return Map.groupBy(found, ({id}) => id)
  }

  return {
    keepAutomation: (place, name) =>
      write(async (transaction) => {
        for (const mark of [nameMark(name), placeMark(place, name)]) {
          await markPrivate(transaction, mark)
        }
      }),
    ofAutomations: async (place, automations) => {
      const namesOf = ({id, references}: AutomationNames) => [id, ...references]
      const marks = automations
        .flatMap(namesOf)
        .flatMap((name) => [nameMark(name), placeMark(place, name)])
      const marked = await markedOf(marks.map(hashOf))
      const isMarked = (mark: string): boolean => marked.has(hashOf(mark))
      const standing = await channelsOf(automations.map(({id}) => id))
      const found = new Map<string, Origin>()
      for (const automation of automations) {
        const names = namesOf(automation)
        const rows = standing.get(automation.id) ?? []
        const isHere = names.some((name) => isMarked(placeMark(place, name)))
        const isPrivate =
          names.some((name) => isMarked(nameMark(name))) || rows.some((row) => row.is_private === 1)
        if (!isPrivate && rows.length === 0) continue
        const channels = [...rows, ...(isHere ? [place] : [])]
        const mark = isPrivate ? 'private' : undefined
        found.set(automation.id, {channels, mark, rooms: []})
      }
      return found
    },
  }
}

/** They stand beside the ids of threads, none of which has a blank in it. */
export function nameMark(name: string): string {
  return `automation ${name}`
}

function placeMark({team, channel}: Channel, name: string): string {
  return `automation ${name} in ${team} ${channel}`
}
