import {say, settled, think, type Script, type Assignment} from '../script.ts'
import {callTools} from './tools.ts'

/** The usual course: a look around, a change, one reply with all that Markdown offers. */
export function playWork(assignment: Assignment): Script {
  const {dice} = assignment
  return {
    turns: [
      settled(think(dice), ...callTools(dice, dice.int(1, 2))),
      settled(think(dice), ...callTools(dice, 1, 2), say(dice, writeReply(assignment))),
    ],
    rest: 'idle',
  }
}

const FINDINGS = [
  'prices were rounded once per line and again for the sum 🧮',
  'two requests raced for the same row, and the later one won 🏁',
  'the cache kept an answer that had already expired ⏳',
] as const

function writeReply({subject, ordinal, dice}: Assignment): string {
  const opening = ordinal === 1 ? 'Here is what I found' : `Following up (message ${ordinal})`
  return `## ${subject}

${opening}: ${dice.pick(FINDINGS)}. It is **fixed**, and the tests that were missing are in place.

### What changed

1. \`src/cart/total.ts\` rounds *once*, at the very end.
2. \`test/cart/total.test.ts\` covers the cases that went wrong:
   - an empty cart
   - amounts in yen and won, which have no cents
3. The guide says so now: [Rounding prices](https://docs.example.com/guide?page=rounding&lang=en#sums).

| Check | Before | After |
| --- | ---: | :---: |
| Unit tests | ${dice.int(180, 220)} | ${dice.int(221, 260)} |
| Slowest page | 1.${dice.int(2, 9)} s | 0.${dice.int(2, 9)} s |
| Sum on the page | ❌ | ✅ |

\`\`\`ts
export function total(items: readonly Item[]): Money {
  const sum = items.reduce((cents, item) => cents + item.cents * item.count, 0)
  return roundOnce(sum) // never per line: 3 × 0.335 is 1.01, not 1.02
}
\`\`\`

> Carts that are open right now keep their old sums until they change.

About “${subject}”: nothing else in the project calls the old function, so it is gone 👩🏽‍💻`
}
