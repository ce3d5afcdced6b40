import {join} from 'node:path'
import Database from 'better-sqlite3'
import {readConfig} from '../../../src/config/config.ts'
import {type Store, openStore} from '../../../src/store/store.ts'
import {seedBeside} from '../beside-work.ts'
import type {Subjects} from '../matrix-deeds.ts'
import {JANE, KIM, type World, startWorld} from '../world.ts'

/** One channel with work in it, and everything that interactions there can be about. */
export interface Spot extends Subjects {
  team: string
  starter: string
}

export interface LinkFacts {
  id: string
  team: string
  channel: string
  slackThread: string
  threadId: string
  startedBy: string
  /** What its buttons mean now. */
  turn: number
  state: string
  /** What people have made of it. */
  said: string
}

/** A bot at work over HTTP, with work of its own workspace in several channels, and rows of one that it does not serve. */
export interface Field extends AsyncDisposable {
  world: World
  /** Of the bot's workspace; two in each channel. */
  spots: readonly Spot[]
  /** Of the other workspace. */
  strangers: readonly Spot[]
  users: readonly string[]
  links(): LinkFacts[]
  /** Everything that belongs to the other workspace, as one text. */
  foreignRows(): string
  /** Rows of the inbox that wait. */
  waiting(): number
  /** Inbox rows that are first in their lane and were never tried to the end. */
  untried(): number
}

export const OTHER_TEAM = 'T0BETA'
const CHANNELS = ['C0WEB', 'C0GENERAL', 'C0RANDOM'] as const

export async function openField(): Promise<Field> {
  await using opened = new AsyncDisposableStack()
  const world = opened.use(await startWorld({delivery: 'http', pace: 0.02}))
  const {slack} = world
  await slack.people.inviteBot('C0RANDOM')
  const guest = await slack.people.addMember({
    ...{name: 'guest', realName: 'Guest', guest: 'multi_channel' as const},
  })
  const places = []
  for (const channel of CHANNELS) {
    for (const as of [JANE, KIM]) {
      places.push({as, ...(await world.say('<@U0BOSUN> look into it', {as, channel}))})
    }
  }
  for (const place of places) await world.settled(place)
  await world.bot.stop()
  const path = join(world.folder, 'bosun.db')
  const spots: Spot[] = []
  const strangers: Spot[] = []
  {
    const {sealingKeys} = readConfig(world.settings())
    await using store = await openStore({path, sealingKeys})
    for (const place of places) {
      const at = {team: slack.teamId, channel: place.channel, slackThread: place.ts}
      const link = await store.links.byPlace(at)
      if (link === undefined) throw new Error('The work has no link.')
      spots.push(await seedSpot(store, {...at, linkId: link.id, starter: place.as}))
    }
    for (const [index, starter] of [JANE, 'U0BETAALEX'].entries()) {
      const at = {
        team: OTHER_TEAM,
        channel: 'C0BETAGENERAL',
        slackThread: `1700000${index}00.000100`,
      }
      const threadId = await createThread(world, `beta-${index}`)
      const {id: linkId} = await store.links.open(
        {
          ...{place: at, requestId: `beta-${index}`, projectId: world.platform.projectIds[0] ?? ''},
          ...{connectionId: undefined, startedBy: starter, threadId, title: 'Foreign'},
        },
        1,
      )
      strangers.push(await seedSpot(store, {...at, linkId, starter}))
    }
  }
  const rows = opened.use(openRows(path))
  rows.place([...spots, ...strangers])
  for (const spot of spots) spot.cardTs = rows.cardOf(spot.linkId)
  await world.startBot()
  const users = [JANE, KIM, 'U0SAM', guest.id, 'U0BOSUN', 'U0NOBODY', 'USLACKBOT', 'U0BETAALEX']
  const resources = opened.move()
  const {links, foreignRows, waiting, untried} = rows
  return {
    ...{world, spots, strangers, users, links, foreignRows, waiting, untried},
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

async function createThread(world: World, requestId: string): Promise<string> {
  const settings = world.settings()
  const answer = await fetch(`${settings['PLATFORM_BASE_URL']}/threads`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${settings['PLATFORM_API_KEY']}`,
    },
    body: JSON.stringify({requestId, projectId: world.platform.projectIds[0], message: 'Foreign'}),
  })
  return ((await answer.json()) as {id: string}).id
}

type Standing = Pick<Spot, 'team' | 'channel' | 'slackThread' | 'linkId' | 'starter'>

async function seedSpot(store: Store, at: Standing): Promise<Spot> {
  const {team, channel, slackThread, linkId, starter} = at
  const key = `${channel}-${slackThread}`
  const beside = await seedBeside(store, {
    ...{team, channel, linkId, starter, key},
    ...{wishThread: slackThread, sendState: 'unsure'},
  })
  const second = slackThread.split('.')[0] ?? ''
  return {
    ...{...at, ...beside, connectionId: '', deliveryId: 0, runId: ''},
    ...{cardTs: `${second}.000200`, announcementTs: `${second}.000300`},
  }
}

function openRows(path: string) {
  const database = new Database(path, {timeout: 10_000})
  const linksOf = database.prepare<[], LinkFacts>(
    `select id, team, channel, slack_thread as slackThread, coalesce(thread_id, '') as threadId,
      started_by as startedBy, turn, state, json_array(muted, stopped_by, attempt, state) as said from links`,
  )
  const waitingRows = database
    .prepare<[], number>(`select count(*) from inbox where state = 'open'`)
    .pluck()
  const untriedRows = database
    .prepare<[], number>(
      `select count(*) from inbox where attempts = 0 and id in
        (select min(id) from inbox where state = 'open' group by lane)`,
    )
    .pluck()
  const inLinks = `link_id in (select id from links where team = '${OTHER_TEAM}')`
  const ofTeam = `team = '${OTHER_TEAM}'`
  const foreign = Object.entries({
    ...{links: ofTeam, starts: ofTeam, announcements: ofTeam, watches: ofTeam, people: ofTeam},
    ...{matches: ofTeam, connections: ofTeam, bindings: ofTeam, audit: ofTeam},
    ...{hooks: ofTeam, deliveries: ofTeam},
    ...{posts: inLinks, sends: inLinks, pings: inLinks},
    installs: `id = '${OTHER_TEAM}'`,
  }).map(([table, where]) => database.prepare(`select * from ${table} where ${where}`))
  return {
    /** The announcements stand, and so do the cards of strangers. */
    place: (spots: readonly Spot[]): void => {
      for (const {announcementId, announcementTs, team, linkId, cardTs} of spots) {
        database
          .prepare(
            `update announcements set status = 'failed', state = 'placed', ts = ? where id = ?`,
          )
          .run(announcementTs, announcementId)
        if (team !== OTHER_TEAM) continue
        database
          .prepare(
            `insert into posts (link_id, key, state, ts, final, intended_at_ms) values (?, 'card', 'placed', ?, 0, 1)`,
          )
          .run(linkId, cardTs)
      }
    },
    cardOf: (linkId: string): string =>
      database
        .prepare<[string], string>(`select ts from posts where link_id = ? and key = 'card'`)
        .pluck()
        .get(linkId) ?? '',
    links: () => linksOf.all(),
    foreignRows: () => JSON.stringify(foreign.map((query) => query.all())),
    waiting: () => waitingRows.get() ?? 0,
    untried: () => untriedRows.get() ?? 0,
    [Symbol.dispose]: () => void database.close(),
  }
}
