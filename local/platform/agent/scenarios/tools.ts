import type {Dice} from '../dice.ts'
import {tool, type Step} from '../script.ts'

type Call = readonly [name: string, text: string]

const CALLS: readonly [Call, ...Call[]] = [
  ['read_file', 'Read src/cart/total.ts (148 lines)'],
  ['search', 'Searched "roundPrice" in 212 files: 7 matches'],
  ['run_command', 'Ran npm test -- cart: 41 passed, 1 failed'],
  ['edit_file', 'Edited src/cart/total.ts (+12 −5)'],
  ['read_file', 'Read docs/prices.md (63 lines)'],
  ['run_command', 'Ran npm run build: done in 41 s'],
  ['edit_file', 'Edited test/cart/total.test.ts (+38 −0)'],
  ['browse', 'Opened http://localhost:5173/cart and took a screenshot'],
  ['run_command', 'Ran git diff --stat: 3 files changed, 50 insertions(+), 5 deletions(-)'],
]

/** A few tool calls in a row, as an agent makes them; `from` moves on in the list. */
export function callTools(dice: Dice, count: number, from = 0): Step[] {
  return Array.from({length: count}, (_, index) =>
    tool(dice, CALLS[(from + index) % CALLS.length] ?? CALLS[0]),
  )
}
