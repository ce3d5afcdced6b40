import type {Verdict} from './judging.ts'
import type {Report} from './run.ts'

/** The sections of the document that rules are of. */
const TITLES: Readonly<Record<string, string>> = {
  '2': 'Records',
  '3': 'States and transitions',
  '4.1': 'Threads',
  '4.2': 'Tasks',
  '4.3': 'Streams',
  '4.4': 'Captains',
  '4.5': 'Projects and users',
  '4.6': 'Folders',
  '4.7': 'Automations',
  '4.8': 'Reviews',
  '4.9': 'Webhook',
  '4.10': 'Usage',
  '4.11': 'Session identity',
  '5': 'Authentication',
  '6': 'Events',
  '7': 'Errors',
  '8': 'Limits',
}

const MARKS = {holds: '✓', broken: '✗', untried: '–'} as const

/** The whole report, section by section. */
export function writeReport({baseUrl, verdicts, calls, ms, left, stopped}: Report): string[] {
  const seconds = Math.round(ms / 1000)
  const lines = [...sectionsOf(verdicts)].flatMap(([section, those]) => [
    '',
    `${section} ${TITLES[section] ?? ''}: ${tally(those)}`,
    ...those.flatMap(linesOf),
  ])
  return [
    `${baseUrl}: ${tally(verdicts)}, with ${calls} calls in ${seconds} s.`,
    ...(stopped === undefined ? [] : [`It did not come to its end. ${stopped}`]),
    ...lines,
    '',
    left.length === 0
      ? 'What was made for this is archived or deleted.'
      : `Left behind, please archive or delete: ${left.join(', ')}.`,
  ]
}

/** Sections in the order of the document; 2, 3 and 6 are one each. */
function sectionsOf(verdicts: readonly Verdict[]): Map<string, Verdict[]> {
  const keyOf = (section: string): string =>
    section.startsWith('4') ? section : (section[0] ?? '')
  const groups = Map.groupBy(verdicts, ({section}) => keyOf(section))
  const place = (key: string): number => {
    const [chapter = 0, part = 0] = key.split('.').map(Number)
    return chapter * 100 + part
  }
  return new Map([...groups].toSorted(([one], [other]) => place(one) - place(other)))
}

function tally(verdicts: readonly Verdict[]): string {
  const count = (state: Verdict['state']): number =>
    verdicts.filter((verdict) => verdict.state === state).length
  const parts = [`${count('holds')} of ${verdicts.length} rules hold`]
  if (count('broken') > 0) parts.push(`${count('broken')} broken`)
  if (count('untried') > 0) parts.push(`${count('untried')} not tried`)
  return parts.join(', ')
}

function linesOf({state, section, rule, expected, seen, bosun, why}: Verdict): string[] {
  const line = `  ${MARKS[state]} ${rule} (${section})`
  if (state === 'untried') return [`${line}: ${why ?? ''}`]
  if (state === 'holds') return [line]
  return [
    line,
    `      expected  ${expected ?? ''}`,
    `      seen      ${seen ?? ''}`,
    `      Bosun     ${bosun ?? ''}`,
  ]
}
