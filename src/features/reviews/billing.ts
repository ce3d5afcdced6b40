import {nearestOne} from '../../agents/nearest-word.ts'
import type {Handling} from '../../inbox/worker.ts'
import {PlatformReviewRefused} from '../../platform/errors.ts'
import type {BillingTransfer} from '../../platform/model.ts'
import type {Command} from '../../slack/incoming/command.ts'
import {code, inBold, moment, oneLine, reasonLine} from '../../slack/markup/lines.ts'
import {escapeMrkdwn} from '../../slack/markup/markup.ts'
import {toRepo} from '../../slack/markup/pull-requests.ts'
import type {Act, ActResult} from '../../slack/gate/act.ts'
import {createAsking} from '../../slack/gate/asking.ts'
import type {ActTools} from '../../slack/gate/tools.ts'
import {reviewTexts} from './texts.ts'

const words = reviewTexts.billing
const MAX_ID = 80
const DECLINE = 'decline'

/** Who pays for a repository's reviews: an offer to take that over is declined. */
export function createBillingActs(
  options: ActTools<'clientOf' | 'unconnected' | 'settingsOf'>,
): Act[] {
  const asking = createAsking(options)

  const decline = async (command: Command, handling: Handling): Promise<ActResult> => {
    const [verb = '', ...rest] = command.rest.split(/\s+/)
    if (verb !== '' && verb.toLowerCase() !== DECLINE) return {answer: {text: otherwise(verb)}}
    const repo = rest.length === 1 ? toRepo(rest[0] ?? '') : undefined
    if (repo === undefined) return {answer: {text: words.usage}}
    return asking(command, async (client) => {
      const isFirst = await handling.mayBegin()
      try {
        return {
          answer: {text: doneText(await client.declineBillingTransfer(repo, handling.signal))},
        }
      } catch (error) {
        if (!(error instanceof PlatformReviewRefused)) throw error
        return {answer: {text: refusedText(repo, error, isFirst)}}
      }
    })
  }

  return [
    options.act(
      'command',
      '/review billing',
      options.checks.member,
      (command, _subject, handling) => decline(command, handling),
    ),
  ]
}

function otherwise(verb: string): string {
  const isNear = nearestOne([DECLINE], verb) !== undefined
  const said = escapeMrkdwn(oneLine(verb.replaceAll('`', 'ˋ'), MAX_ID))
  return isNear ? words.unknown(said) : words.usage
}

function doneText({repo, billingOrgId, offer}: BillingTransfer): string {
  const {fromOrgId, toOrgId, createdAt} = offer ?? {}
  const name = inBold(repo, MAX_ID)
  const isTold = fromOrgId !== undefined && toOrgId !== undefined
  const offeredMs = Date.parse(createdAt ?? '')
  return [
    isTold ? words.declined(name, shown(fromOrgId), shown(toOrgId)) : words.declinedBare(name),
    ...(billingOrgId === undefined ? [] : [words.payer(shown(billingOrgId))]),
    ...(Number.isNaN(offeredMs) ? [] : [words.offered(moment(offeredMs))]),
  ].join(' ')
}

function refusedText(repo: string, {reason}: PlatformReviewRefused, isFirst: boolean): string {
  const said = reasonLine(reason) || reviewTexts.noReasonAtAll
  const text = words.refused(inBold(repo, MAX_ID), said)
  return isFirst ? text : `${text} ${words.maybeDone}`
}

function shown(organization: string): string {
  return code(oneLine(organization, MAX_ID))
}
