import {type NamedPeriod, readPeriod} from './period.ts'
import {modelsIn, readUsageReport} from './usage-report.ts'
import type {PlatformClient} from '../../platform/client.ts'
import {PlatformError} from '../../platform/errors.ts'
import type {ModelStore} from '../../store/tables/models.ts'
import {drawUnknownUsage, drawUsage, readUsageValue} from './views/usage.ts'
import {ACTIONS} from '../../slack/ids.ts'
import {inBold} from '../../slack/markup/lines.ts'
import {texts} from '../../slack/texts.ts'
import type {Act, ActResult} from '../../slack/gate/act.ts'
import {createAsking} from '../../slack/gate/asking.ts'
import {browseTexts} from './texts.ts'
import type {ActTools} from '../../slack/gate/tools.ts'

type UsageActsOptions = ActTools<'clientOf' | 'unconnected' | 'nowMs' | 'settingsOf'> & {
  deps: {models: Pick<ModelStore, 'meet'>}
}

const MAX_WORD = 40

/** What was billed, for admins: the report covers the whole organization of the key, and not a channel. */
export function createUsageActs(options: UsageActsOptions): Act[] {
  const {act, checks, deps, nowMs, settingsOf} = options
  const asking = createAsking(options)

  const pageOf = (
    asked: {team: string; channel: string; user: string},
    {period, offset}: {period: NamedPeriod | undefined; offset: number},
    signal: AbortSignal,
  ): Promise<ActResult> =>
    asking(asked, async (client) => {
      const [raw, nameOf] = await Promise.all([
        client.getUsage(toQuery(period), signal),
        namesOf(client, signal),
      ])
      const report = readUsageReport(raw)
      if (report === undefined) return {answer: drawUnknownUsage(raw, period)}
      const {values} = await settingsOf(asked.team, asked.channel)
      const of = {team: asked.team, connectionId: values.connectionId}
      await deps.models.meet(of, modelsIn(report), nowMs())
      return {answer: drawUsage({report, period, offset, nameOf}), inPlace: true}
    })

  return [
    act('command', '/bosun usage', checks.member, async (interaction, _subject, {signal}) => {
      const said = readPeriod(interaction.rest, nowMs())
      const {wrongDate, backwards, future} = browseTexts.usage
      switch (said.outcome) {
        case 'unreadable':
          return {answer: {text: wrongDate(inBold(said.word, MAX_WORD))}}
        case 'backwards':
          return {answer: {text: backwards}}
        case 'future':
          return {answer: {text: future}}
        case 'period':
          return pageOf(interaction, {period: said.period, offset: 0}, signal)
        default:
          throw new Error(`Unknown answer: ${JSON.stringify(said satisfies never)}`)
      }
    }),
    act('press', ACTIONS.usageMore, checks.member, async (press, _subject, {signal}) => {
      const {team, channel, user, value} = press
      const page = readUsageValue(value)
      if (page === undefined || channel === undefined) return {answer: {text: texts.notHere}}
      return pageOf({team, channel, user}, page, signal)
    }),
  ]
}

function toQuery(period: NamedPeriod | undefined): {from?: string; to?: string} {
  if (period === undefined) return {}
  const {fromMs, toMs} = period
  return {from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString()}
}

/** Names are nice to have: without them ids say who it was. */
async function namesOf(
  client: PlatformClient,
  signal: AbortSignal,
): Promise<(id: string) => string | undefined> {
  try {
    const users = await client.listUsers(signal)
    const names = new Map(
      users.map(({id, firstName = '', lastName = ''}) => [id, `${firstName} ${lastName}`.trim()]),
    )
    return (id) => names.get(id) || undefined
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    return () => undefined
  }
}
