import {WebClient} from '@slack/web-api'
import {z} from 'zod'
import {TryLater} from '../../inbox/try-later.ts'
import {createMemory} from '../../async/memory.ts'
import type {Bucket} from '../../async/buckets.ts'
import type {Role} from '../../security/permits.ts'
import type {Who} from '../incoming/who.ts'
import type {Names} from '../markup/markup.ts'
import {callSlack} from './slack-client.ts'
import {SlackError, askAgainAfterMs} from '../../once/slack-error.ts'

/** What Slack says of the people of one workspace, each asked for once in a while. */
export interface People extends Names {
  /** The time zone, as an IANA name; UTC where Slack does not tell. */
  zoneOf: (user: string) => Promise<string>
  /**
   * The same for who can wait until Slack says.
   *
   * @throws {TryLater} when Slack does not say now.
   */
  sureZoneOf: (user: string) => Promise<string>
  /** Empty for somebody without one, `undefined` when Slack does not tell. It is nobody else's business. */
  emailOf: (user: string) => Promise<string | undefined>
  /** Who of the workspace has this e-mail; `undefined` when nobody has, or Slack does not tell. */
  withEmail: (email: string) => Promise<string | undefined>
  /**
   * What somebody is here, as Slack said it at most so long ago.
   *
   * @throws {TryLater} when Slack does not say.
   */
  roleOf(who: Pick<Who, 'user' | 'userTeam'>, freshMs: number): Promise<Role>
  /** For what is only shown, such as a button: what it does is judged anew. */
  seemsAdmin(user: string): Promise<boolean>
  /** Some of those who may administer; fewer, or none, where Slack does not tell. */
  admins(): Promise<string[]>
  /** The names of a few of them, as they read without calling anybody. */
  adminNames(): Promise<string[]>
}

interface PeopleOptions {
  client: WebClient
  team: string
  organization?: string | undefined
  /** Slack user ids of those who may administer besides admins and owners. */
  admins: readonly string[]
  /** How often Slack may be asked for a name alone: whoever is asked for beyond that is named by their id for now. */
  nameShares: NameShares
}

/** Of what may be asked of people and of channels: the rest is for what decides who may do what. */
interface NameShares {
  users: Bucket
  channels: Bucket
}

/** So many of each are remembered. */
const MAX_KNOWN = 5000
/** Slack's own limit is below it. */
const MAX_NAME = 200
const KEEP_MS = 3_600_000
/** Of the list of all people: admins of a large workspace are among the first, who made it. */
const PAGE = 200
const MAX_PAGES = 10
/** So many are asked at most, and so many are named. */
const MAX_ADMINS = 5
const MAX_NAMED = 3
/** What could not be had is asked for again sooner. */
const RETRY_MS = 60_000
const SEEMS_FRESH_MS = 300_000

/** https://docs.slack.dev/reference/objects/user-object */
const userSchema = z.looseObject({
  name: z.string().nullish(),
  real_name: z.string().nullish(),
  profile: z
    .looseObject({display_name: z.string().nullish(), email: z.string().nullish()})
    .nullish(),
  tz: z.string().nullish(),
  team_id: z.string().nullish(),
  enterprise_user: z
    .looseObject({enterprise_id: z.string().nullish(), teams: z.array(z.string()).nullish()})
    .nullish(),
  deleted: z.boolean().nullish(),
  is_bot: z.boolean().nullish(),
  is_workflow_bot: z.boolean().nullish(),
  is_stranger: z.boolean().nullish(),
  is_restricted: z.boolean().nullish(),
  is_ultra_restricted: z.boolean().nullish(),
  is_admin: z.boolean().nullish(),
  is_owner: z.boolean().nullish(),
})

/** What of somebody is remembered: Slack tells a hundred times as much. */
interface Person {
  /** Empty where Slack tells none. */
  name: string
  zone: string
  email: string
  team: string | undefined
  /** Also where another workspace of the organization is their own. */
  isAmongUs: boolean
  /** Of a workspace of our organization. */
  isColleague: boolean
  isGone: boolean
  isBot: boolean
  isStranger: boolean
  isGuest: boolean
  isAdmin: boolean
}

/** A channel, as far as it is called by its name. */
interface Called {
  name: string
  isPrivate: boolean
}

