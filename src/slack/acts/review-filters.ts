import type {SettingsOf} from '../../inbox/settings.ts'
import {throwIfPassing, toDeclined} from '../../inbox/work.ts'
import type {PlatformClient} from '../../platform/client.ts'
import {PlatformError} from '../../platform/errors.ts'
import {declinedMessage} from '../declined-message.ts'
import type {Door} from '../door.ts'
import {drawFilters} from '../draw/review-filters.ts'
import {ACTIONS} from '../ids.ts'
import {texts} from '../texts.ts'
import type {Act, MakeAct, Outcome} from './act.ts'
import type {Checks} from './checks.ts'

/** What acts need that ask the platform with the key of a channel. */
export interface FilterActsOptions {
  act: MakeAct
  checks: Checks
  settingsOf: SettingsOf
  clientOf: (of: {connectionId: string | undefined}) => PlatformClient
  door: Door
}

/** Somebody in a channel. */
interface Asker {
  team: string
  channel?: string | undefined
  user: string
}

const PER_PAGE = 8
const words = texts.reviews.filters

/** Which pull requests are reviewed: the rules of the review filter, and the way to end one. */
export function createFilterActs(options: FilterActsOptions): Act[] {
  const {act, checks} = options
  const asking = createAsking(options)

  /** Behind the last one that was shown; from the beginning where that is gone. */
  const pageOf = (asker: Asker, after: string | undefined, signal: AbortSignal) =>
    asking(asker, async (client) => {
      const all = await client.listReviewFilters(signal)
      const from = after === undefined ? 0 : all.findIndex(({id}) => id === after) + 1
      const shown = all.slice(from, from + PER_PAGE)
      if (shown.length === 0)
        return {answer: {text: after === undefined ? words.none : words.noMore}}
      const next = all.length > from + PER_PAGE ? shown.at(-1)?.id : undefined
      return {answer: drawFilters(shown, next)}
    })

  return [
    act('command', '/review filters', checks.member, async (command, _subject, {signal}) =>
      command.rest === ''
        ? pageOf(command, undefined, signal)
        : {answer: {text: words.nothingBehind}},
    ),
    act('press', ACTIONS.filtersMore, checks.member, (press, _subject, {signal}) =>
      pageOf(press, press.value, signal),
    ),
    act('press', ACTIONS.deleteFilter, checks.member, (press, _subject, {signal}) =>
      asking(press, async (client) => {
        try {
          const {deleted} = await client.deleteReviewFilter(press.value, signal)
          return {answer: {text: deleted ? words.deleted : words.gone}}
        } catch (error) {
          if (!(error instanceof PlatformError) || error.status !== 404) throw error
          return {answer: {text: words.gone}}
        }
      }),
    ),
  ]
}

/** Asks the platform with the key of the channel; a refusal is told. */
export function createAsking({
  settingsOf,
  clientOf,
  door,
}: Pick<FilterActsOptions, 'settingsOf' | 'clientOf' | 'door'>) {
  return async (
    {team, channel, user}: Asker,
    ask: (client: PlatformClient) => Promise<Outcome>,
  ): Promise<Outcome> => {
    const {isConnected, values} = await settingsOf(team, channel)
    if (!isConnected) return {answer: await door.unbound(user, 'key')}
    try {
      return await ask(clientOf({connectionId: values.connectionId}))
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error
      throwIfPassing(error)
      return {answer: declinedMessage(toDeclined(error)), again: true}
    }
  }
}
