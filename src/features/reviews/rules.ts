import {toDeclined} from '../../agents/lifecycle.ts'
import type {Handling} from '../../inbox/worker.ts'
import {PlatformError, PlatformRateLimited, PlatformUnreachable} from '../../platform/errors.ts'
import type {ReviewRule} from '../../platform/model.ts'
import type {Form} from '../../slack/incoming/form.ts'
import {toQuote} from '../../slack/draw/blocks.ts'
import {RULE_INPUTS, drawRuleForm} from './views/forms.ts'
import {REVIEW_FORMS} from '../../slack/ids.ts'
import {inBold, oneLine, shorten} from '../../slack/markup/lines.ts'
import {asTyped, escapeMrkdwn, toReadable} from '../../slack/markup/markup.ts'
import {declinedText, texts} from '../../slack/texts.ts'
import type {Act, ActResult} from '../../slack/gate/act.ts'
import {soon} from '../../slack/gate/soon.ts'
import {reviewTexts} from './texts.ts'
import type {ActTools} from '../../slack/gate/tools.ts'
import {toRepo} from '../../slack/markup/pull-requests.ts'

type RuleActsOptions = ActTools<
  'access' | 'clientOf' | 'unconnected' | 'forms' | 'names' | 'settingsOf'
>

const words = reviewTexts.rule
const MAX_LINE = 120
const MAX_SHOWN = 1500
const MAX_LISTED = 20

/** What reviews are to look for. The platform lists no rules, so what was made is said once. */
export function createRuleActs(options: RuleActsOptions): Act[] {
  const {act, access, checks, settingsOf, clientOf, unconnected, forms, names} = options

  const make = async (form: Form, channel: string, handling: Handling): Promise<ActResult> => {
    const {isConnected, values} = await settingsOf(form.team, channel)
    if (!isConnected) return {answer: await unconnected.answer(form.user, 'key')}
    if (await access.isVisitor(form.user)) return {answer: {text: words.notForVisitors}}
    const {body, scopes, file} = read(form)
    if ('wrong' in scopes) return {answer: {text: texts.notHere}}
    const quote = toQuote(escapeMrkdwn(shorten(body, MAX_SHOWN)))
    // The platform has no key for it, and lists none: nobody could tell whether it stands.
    if (!(await handling.mayBegin())) return {answer: {text: words.unsure(quote)}}
    try {
      const client = clientOf({connectionId: values.connectionId})
      const rule = await client.createReviewRule(
        {body, scopes, ...(file && {file})},
        handling.signal,
      )
      return {answer: {text: words.made(quote, whereOf(rule, scopes))}}
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error
      return {answer: {text: failureText(error, quote)}}
    }
  }

  return [
    act(
      'command',
      '/review rules',
      checks.member,
      async ({channel, team, user, rest, triggerId}) => {
        const {isConnected} = await settingsOf(team, channel)
        if (!isConnected) return {answer: await unconnected.answer(user, 'key')}
        if (await access.isVisitor(user)) return {answer: {text: words.notForVisitors}}
        const said = await soon(toReadable(rest, names), asTyped(rest))
        const opened = await forms.open(triggerId, drawRuleForm(channel, said))
        return opened === undefined ? {answer: {text: texts.tooLateToOpen}} : undefined
      },
    ),
    act('form', REVIEW_FORMS.rule, checks.inForm, make),
  ]
}

function read({values}: Form) {
  const said = (name: string): string => (values.get(name) ?? '').trim()
  return {
    body: said(RULE_INPUTS.body),
    scopes: readScopes(said(RULE_INPUTS.scopes)),
    file: readRuleFile(said(RULE_INPUTS.file)),
  }
}

