import type {Row} from './row.ts'

/** What perfect knowledge needs, in seconds. */
export interface Optima {
  /** By whoever shows everything as soon as it is said. */
  allS: number
  /** By whoever shows nothing that may still turn into something else, as we do. */
  readableS: number
}

/** Rows as Markdown; the README shows them like this. */
export function toTable(rows: readonly Row[], optimumOf: (row: Row) => Optima | undefined): string {
  const lines = rows.map((row) => toCells(row, optimumOf(row)))
  const bars = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [bars(HEAD), bars(HEAD.map(() => '---')), ...lines.map(bars)].join('\n')
}

const HEAD = [
  ...['writer', 'threads', 'mean', 'optimum', '… of readable text', 'p95', 'first text, p50 / p95'],
  'a step, p50 / p95',
  ...['whole text, p50 / p95 / max', 'calls', '429s (in a row)', 'right', 'late'],
]

function toCells(row: Row, optima: Optima | undefined): string[] {
  const {
    writer,
    checkout,
    threads,
    meanS,
    p95S,
    first,
    doing,
    whole,
    unseen,
    limited,
    right,
    lateMs,
  } = row
  const {times} = row.longestRefusal
  const wholeMax = unseen > 0 ? `${unseen} not within 60 s` : seconds(whole.maxS)
  return [
    checkout === undefined ? writer : `${writer} (before)`,
    String(threads),
    seconds(meanS),
    ...[optima?.allS, optima?.readableS].map((optimumS) =>
      optimumS === undefined ? '' : `${seconds(optimumS)} × ${(meanS / optimumS).toFixed(2)}`,
    ),
    seconds(p95S),
    `${seconds(first.p50S)} / ${seconds(first.p95S)}`,
    `${seconds(doing.p50S)} / ${seconds(doing.p95S)}`,
    `${seconds(whole.p50S)} / ${seconds(whole.p95S)} / ${wholeMax}`,
    callsOf(row),
    limited === 0 ? '0' : `${limited} (${times})`,
    `${right}/${threads}`,
    Math.max(...Object.values(lateMs)).toFixed(0),
  ]
}

const SHORT: Readonly<Record<string, string>> = {
  'chat.postMessage': 'post',
  'chat.update': 'update',
  'chat.startStream': 'start',
  'chat.appendStream': 'append',
  'chat.stopStream': 'stop',
  'assistant.threads.setStatus': 'status',
  'reactions.add': 'react',
}

function callsOf({calls}: Row): string {
  const known = Object.entries(SHORT).flatMap(([method, name]) => {
    const count = calls.get(method) ?? 0
    return count === 0 ? [] : `${count} ${name}`
  })
  const others = [...calls].filter(([method]) => !(method in SHORT))
  const rest = others.reduce((sum, [, count]) => sum + count, 0)
  return [...known, ...(rest === 0 ? [] : [`${rest} other`])].join(', ')
}

function seconds(value: number): string {
  return Number.isNaN(value) ? '–' : value.toFixed(value < 10 ? 2 : 1)
}