interface Known {
  person: Promise<Person>
  atMs: number
  /** It was not told: later it may be. */
  hasFailed: boolean
}

export function createPeople(options: PeopleOptions): People {
  const {client, team, organization, admins, nameShares} = options
  const us = {team, organization}
  const people = createMemory<Known>({most: MAX_KNOWN})
  const mails = createMemory<Promise<string | undefined>>({most: MAX_KNOWN})
  const channels = createMemory<Promise<Called>>({most: MAX_KNOWN})

  const known = (id: string, freshMs: number, failedMs: number): Promise<Person> | undefined => {
    const before = people.of(id)
    const keepMs = before?.hasFailed === true ? failedMs : freshMs
    return before !== undefined && performance.now() - before.atMs < keepMs
      ? before.person
      : undefined
  }

  /** @throws {SlackError} */
  const look = (id: string, freshMs: number, failedMs: number): Promise<Person> => {
    const before = known(id, freshMs, failedMs)
    if (before !== undefined) return before
    const asked: Known = {
      person: callSlack(() => client.users.info({user: id})).then(({user}) => toPerson(user, us)),
      atMs: performance.now(),
      hasFailed: false,
    }
    asked.person.catch(() => (asked.hasFailed = true))
    people.keep(id, asked)
    return asked.person
  }

  const unless = async <Value>(
    id: string,
    value: (person: Person) => Value,
    otherwise: Value,
  ): Promise<Value> => {
    try {
      return value(await look(id, KEEP_MS, RETRY_MS))
    } catch (error) {
      if (!(error instanceof SlackError || error instanceof z.ZodError)) throw error
      return otherwise
    }
  }

  const withEmail = (email: string): Promise<string | undefined> => {
    if (email === '') return Promise.resolve(undefined)
    const before = mails.of(email)
    if (before !== undefined) return before
    const user = callSlack(() => client.users.lookupByEmail({email}))
      .then((answer) => answer.user?.id)
      .catch((error: unknown) => {
        if (!(error instanceof SlackError)) throw error
        if (error.code !== 'users_not_found') mails.keep(email, user, RETRY_MS)
        return undefined
      })
    mails.keep(email, user, KEEP_MS)
    return user
  }

  const nameOf = (id: string): Promise<string> =>
    known(id, KEEP_MS, RETRY_MS) === undefined && !mayAsk(nameShares.users)
      ? Promise.resolve(id)
      : unless(id, ({name}) => name || id, id)

  const channelOf = (id: string): Promise<Called> => {
    const before = channels.of(id)
    if (before !== undefined) return before
    const unnamed = {name: id, isPrivate: false}
    if (!mayAsk(nameShares.channels)) return Promise.resolve(unnamed)
    const called = callSlack(() => client.conversations.info({channel: id}))
      .then(({channel: said}) => {
        const isPublic = said?.is_private === false && said.is_mpim !== true
        return said?.name === undefined ? unnamed : {name: said.name, isPrivate: !isPublic}
      })
      .catch((error: unknown) => {
        if (!(error instanceof SlackError)) throw error
        channels.keep(id, called, RETRY_MS)
        return unnamed
      })
    channels.keep(id, called, KEEP_MS)
    return called
  }

  const roleOf: People['roleOf'] = async (who, freshMs) => {
    try {
      return toRole(who, await look(who.user, freshMs, 0), {team, admins})
    } catch (error) {
      throwUnlessSaid(error)
      return 'nobody'
    }
  }

  const sureZoneOf: People['sureZoneOf'] = async (id) => {
    try {
      return (await look(id, KEEP_MS, RETRY_MS)).zone
    } catch (error) {
      throwUnlessSaid(error)
      return 'UTC'
    }
  }

  const readAdmins = async (): Promise<string[]> => {
    const found = new Set(admins)
    let cursor: string | undefined
    for (let page = 0; page < MAX_PAGES && found.size < MAX_ADMINS; page += 1) {
      const answer = await callSlack(() =>
        client.users.list({limit: PAGE, ...(cursor !== undefined && {cursor})}),
      )
      for (const member of answer.members ?? []) {
        const {data} = userSchema.safeParse(member)
        const {id} = member
        if (data === undefined || id === undefined) continue
        const who = {user: id, userTeam: undefined}
        if (toRole(who, toPerson(data, us), {team, admins}) === 'admin') found.add(id)
      }
      cursor = answer.response_metadata?.next_cursor || undefined
      if (cursor === undefined) break
    }
    return [...found].slice(0, MAX_ADMINS)
  }

  let adminsKnown: {list: string[]; atMs: number} | undefined
  /** Remembered for a while, since whoever may not is told of them: Slack lets the list be read twenty times a minute. */
  const theAdmins = async (): Promise<string[]> => {
    if (adminsKnown !== undefined && performance.now() - adminsKnown.atMs < SEEMS_FRESH_MS) {
      return adminsKnown.list
    }
    try {
      adminsKnown = {list: await readAdmins(), atMs: performance.now()}
      return adminsKnown.list
    } catch (error) {
      if (!(error instanceof SlackError)) throw error
      return [...admins]
    }
  }

  return {
    user: nameOf,
    channel: async (id) => {
      const {name, isPrivate} = await channelOf(id)
      return isPrivate ? undefined : name
    },
    place: async (id) => (await channelOf(id)).name,
    withEmail,
    zoneOf: (id) => unless(id, ({zone}) => zone, 'UTC'),
    sureZoneOf,
    emailOf: (id) => unless<string | undefined>(id, ({email}) => email, undefined),
    admins: theAdmins,
    adminNames: async () => {
      const few = (await theAdmins()).slice(0, MAX_NAMED)
      return Promise.all(few.map(async (id) => `@${await nameOf(id)}`))
    },
    roleOf,
    seemsAdmin: async (user) => {
      try {
        return (await roleOf({user, userTeam: undefined}, SEEMS_FRESH_MS)) === 'admin'
      } catch (error) {
        if (!(error instanceof TryLater)) throw error
        return false
      }
    },
  }
}

