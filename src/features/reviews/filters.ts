import {PlatformError} from '../../platform/errors.ts'
import {drawFilters} from './views/filters.ts'
import {ACTIONS} from '../../slack/ids.ts'
import type {Act} from '../../slack/gate/act.ts'
import {createAsking} from '../../slack/gate/asking.ts'
import {reviewTexts} from './texts.ts'
import type {ActTools} from '../../slack/gate/tools.ts'

const PER_PAGE = 8
const words = reviewTexts.filters

/** Which pull requests are reviewed: the rules of the review filter, and the way to end one. */
export function createFilterActs(
  options: ActTools<'access' | 'clientOf' | 'people' | 'unconnected' | 'settingsOf'>,
): Act[] {
  const {act, access, checks} = options
  const asking = createAsking(options)

  /** Behind the last one that was shown; from the beginning where that is gone. */
  const pageOf = (
    asker: Parameters<typeof asking>[0],
    after: string | undefined,
    signal: AbortSignal,
  ) =>
    asking(asker, async (client) => {
      // They name repositories of every project.
      if (await access.isVisitor(asker.user)) return {answer: {text: words.notForVisitors}}
      const all = await client.listReviewFilters(signal)
      const from = after === undefined ? 0 : all.findIndex(({id}) => id === after) + 1
      const shown = all.slice(from, from + PER_PAGE)
      if (shown.length === 0)
        return {answer: {text: after === undefined ? words.none : words.noMore}}
      const next = all.length > from + PER_PAGE ? shown.at(-1)?.id : undefined
      const mayDelete = await options.people.seemsAdmin(asker.user)
      return {answer: drawFilters(shown, {isFirst: from === 0, next, mayDelete}), inPlace: true}
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
