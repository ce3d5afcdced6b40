const MAX_QUESTION = 300
/** What is kept of a question: marks and links go when it is shown. */
const MAX_KEPT = 1000
/** Its end is asked for: so much of a text is looked at, however long it is. */
const MAX_READ = 8 * MAX_KEPT

/** The end of what the agent said: its last paragraphs, as far as they fit into what is shown. */
export function questionIn(text: string): string {
  let question = ''
  for (const paragraph of text
    .slice(-MAX_READ)
    .trim()
    .split(/\n\s*\n/)
    .toReversed()) {
    const longer = question === '' ? paragraph : `${paragraph}\n\n${question}`
    if (question !== '' && longer.length > MAX_QUESTION) break
    question = longer
  }
  return question.slice(-MAX_KEPT)
}
