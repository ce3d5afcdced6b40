import type {Rule} from '../../store/tables/rules/rule.ts'
import type {Form} from '../../slack/incoming/form.ts'
import {MAX_PATTERN, readPattern} from './pattern.ts'
import {PLACES, placesIn} from './template.ts'
import {ruleTexts} from './texts.ts'

/** What somebody entered about a rule, but for the zone of its hours, which is theirs. */
type RuleEntry = Omit<
  Rule,
  'id' | 'team' | 'channel' | 'isOn' | 'changedBy' | 'changedAtMs' | 'quiet'
> & {quiet: {from: string; to: string} | undefined}

/** In the menu of apps: one that is not in it. */
export const ANOTHER = 'another'

export const LIMITS = {
  windowMinutes: {least: 1, most: 7 * 24 * 60, usual: 60},
  perHour: {least: 1, most: 60, usual: 5},
  perDay: {least: 1, most: 200, usual: 20},
} as const
export const MAX = {name: 60, pattern: MAX_PATTERN, task: 2000, key: 300} as const

const ID = /^[AB][A-Z0-9]{2,30}$/
const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/

const words = ruleTexts.form

/** By block id. */
type Wrong = Record<string, string>

export function readEntry({values}: Pick<Form, 'values'>): {entry: RuleEntry} | {wrong: Wrong} {
  const text = (name: string): string => values.get(name)?.trim() ?? ''
  const app = appOf(text('app'), text('appId'))
  const [from, to] = [timeOf(text('quietFrom')), timeOf(text('quietTo'))]
  const wrong: Wrong = {
    ...('wrong' in app && app.wrong),
    ...(text('name') === '' && {name: words.nameMissing}),
    ...(text('task') === '' && {task: words.taskMissing}),
    ...wrongTexts(text('pattern'), text('task'), text('key')),
    ...wrongNumbers(text),
    ...wrongTimes(from, to),
  }
  if (Object.keys(wrong).length > 0 || 'wrong' in app) return {wrong}
  const [key, person] = [text('key'), text('person')]
  return {
    entry: {
      ...app,
      name: text('name'),
      pattern: text('pattern'),
      does: text('does') === 'ask' ? 'ask' : 'start',
      task: text('task'),
      dedupeKey: key === '' ? undefined : key,
      windowMinutes: Number(text('windowMinutes')),
      perHour: Number(text('perHour')),
      perDay: Number(text('perDay')),
      quiet: from === '' || to === '' ? undefined : {from, to},
      person: person === '' ? undefined : person,
    },
  }
}

/** What is chosen in the menu bears the app's name behind its id. */
export function appValue({id, name}: {id: string; name: string}): string {
  return `${id} ${name}`.slice(0, 150)
}

function appOf(
  chosen: string,
  typed: string,
): {app: string; appName: string | undefined} | {wrong: Wrong} {
  const [id = '', ...name] = chosen.split(' ')
  if (typed !== '') {
    return ID.test(typed) ? {app: typed, appName: undefined} : {wrong: {appId: words.wrongApp}}
  }
  if (!ID.test(id)) return {wrong: {appId: words.noApp}}
  const called = name.join(' ').trim()
  return {app: id, appName: called === '' ? undefined : called}
}

function wrongTexts(pattern: string, task: string, key: string): Wrong {
  const read = readPattern(pattern)
  if ('why' in read) return {pattern: words.wrongPattern(read.why)}
  const known: readonly string[] = [...PLACES, ...read.pattern.names]
  const unknown = (template: string): string | undefined =>
    placesIn(template).find((place) => !known.includes(place))
  const [inTask, inKey] = [unknown(task), unknown(key)]
  return {
    ...(inTask !== undefined && {task: words.wrongPlace(inTask)}),
    ...(inKey !== undefined && {key: words.wrongPlace(inKey)}),
  }
}

function wrongNumbers(text: (name: string) => string): Wrong {
  const wrong = Object.entries(LIMITS).flatMap(([name, {least, most}]) => {
    const said = text(name)
    const number = /^\d{1,6}$/.test(said) ? Number(said) : NaN
    return number >= least && number <= most ? [] : [[name, words.number(least, most)] as const]
  })
  return Object.fromEntries(wrong)
}

/** `9:30` is a time, too. */
function timeOf(said: string): string {
  return /^\d:/.test(said) ? `0${said}` : said
}

function wrongTimes(from: string, to: string): Wrong {
  if (from === '' && to === '') return {}
  if (from !== '' && !TIME.test(from)) return {quietFrom: words.wrongTime}
  if (to !== '' && !TIME.test(to)) return {quietTo: words.wrongTime}
  if (from === '') return {quietFrom: words.bothTimes}
  if (to === '') return {quietTo: words.bothTimes}
  return from === to ? {quietTo: words.sameTime} : {}
}

/** What can be told wrong at once. */
export function checkRule(form: Form): Wrong | undefined {
  const read = readEntry(form)
  return 'wrong' in read ? read.wrong : undefined
}
