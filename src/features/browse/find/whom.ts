import type {CreationDeps} from '../../../agents/creation.ts'
import {nearestOne} from '../../../agents/nearest-word.ts'
import type {PlatformClient} from '../../../platform/client.ts'
import {PlatformError} from '../../../platform/errors.ts'
import type {OrganizationUser} from '../../../platform/model.ts'
import type {People} from '../../../slack/api/people.ts'

/** Whose work is meant: who asked for it in Slack, or whom the platform attributes it to; either may be unknown. */
export interface Whom {
  user: string | undefined
  authorId: string | undefined
}

export type NoWhom = {
  wrong: 'by'
  why: 'unknown' | 'several' | 'untold'
  word: string
  near: string | undefined
}

interface WhomOptions {
  attribute: CreationDeps['attribute']
  people: Pick<People, 'withEmail'>
}

/** In whose name it is asked, and with which key; no client: there is none. */
interface Asking {
  team: string
  user: string
  connectionId: string | undefined
  client: Pick<PlatformClient, 'listUsers'> | undefined
}

/** Finds who is meant by `me`, `@U0JANE`, an e-mail or a name of the platform’s. What the platform does not say stays unknown. */
export function createWhom({attribute, people}: WhomOptions) {
  const ofSlack = async (
    user: string,
    {team, connectionId, client}: Asking,
    signal: AbortSignal,
  ): Promise<Whom> => {
    if (client === undefined) return {user, authorId: undefined}
    const found = await unlessDeclined(() => attribute({team, user}, connectionId, signal))
    return {user, authorId: found !== undefined && 'authorId' in found ? found.authorId : undefined}
  }

  return async (by: string, asking: Asking, signal: AbortSignal): Promise<Whom | NoWhom> => {
    const word = by.replace(/^@/, '').trim().toLowerCase()
    if (word === 'me') return ofSlack(asking.user, asking, signal)
    const [, user] = /^@([UW][0-9A-Z]+)$/.exec(by) ?? []
    if (user !== undefined) return ofSlack(user, asking, signal)
    const {client} = asking
    const users = client && (await unlessDeclined(() => client.listUsers(signal)))
    const meant = users?.filter((one) => namesOf(one).includes(word)) ?? []
    const [only, ...others] = meant
    if (only !== undefined && others.length === 0) {
      return {user: await people.withEmail(only.email ?? ''), authorId: only.id}
    }
    if (only === undefined && word.includes('@')) {
      // Somebody may be here and nowhere else.
      const here = await people.withEmail(word)
      if (here !== undefined) return {user: here, authorId: undefined}
    }
    if (only !== undefined) return {wrong: 'by', why: 'several', word: by, near: undefined}
    if (client !== undefined && users === undefined) {
      return {wrong: 'by', why: 'untold', word: by, near: undefined}
    }
    return {wrong: 'by', why: 'unknown', word: by, near: nearTo(word, users ?? [])}
  }
}

/** Nobody is told more of an e-mail than they have typed: names alone are offered. */
function nearTo(word: string, users: readonly OrganizationUser[]): string | undefined {
  const names = new Map(users.flatMap((one) => namesOf(one).map((name) => [name, fullName(one)])))
  return names.get(nearestOne([...names.keys()], word) ?? '') || undefined
}

/** All that somebody may be called by, in small letters. */
function namesOf(user: OrganizationUser): string[] {
  const {email = '', firstName = ''} = user
  const names = [email, email.split('@', 1)[0] ?? '', firstName, fullName(user)]
  return [...new Set(names.map((name) => name.trim().toLowerCase()).filter((name) => name !== ''))]
}

function fullName({firstName = '', lastName = ''}: OrganizationUser): string {
  return `${firstName} ${lastName}`.trim()
}

/** Whatever the platform says, what we know ourselves can be searched. */
async function unlessDeclined<Value>(ask: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    return undefined
  }
}
