/** What spreadsheets take for a formula: OWASP, "CSV Injection". */
const FORMULA = /^[=+\-@\t\r]/

/** One line of RFC 4180, its end included. No cell becomes a formula in whoever opens it. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(toCell).join(',')}\r\n`
}

function toCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
