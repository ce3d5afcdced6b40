import {z} from 'zod'
import type {Secret} from '../../security/secret.ts'
import {SlackError} from '../../once/slack-error.ts'
import {type Place, toFinding} from './bench.ts'
import {type Finding, differs, holds, untried} from './finding.ts'
import type {Caller} from './caller.ts'
import type {AssumptionId} from './catalogue.ts'
import {checkTexts} from './texts.ts'

/** It cannot even begin: what is wrong, and what to do. */
export class CannotCheck extends Error {
  override name = 'CannotCheck' as const
}

/** What is asked for. */
export interface Wish {
  apiUrl: string
  token: Secret
  appToken?: Secret | undefined
  channel: string
  user?: string | undefined
  webHost?: string | undefined
  isThorough: boolean
}

/** Where we have come to, and what that alone has shown. */
type Arrived = Omit<Place, 'root' | 'timeFactor'> & {findings: Map<AssumptionId, Finding>}

const CLOCK_MAX_MS = 60_000
/** Of a channel's members so many are looked at for one that streams can be for. */
const LOOKS = 8
const MEMBERS = 200

const whoSchema = z.looseObject({
  team_id: z.string(),
  user_id: z.string(),
  bot_id: z.string().default(''),
})
const channelSchema = z.looseObject({channel: z.record(z.string(), z.unknown())})
const membersSchema = z.looseObject({
  members: z.array(z.string()),
  response_metadata: z.looseObject({next_cursor: z.string().default('')}).optional(),
})
const userSchema = z.looseObject({
  user: z.looseObject({profile: z.looseObject({email: z.string().optional()}).default({})}),
})
type User = z.infer<typeof userSchema>['user']

/** Looks at the token, the channel and the people in it, and writes nothing. @throws {CannotCheck} */
export async function arrive(caller: Caller, wish: Wish): Promise<Arrived> {
  const findings = new Map<AssumptionId, Finding>()
  const {apiUrl, token, appToken, channel, user, webHost, isThorough} = wish
  const who = await begin(caller)
  const {headers} = caller.seen
  const scopes = headers
    .get('x-oauth-scopes')
    ?.split(',')
    .map((scope) => scope.trim())
  findings.set(
    'scopes-told',
    scopes === undefined ? differs('no header names them') : holds('it does'),
  )
  findings.set('clock-told', judgeClock(headers))
  findings.set('channel-told', await lookAtChannel(caller, channel))
  const members = await lookAtMembers(caller, {channel, self: who.user_id, findings})
  const reader = await lookAtPeople(caller, {
    ...{user, team: who.team_id, findings, scopes},
    candidates: user === undefined ? members.filter((id) => id !== who.user_id) : [user],
  })
  return {
    ...{apiUrl, token, appToken, channel, webHost, isThorough, findings},
    ...{team: who.team_id, botUserId: who.user_id, botId: who.bot_id},
    ...{reader, witness: user},
  }
}

async function begin(caller: Caller): Promise<z.infer<typeof whoSchema>> {
  try {
    return whoSchema.parse(await caller.call('auth.test', {}))
  } catch (error) {
    if (error instanceof z.ZodError) throw new CannotCheck(checkTexts.noSlack)
    if (!(error instanceof SlackError)) throw error
    const {code, isAnswered} = error
    throw new CannotCheck(isAnswered ? checkTexts.wrongToken(code) : checkTexts.away)
  }
}

function judgeClock(headers: Headers): Finding {
  const offsetMs = Date.now() - Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(offsetMs)) return differs('no header tells it')
  const seconds = Math.round(Math.abs(offsetMs) / 1000)
  return Math.abs(offsetMs) <= CLOCK_MAX_MS ? holds('they agree') : differs(`${seconds} s apart`)
}

const TOLD = ['is_private', 'is_archived', 'is_ext_shared'] as const

