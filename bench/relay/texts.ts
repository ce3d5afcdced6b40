import type {Dice} from '../../local/platform/agent/dice.ts'

/** What an agent says in one go, and how long after the piece before it. */
export interface Fragment {
  text: string
  delayMs: number
}

const WORDS =
  'the cart rounds prices after tax and not before so a refund of three items loses one cent which nobody saw because tests used whole numbers while orders from abroad carry four digits service queue worker retries request when database is slow index on customer table was missing since spring migration now moved into own step with review branch deploy logs show same error twice'.split(
    ' ',
  )

/** Ordinary prose of an agent, exactly so long: paragraphs, a list, a fenced block, a small table, links, bold, code. */
export function writeReply(dice: Dice, length: number): string {
  const blocks = [
    paragraph(dice, 4),
    Array.from({length: dice.int(3, 5)}, () => `- ${sentence(dice)}`).join('\n'),
    paragraph(dice, 3),
    `\`\`\`ts\n${Array.from({length: 4}, () => code(dice)).join('\n')}\n\`\`\``,
    paragraph(dice, 3),
    `| ${plain(dice, 1)} | ${plain(dice, 2)} |\n| --- | --- |\n${row(dice)}\n${row(dice)}\n${row(dice)}`,
    paragraph(dice, 3),
  ]
  let text = blocks.join('\n\n')
  while (text.length < length - 400) text += `\n\n${paragraph(dice, 3)}`
  text += '\n\n'
  while (text.length < length) text += `${plain(dice, 9)}. `
  return `${text.slice(0, length - 1).replace(/\W$/, 's')}.`
}

/** A reply of one to three sentences. */
export function writeShortReply(dice: Dice): string {
  return paragraph(dice, dice.int(1, 3))
}

/** So many fragments of uneven sizes over so long, in bursts and with pauses. */
export function cutUnevenly(
  dice: Dice,
  text: string,
  {count, durationMs}: {count: number; durationMs: number},
): Fragment[] {
  const sizes = shareOut(text.length - count, weights(dice, count, [1, 3, 10, 26])).map(
    (size) => size + 1,
  )
  const gaps = weights(dice, count, [0, 2, 10, 30]).map((gap) =>
    dice.int(1, 25) === 1 ? gap + dice.int(150, 600) : gap,
  )
  const total = gaps.reduce((sum, gap) => sum + gap, 0)
  let end = 0
  return sizes.map((size, index) => {
    end += size
    const delayMs = ((gaps[index] ?? 0) * durationMs) / total
    return {text: text.slice(end - size, end), delayMs}
  })
}

/** A third small, the others large. */
function weights(
  dice: Dice,
  count: number,
  [few, some, many, most]: readonly [number, number, number, number],
): number[] {
  return Array.from({length: count}, () =>
    dice.int(1, 3) === 1 ? dice.int(few, some) : dice.int(many, most),
  )
}

/** Whole shares that make up the sum. */
function shareOut(sum: number, parts: readonly number[]): number[] {
  const total = parts.reduce((all, part) => all + part, 0)
  let upTo = 0
  let given = 0
  return parts.map((part) => {
    upTo += part
    const share = Math.round((upTo * sum) / total) - given
    given += share
    return share
  })
}

function paragraph(dice: Dice, sentences: number): string {
  return Array.from({length: sentences}, () => sentence(dice)).join(' ')
}

function sentence(dice: Dice): string {
  const words = [plain(dice, dice.int(3, 8)), ...marked(dice), plain(dice, dice.int(2, 6))]
  const text = words.join(' ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

function marked(dice: Dice): string[] {
  switch (dice.int(1, 5)) {
    case 1:
      return [`**${plain(dice, 2)}**`]
    case 2:
      return [`\`${plain(dice, 1)}_${plain(dice, 1)}\``]
    case 3:
      return [`[${plain(dice, 2)}](https://example.com/${plain(dice, 1)}/${dice.int(10, 999)})`]
    default:
      return []
  }
}

function plain(dice: Dice, count: number): string {
  return Array.from({length: count}, () => WORDS[dice.int(0, WORDS.length - 1)] ?? '').join(' ')
}

function code(dice: Dice): string {
  return `const ${plain(dice, 1)} = ${plain(dice, 1)}(${dice.int(1, 99)}, '${plain(dice, 2)}')`
}

function row(dice: Dice): string {
  return `| ${plain(dice, dice.int(1, 2))} | ${dice.int(1, 9999)} |`
}