function mayAsk(share: Bucket): boolean {
  if (share.tokens() < 1) return false
  share.take(1)
  return true
}

/**
 * Slack has said for good that it does not say who that is.
 *
 * @throws {TryLater} where it may later.
 */
function throwUnlessSaid(error: unknown): void {
  if (error instanceof z.ZodError) return
  if (!(error instanceof SlackError)) throw error
  // A token that is refused today may be renewed, or replaced: nobody could be told now that they were not heard.
  const afterMs = askAgainAfterMs(error)
  if (afterMs !== undefined) throw new TryLater(error, afterMs)
}

/** @throws {z.ZodError} where it is nobody. */
function toPerson(
  told: unknown,
  {team, organization}: Pick<PeopleOptions, 'team' | 'organization'>,
): Person {
  const user = userSchema.parse(told)
  const {profile, real_name: realName, name, tz, enterprise_user: enterprise} = user
  return {
    name: (profile?.display_name || realName || name || '').slice(0, MAX_NAME),
    zone: tz || 'UTC',
    email: profile?.email ?? '',
    team: user.team_id ?? undefined,
    isAmongUs: enterprise?.teams?.includes(team) === true,
    isColleague: organization !== undefined && enterprise?.enterprise_id === organization,
    isGone: user.deleted === true,
    isBot: user.is_bot === true || user.is_workflow_bot === true,
    isStranger: user.is_stranger === true,
    isGuest: user.is_restricted === true || user.is_ultra_restricted === true,
    isAdmin: user.is_admin === true || user.is_owner === true,
  }
}

/** What Slack does not say plainly counts against them. */
function toRole(
  {user: id, userTeam}: Pick<Who, 'user' | 'userTeam'>,
  person: Person,
  {team, admins}: {team: string; admins: readonly string[]},
): Role {
  if (person.isGone) return 'nobody'
  if (person.isBot || id === 'USLACKBOT') return 'bot'
  const isAmongUs = (person.team ?? userTeam ?? team) === team || person.isAmongUs
  if (person.isStranger || (!isAmongUs && !person.isColleague)) return 'external'
  if (admins.includes(id)) return 'admin'
  if (person.isGuest) return 'guest'
  // An admin of another workspace is none here.
  if (!isAmongUs) return 'colleague'
  return person.isAdmin ? 'admin' : 'member'
}
