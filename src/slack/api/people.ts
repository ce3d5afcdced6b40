import type {WebClient} from '@slack/web-api'
import {z} from 'zod'
import {TryLater} from '../../inbox/try-later.ts'
import type {Role} from '../../security/permits.ts'
import type {Who} from '../deeds/who.ts'
import type {Names} from '../markup/markup.ts'
import {SlackError, callSlack} from './calls.ts'

/** What Slack says of the people of one workspace, each asked for once in a while. */
export interface People extends Names {
  /** The time zone, as an IANA name; UTC where Slack does not tell. */
  zoneOf: (user: string) => Promise<string>
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
  admins(most: number): Promise<string[]>
}

interface PeopleOptions {
  client: WebClient
  team: string
  /** Slack user ids of those who may administer besides admins and owners. */
  admins: readonly string[]
}

const KEEP_MS = 3_600_000
/** Of the list of all people: admins of a large workspace are among the first, who made it. */
const PAGE = 200
const MAX_PAGES = 10
/** What could not be had is asked for again sooner. */
const RETRY_MS = 60_000
const SEEMS_FRESH_MS = 300_000

/** https://docs.slack.dev/reference/objects/user-object */
const userSchema = z.looseObject({
  name: z.string().optional(),
  real_name: z.string().optional(),
  profile: z
    .looseObject({display_name: z.string().optional(), email: z.string().optional()})
    .optional(),
  tz: z.string().nullish(),
  team_id: z.string().nullish(),
  enterprise_user: z.looseObject({teams: z.array(z.string()).optional()}).optional(),
  deleted: z.boolean().optional(),
  is_bot: z.boolean().optional(),
  is_workflow_bot: z.boolean().optional(),
  is_stranger: z.boolean().optional(),
  is_restricted: z.boolean().optional(),
  is_ultra_restricted: z.boolean().optional(),
  is_admin: z.boolean().optional(),
  is_owner: z.boolean().optional(),
})
type User = z.infer<typeof userSchema>

interface Known {
  user: Promise<User>
  atMs: number
  /** It was not told: later it may be. */
  hasFailed: boolean
}

export function createPeople(options: PeopleOptions): People {
  const {client, team, admins} = options
  const users = new Map<string, Known>()
  const mails = new Map<string, {user: Promise<string | undefined>; untilMs: number}>()
  const channels = new Map<string, {name: Promise<string>; untilMs: number}>()

  /** @throws {SlackError} */
  const look = (id: string, freshMs: number, failedMs: number): Promise<User> => {
    const before = users.get(id)
    const keepMs = before?.hasFailed === true ? failedMs : freshMs
    if (before !== undefined && Date.now() - before.atMs < keepMs) return before.user
    const known: Known = {
      user: callSlack(() => client.users.info({user: id})).then(({user}) => userSchema.parse(user)),
      atMs: Date.now(),
      hasFailed: false,
    }
    known.user.catch(() => (known.hasFailed = true))
    users.set(id, known)
    return known.user
  }

  const unless = async <Value>(
    id: string,
    value: (user: User) => Value,
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
    const known = mails.get(email)
    if (known !== undefined && known.untilMs > Date.now()) return known.user
    const entry = {
      user: Promise.resolve<string | undefined>(undefined),
      untilMs: Date.now() + KEEP_MS,
    }
    entry.user = callSlack(() => client.users.lookupByEmail({email}))
      .then((answer) => answer.user?.id)
      .catch((error: unknown) => {
        if (!(error instanceof SlackError)) throw error
        if (error.code !== 'users_not_found') entry.untilMs = Date.now() + RETRY_MS
        return undefined
      })
    mails.set(email, entry)
    return entry.user
  }

  const channel = (id: string): Promise<string> => {
    const known = channels.get(id)
    if (known !== undefined && known.untilMs > Date.now()) return known.name
    const entry = {name: Promise.resolve(id), untilMs: Date.now() + KEEP_MS}
    entry.name = callSlack(() => client.conversations.info({channel: id}))
      .then((answer) => answer.channel?.name ?? id)
      .catch((error: unknown) => {
        if (!(error instanceof SlackError)) throw error
        entry.untilMs = Date.now() + RETRY_MS
        return id
      })
    channels.set(id, entry)
    return entry.name
  }

  const roleOf: People['roleOf'] = async (who, freshMs) => {
    try {
      return toRole(who, await look(who.user, freshMs, 0), {team, admins})
    } catch (error) {
      if (error instanceof z.ZodError) return 'nobody'
      if (!(error instanceof SlackError)) throw error
      if (error.kind === 'wait') throw new TryLater(error, error.retryAfterMs)
      if (error.kind === 'retry') throw new TryLater(error)
      return 'nobody'
    }
  }

  return {
    user: (id) =>
      unless(
        id,
        ({profile, real_name, name}) => profile?.display_name || real_name || name || id,
        id,
      ),
    channel,
    withEmail,
    zoneOf: (id) => unless(id, ({tz}) => tz || 'UTC', 'UTC'),
    emailOf: (id) => unless<string | undefined>(id, ({profile}) => profile?.email ?? '', undefined),
    admins: async (most) => {
      const found = new Set(admins)
      let cursor: string | undefined
      try {
        for (let page = 0; page < MAX_PAGES && found.size < most; page += 1) {
          const answer = await callSlack(() =>
            client.users.list({limit: PAGE, ...(cursor !== undefined && {cursor})}),
          )
          for (const member of answer.members ?? []) {
            const {data} = userSchema.safeParse(member)
            const {id} = member
            if (data === undefined || id === undefined) continue
            const who = {user: id, userTeam: undefined}
            if (toRole(who, data, {team, admins}) === 'admin') found.add(id)
          }
          cursor = answer.response_metadata?.next_cursor || undefined
          if (cursor === undefined) break
        }
      } catch (error) {
        if (!(error instanceof SlackError)) throw error
      }
      return [...found].slice(0, most)
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

/** What Slack does not say plainly counts against them. */
function toRole(
  {user: id, userTeam}: Pick<Who, 'user' | 'userTeam'>,
  user: User,
  {team, admins}: {team: string; admins: readonly string[]},
): Role {
  if (user.deleted === true) return 'nobody'
  if (user.is_bot === true || user.is_workflow_bot === true || id === 'USLACKBOT') return 'bot'
  const isOfTeam = (user.team_id ?? userTeam ?? team) === team
  const isOfOrganization = user.enterprise_user?.teams?.includes(team) === true
  if (user.is_stranger === true || (!isOfTeam && !isOfOrganization)) return 'external'
  if (admins.includes(id)) return 'admin'
  if (user.is_restricted === true || user.is_ultra_restricted === true) return 'guest'
  return user.is_admin === true || user.is_owner === true ? 'admin' : 'member'
}
