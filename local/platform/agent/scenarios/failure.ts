import {draft, settled, think, type Script, type Assignment} from '../script.ts'
import {callTools} from './tools.ts'

/** The model breaks off in mid-sentence: its draft never settles. Section 6.3, rule 4. */
export function playFailure({subject, dice}: Assignment): Script {
  const text = `I started on **${subject}** and the first results look good. The failing test is

\`\`\`ts
expect(total(cart)).toBe(`
  return {
    turns: [
      settled(think(dice), ...callTools(dice, 1)),
      {outcome: 'aborted', steps: [draft(dice, text)]},
    ],
    rest: 'error',
  }
}
