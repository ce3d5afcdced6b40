import type {Kysely, Selectable} from 'kysely'
import {inParts} from '../../database/in-parts.ts'
import type {Schema} from '../../database/schema.ts'
import type {Write} from '../../database/writer.ts'

/** A message of somebody's that holds links. */
export interface LinkedMessage {
  team: string
  channel: string
  ts: string
}

/** A link in it. */
export interface KnownAddress {
  /** As it was posted. */
  url: string
  /** What it leads to: two links to the same have the same. */
  about: string
}

/** A link that has a preview of ours, or is about to. */
export interface Unfurl extends LinkedMessage, KnownAddress {
  /** A mark of what its preview shows; `undefined` while it has none. */
  shown: string | undefined
  notedAtMs: number
}

export interface UnfurlStore {
  /** So that it is shown, and kept up to date: of one thing in the newest few messages. */
  note(message: LinkedMessage, links: readonly KnownAddress[], nowMs: number): Promise<void>
  /** All of a workspace that were noted since then. */
  ofTeam(team: string, sinceMs: number): Promise<Unfurl[]>
  /** Those of these messages that lead to one of these things, and what else stands in the same messages. */
  about(team: string, things: readonly string[], sinceMs: number): Promise<Unfurl[]>
  of(message: LinkedMessage): Promise<Unfurl[]>
  /** Their previews show this now. */
  shown(unfurls: readonly (Unfurl & {shown: string})[]): Promise<void>
  /** They are not ours to show any more. */
  drop(unfurls: readonly Unfurl[]): Promise<void>
}

/** So many messages show one thing. */
const MOST_OF_ONE = 10

export function createUnfurlStore(db: Kysely<Schema>, write: Write): UnfurlStore {
  const rows = (team: string) => db.selectFrom('unfurls').selectAll().where('team', '=', team)

  const note: UnfurlStore['note'] = ({team, channel, ts}, links, nowMs) =>
    write(async (transaction) => {
      for (const {url, about} of links) {
        await transaction
          .insertInto('unfurls')
          .values({team, channel, ts, url, about, shown: null, noted_at_ms: nowMs})
          .onConflict((conflict) => conflict.doNothing())
          .execute()
        const all = await transaction
          .selectFrom('unfurls')
          .select(['channel', 'ts', 'url'])
          .where('team', '=', team)
          .where('about', '=', about)
          .orderBy('noted_at_ms', 'desc')
          .execute()
        for (const old of all.slice(MOST_OF_ONE)) {
          await transaction
            .deleteFrom('unfurls')
            .where('team', '=', team)
            .where('channel', '=', old.channel)
            .where('ts', '=', old.ts)
            .where('url', '=', old.url)
            .execute()
        }
      }
    })

  const about: UnfurlStore['about'] = async (team, things, sinceMs) => {
    const found: Unfurl[] = []
    for (const some of inParts(things)) {
      const those = await rows(team)
        .where('about', 'in', some)
        .where('noted_at_ms', '>=', sinceMs)
        .execute()
      found.push(...those.map(toUnfurl))
    }
    return found
  }

  return {
    note,
    about,
    ofTeam: async (team, sinceMs) =>
      (await rows(team).where('noted_at_ms', '>=', sinceMs).execute()).map(toUnfurl),
    of: async ({team, channel, ts}) =>
      (await rows(team).where('channel', '=', channel).where('ts', '=', ts).execute()).map(
        toUnfurl,
      ),
    shown: (unfurls) =>
      write(async (transaction) => {
        for (const {team, channel, ts, url, shown} of unfurls) {
          await transaction
            .updateTable('unfurls')
            .set({shown})
            .where('team', '=', team)
            .where('channel', '=', channel)
            .where('ts', '=', ts)
            .where('url', '=', url)
            .execute()
        }
      }),
    drop: (unfurls) =>
      write(async (transaction) => {
        for (const {team, channel, ts, url} of unfurls) {
          await transaction
            .deleteFrom('unfurls')
            .where('team', '=', team)
            .where('channel', '=', channel)
            .where('ts', '=', ts)
            .where('url', '=', url)
            .execute()
        }
      }),
  }
}

function toUnfurl(row: Selectable<Schema['unfurls']>): Unfurl {
  const {shown, noted_at_ms: notedAtMs, ...unfurl} = row
  return {...unfurl, shown: shown ?? undefined, notedAtMs}
}