/** What is wrong with what was entered, as far as that can be told at once. */
export function checkRule(form: Form): Record<string, string> | undefined {
  const {body, scopes, file} = read(form)
  const saidFile = (form.values.get(RULE_INPUTS.file) ?? '').trim()
  if (body === '') return {[RULE_INPUTS.body]: words.empty}
  if ('wrong' in scopes) {
    return {[RULE_INPUTS.scopes]: words.scopeWrong(oneLine(scopes.wrong, MAX_LINE))}
  }
  if (scopes.length > MAX_SCOPES) return {[RULE_INPUTS.scopes]: words.tooMany(MAX_SCOPES)}
  if (file === undefined && saidFile !== '') return {[RULE_INPUTS.file]: words.fileWrong}
  const isNowhere = scopes.length === 0 && file === undefined
  return isNowhere ? {[RULE_INPUTS.scopes]: words.nowhere} : undefined
}

function failureText(error: PlatformError, quote: string): string {
  const isPassing = error instanceof PlatformUnreachable || error instanceof PlatformRateLimited
  if (error instanceof PlatformUnreachable && error.mayHaveArrived) return words.unsure(quote)
  const why = isPassing ? words.silent : escapeMrkdwn(declinedText(toDeclined(error)))
  return words.notMade(why, quote)
}

/** As the platform says where it holds, or else as it was asked for. */
function whereOf(rule: ReviewRule, asked: readonly Scope[]): string {
  const said = rule.scopes.length > 0 ? rule.scopes : asked
  const lines = [
    ...said.map((scope) => {
      const paths = scope.paths.map((path) => inCode(path)).join(', ')
      return lineOf(scope, paths || words.allPaths)
    }),
    ...(rule.file === undefined ? [] : [lineOf(rule.file, words.ofFile(inCode(rule.file.path)))]),
  ]
  const more = lines.length - MAX_LISTED
  return [...lines.slice(0, MAX_LISTED), ...(more > 0 ? [words.more(more)] : [])].join('\n')
}

function lineOf(
  {repo, covered}: {repo?: string | undefined; covered?: boolean | undefined},
  paths: string,
): string {
  const name = inBold(repo ?? '?', MAX_LINE)
  if (covered === undefined) return words.unknownCover(name, paths)
  return (covered ? words.covered : words.notCovered)(name, paths)
}

function inCode(path: string): string {
  return `\`${escapeMrkdwn(oneLine(path.replaceAll('`', 'ˋ'), MAX_LINE))}\``
}

/** Where a rule of reviews holds. */
interface Scope {
  repo: string
  /** Empty: everywhere in the repository. */
  paths: string[]
}

/** More of them are a slip. */
const MAX_SCOPES = 50

/** One repository a line, `owner/repo: src/**, test/**`; a line that is none is `wrong`. */
export function readScopes(said: string): Scope[] | {wrong: string} {
  const scopes = new Map<string, {repo: string; paths: Set<string>; isWhole: boolean}>()
  for (const line of said.split('\n')) {
    if (line.trim() === '') continue
    const [, name = '', behind = ''] = /^([^:\s]+)\s*(?::(.*))?$/.exec(line.trim()) ?? []
    const repo = toRepo(name)
    if (repo === undefined) return {wrong: line.trim()}
    const paths = behind
      .split(',')
      .map((path) => path.trim())
      .filter((path) => path !== '')
    const key = repo.toLowerCase()
    const scope = scopes.get(key) ?? {repo, paths: new Set(), isWhole: false}
    for (const path of paths) scope.paths.add(path)
    // A repository that is said alone is meant as a whole, whatever else is said of it.
    scope.isWhole ||= paths.length === 0
    scopes.set(key, scope)
  }
  return [...scopes.values()].map(({repo, paths, isWhole}) => ({
    repo,
    paths: isWhole ? [] : [...paths],
  }))
}

/** `owner/repo:path`; `undefined` for anything else. */
export function readRuleFile(said: string): {repo: string; path: string} | undefined {
  const [, name = '', path = ''] = /^([^:\s]+)\s*:\s*(\S.*)$/.exec(said.trim()) ?? []
  const repo = toRepo(name)
  return repo === undefined ? undefined : {repo, path: path.trim().replace(/^\/+/, '')}
}
