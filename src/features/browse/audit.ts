import {TryLater} from '../../inbox/try-later.ts'
import type {Handling} from '../../inbox/worker.ts'
import {type AuditStore, auditCsv} from '../../store/tables/audit.ts'
import {uploadFor} from '../../slack/api/direct-files.ts'
import type {Press} from '../../slack/incoming/press.ts'
import {drawAudit} from './views/audit.ts'
import {ACTIONS} from '../../slack/ids.ts'
import type {Answers} from '../../slack/answers/answers.ts'
import {texts} from '../../slack/texts.ts'
import type {Act, ActResult} from '../../slack/gate/act.ts'
import {auditTexts} from './audit-texts.ts'
import {SlackError} from '../../once/slack-error.ts'
import type {ActTools} from '../../slack/gate/tools.ts'

interface AuditActsOptions extends ActTools<'client' | 'pacer'> {
  audit: AuditStore
  answers: Answers
}

const PER_PAGE = 15
/** A file of some megabytes. */
const MAX_EXPORTED = 50_000

/** Who did what, for admins. */
export function createAuditActs(options: AuditActsOptions): Act[] {
  const {act, checks, audit, answers, client, pacer} = options

  const pageOf = async (team: string, beforeId: number | undefined): Promise<ActResult> => {
    const rows = await audit.ofTeam(team, {limit: PER_PAGE + 1, beforeId})
    const shown = rows.slice(0, PER_PAGE)
    const {none, noMore} = auditTexts
    const isFirst = beforeId === undefined
    if (shown.length === 0) return {answer: {text: isFirst ? none : noMore}}
    const next = rows.length > PER_PAGE ? shown.at(-1)?.id : undefined
    return {answer: drawAudit(shown, {isFirst, next}), inPlace: true}
  }

  /** Uploaded where nobody sees it, and shown once at most: a crash in between costs the file, and no second one comes. */
  const exportAll = async (press: Press, handling: Handling): Promise<ActResult> => {
    const {csv, count, isCut} = await toCsv(audit, press.team)
    const {file, sent, cut, notSent, sentWhere} = auditTexts
    const text = isCut ? cut(count) : sent(count)
    const bytes = Buffer.from(csv, 'utf8')
    const by = {client, pacer, team: press.team, signal: handling.signal}
    const uploaded = await later(() => uploadFor(by, {name: file, text, bytes}))
    if (uploaded instanceof SlackError) return {answer: {text: notSent(uploaded.code)}, again: true}
    if (!(await handling.mayTell('outcome'))) return {}
    try {
      await uploaded.tell(press.user)
      answers.answer(press, {text: sentWhere})
    } catch (error) {
      if (!(error instanceof SlackError)) throw error
      answers.answer(press, {text: notSent(error.code)})
    }
    return {}
  }

  return [
    act('command', '/bosun audit', checks.member, async ({team}) => pageOf(team, undefined)),
    act('press', ACTIONS.auditMore, checks.member, async ({team, value}) => {
      if (!/^\d{1,15}$/.test(value)) return {answer: {text: texts.notHere}}
      return pageOf(team, value === '0' ? undefined : Number(value))
    }),
    act('press', ACTIONS.auditExport, checks.member, (press, _subject, handling) =>
      exportAll(press, handling),
    ),
  ]
}

async function toCsv(
  audit: AuditStore,
  team: string,
): Promise<{csv: string; count: number; isCut: boolean}> {
  const lines: string[] = []
  // The first one is the head.
  for await (const line of auditCsv(audit, team)) {
    if (lines.length > MAX_EXPORTED) return {csv: lines.join(''), count: MAX_EXPORTED, isCut: true}
    lines.push(line)
  }
  return {csv: lines.join(''), count: lines.length - 1, isCut: false}
}

/** @throws {TryLater} for what Slack may take later. */
async function later<Value>(act: () => Promise<Value>): Promise<Value | SlackError> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof SlackError)) throw error
    if (error.kind === 'wait' || error.kind === 'retry') {
      throw new TryLater(error, error.retryAfterMs)
    }
    return error
  }
}
