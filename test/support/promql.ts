/** Words of PromQL itself. */
const WORDS = new Set([
  ...['sum', 'min', 'max', 'count', 'avg', 'by', 'without', 'rate', 'increase', 'or', 'and'],
  ...['unless', 'on', 'ignoring', 'histogram_quantile', 'time', 'absent'],
])

/** The metrics that a query names. What stands in quotes, braces of labels, ranges and `by (…)` is none. */
export function namesIn(expr: string): string[] {
  const bare = expr
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '""')
    .replaceAll(/\{[^}]*\}/g, ' ')
    .replaceAll(/\[[^\]]*\]/g, ' ')
    .replaceAll(/\b(?:by|without|on|ignoring)\s*\([^)]*\)/g, ' ')
  const words = bare.match(/(?<![\w.])[A-Za-z_:][\w:]*/g) ?? []
  return [...new Set(words.filter((word) => !WORDS.has(word)))]
}

/** The labels that it names. */
export function labelsIn(expr: string): string[] {
  const inBraces = [...expr.matchAll(/\{([^}]*)\}/g)].flatMap(([, inner = '']) =>
    [...inner.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label),
  )
  const grouped = [...expr.matchAll(/\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g)].flatMap(
    ([, inner = '']) => inner.split(',').map((label) => label.trim()),
  )
  return [...new Set([...inBraces, ...grouped])]
}
