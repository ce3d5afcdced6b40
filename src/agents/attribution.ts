import type {PlatformClient} from '../platform/client.ts'
import {
  PlatformError,
  PlatformRateLimited,
  PlatformUnauthorized,
  PlatformUnreachable,
} from '../platform/errors.ts'
import {pause} from '../async/pause.ts'
import type {Notes} from '../store/tables/work/link.ts'
import type {PeopleStore, Person} from '../store/tables/people.ts'

/** Under whose name work starts: a user of the platform, or the key with the reason why. */
export type Attribution = {authorId: string} | Required<Pick<Notes, 'byKey'>>

interface AttributionOptions {
  people: PeopleStore
  clientOf: (of: {connectionId: string | undefined}) => PlatformClient
  /** Empty where somebody has none; `undefined` when nobody can tell now. */
  emailOf: (user: string) => Promise<string | undefined>
  /** Of whose e-mail this workspace is sure: another company may write into its people's profiles whatever it likes. */
  isOfCompany: (user: string) => Promise<boolean>
  nowMs: () => number
}

/** Nobody on the platform has the e-mail: somebody may join. */
const LOOK_AGAIN_MS = 3_600_000
const TELL_WITHIN_MS = 5000
const CREATES_NOTHING = [PlatformUnreachable, PlatformRateLimited, PlatformUnauthorized]

/**
 * Finds who somebody is on the platform, by e-mail. Whoever was found stays found.
 *
 * @throws {PlatformError} while the platform cannot be reached, or does not accept the key: then it could not create
 *   anything either, and with another key somebody may be found.
 */
export function createAttribution(
  options: AttributionOptions,
): (person: Person, connectionId: string | undefined, signal: AbortSignal) => Promise<Attribution> {
  const {people, clientOf, emailOf, isOfCompany, nowMs} = options

  return async (person, connectionId, signal) => {
    if (!(await isOfCompany(person.user))) return {byKey: 'unread'}
    const known = await people.matchOf(person, connectionId)
    if (known?.platformUser !== undefined) return {authorId: known.platformUser}
    if (known !== undefined && nowMs() - known.lookedAtMs < LOOK_AGAIN_MS) return {byKey: 'nobody'}
    const tooLate = pause(TELL_WITHIN_MS, signal).then(() => undefined)
    const email = await Promise.race([emailOf(person.user), tooLate])
    signal.throwIfAborted()
    if (email === undefined) return {byKey: 'unread'}
    try {
      const users = email === '' ? [] : await clientOf({connectionId}).listUsers(signal)
      const found = users.find((user) => user.email?.toLowerCase() === email.toLowerCase())
      await people.keepMatch(person, connectionId, {platformUser: found?.id, lookedAtMs: nowMs()})
      return found === undefined ? {byKey: 'nobody'} : {authorId: found.id}
    } catch (error) {
      if (CREATES_NOTHING.some((kind) => error instanceof kind)) throw error
      if (!(error instanceof PlatformError)) throw error
      return {byKey: 'unread'}
    }
  }
}
