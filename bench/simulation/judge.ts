import {join} from 'node:path'
import Database from 'better-sqlite3'
import {takeEvidence} from '../../test/support/evidence.ts'
import {type Talk, judgeTalks} from '../../test/support/talks.ts'
import {errorsOf} from '../../test/support/trail.ts'
import {strayWords, wrongIn} from '../../test/support/standing-oracle.ts'
import type {World} from '../../test/support/world.ts'
import type {PlayedTalk} from './people.ts'

/** What is wrong when everything has settled: by the verdict of the storms, and by what must be over by then. */
export function judge(
  world: World,
  talks: readonly PlayedTalk[],
  unsettled: readonly Talk[],
): {wrongs: string[]; replies: number; errors: string[]} {
  const {wrongs, details, trails, replies} = judgeTalks(world, talks, {removed: [], unsettled})
  const counts = Object.entries(wrongs).flatMap(([name, count]) =>
    count === 0 ? [] : [`${name}: ${count}`],
  )
  const evidence = takeEvidence(world)
  const standing = talks.map(({name, place}) => ({
    ...{name, status: evidence.threadIn(place)?.status},
    ours: evidence.ours(place),
  }))
  return {
    replies,
    errors: [...errorsOf(world)].map(([words, times]) => `${times} times ${words}`),
    wrongs: [
      ...counts,
      ...(counts.length === 0 ? [] : [...details, ...trails]),
      ...standing.flatMap(wrongIn),
      ...strayWords(standing),
      ...leftIn(world),
    ],
  }
}

/** Rows of our tables that somebody would still have to do something about. */
const OPEN: Readonly<Record<string, string>> = {
  'inbox rows that nobody has handled': `select key as what from inbox where state = 'open'`,
  'posts that are neither made nor known to be missing': `select key as what from posts where state = 'intended'`,
  'calls about archived work': `select pings.key as what from pings join links on links.id = pings.link_id
     where pings.state = 'open' and links.state = 'archived'`,
}

function leftIn({folder}: World): string[] {
  const database = new Database(join(folder, 'bosun.db'), {readonly: true})
  try {
    return Object.entries(OPEN).flatMap(([name, sql]) => {
      const found = database.prepare<[], {what: string}>(sql).all()
      return found.length === 0 ? [] : [`${name}: ${found.map(({what}) => what).join(', ')}`]
    })
  } finally {
    database.close()
  }
}