async function lookAtChannel(caller: Caller, channel: string): Promise<Finding> {
  try {
    const answer = channelSchema.parse(await caller.call('conversations.info', {channel}))
    const {channel: said} = answer
    if (said['is_archived'] === true) throw new CannotCheck(checkTexts.archived(channel))
    if (said['is_member'] === false) throw new CannotCheck(checkTexts.notMember(channel))
    const untold = TOLD.filter((name) => typeof said[name] !== 'boolean')
    return untold.length === 0 ? holds('it does') : differs(checkTexts.shape(untold))
  } catch (error) {
    if (error instanceof SlackError && error.code === 'channel_not_found') {
      throw new CannotCheck(checkTexts.noChannel(channel))
    }
    return toFinding(error)
  }
}

interface Looking {
  channel: string
  self: string
  findings: Map<AssumptionId, Finding>
}

async function lookAtMembers(
  caller: Caller,
  {channel, self, findings}: Looking,
): Promise<readonly string[]> {
  try {
    const query = {channel, limit: MEMBERS}
    const answer = membersSchema.parse(await caller.call('conversations.members', query))
    const {members, response_metadata: more} = answer
    // Of a large channel one page is enough to see that they are listed.
    const isListed = members.includes(self) || (more?.next_cursor ?? '') !== ''
    findings.set(
      'members-listed',
      isListed ? holds('they are') : differs('the app is not among them'),
    )
    return members
  } catch (error) {
    findings.set('members-listed', toFinding(error))
    return []
  }
}

interface LookingAtPeople {
  user: string | undefined
  candidates: readonly string[]
  team: string
  scopes: readonly string[] | undefined
  findings: Map<AssumptionId, Finding>
}

/** Whom streams can be for: the one who was named, or else a member who is a person of this workspace. */
async function lookAtPeople(
  caller: Caller,
  {user: named, candidates, team, scopes, findings}: LookingAtPeople,
): Promise<string | undefined> {
  try {
    for (const id of candidates.slice(0, LOOKS)) {
      const {user} = userSchema.parse(await caller.call('users.info', {user: id}))
      const isPerson = user['is_bot'] !== true && user['deleted'] !== true
      const isOfHere = user['team_id'] === undefined || user['team_id'] === team
      if (!(isPerson && isOfHere) && named === undefined) continue
      findings.set('person-told', judgePerson(user))
      await judgeEmail(caller, {id, user, scopes, findings})
      return id
    }
  } catch (error) {
    if (named !== undefined && error instanceof SlackError && error.code === 'user_not_found') {
      throw new CannotCheck(checkTexts.noUser(named))
    }
    findings.set('person-told', toFinding(error))
    // They are in the channel, whatever Slack says of them.
    return named ?? candidates[0]
  }
  findings.set('person-told', untried(checkTexts.noReader))
  return undefined
}

const FLAGS = ['deleted', 'is_bot', 'is_admin', 'is_restricted', 'is_ultra_restricted'] as const

function judgePerson(user: User): Finding {
  const untold: string[] = FLAGS.filter((name) => typeof user[name] !== 'boolean')
  if (typeof user['team_id'] !== 'string') untold.push('team_id')
  return untold.length === 0 ? holds('it does') : differs(checkTexts.shape(untold))
}

async function judgeEmail(
  caller: Caller,
  {
    id,
    user,
    scopes,
    findings,
  }: Pick<LookingAtPeople, 'scopes' | 'findings'> & {id: string; user: User},
): Promise<void> {
  const {email = ''} = user.profile
  const isGranted = scopes?.includes('users:read.email') !== false
  if (email === '') {
    const why = isGranted
      ? differs('there is none')
      : untried(checkTexts.noScope('users:read.email'))
    findings.set('person-email', why)
    return
  }
  findings.set('person-email', holds('it does'))
  try {
    const answer = await caller.call('users.lookupByEmail', {email})
    const found = z.looseObject({user: z.looseObject({id: z.string()})}).parse(answer)
    findings.set(
      'email-found',
      found.user.id === id ? holds('they are') : differs('somebody else is'),
    )
  } catch (error) {
    findings.set('email-found', toFinding(error))
  }
}
