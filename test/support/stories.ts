import type {Dice} from '../../local/platform/agent/dice.ts'
import type {Platform} from '../../local/platform/server.ts'

type Steps = Parameters<Platform['control']['planScript']>[0]['steps']
type GivenStep = Steps[number]
type Turn = Extract<GivenStep, {kind: 'turn'}>

/** What an agent is going to do about one message, and how to ask for it. */
export interface Story {
  /** Stands in the message, and in no other one. */
  mark: string
  steps: Steps
}

interface StoryOptions {
  /** Stands in every reply, so that no two are the same. */
  name: string
  turns: readonly [least: number, most: number]
  /** How many of a hundred replies have more than four parts. */
  longPercent: number
  /** Without turns that end badly: what a reader sees of those depends on when they looked. */
  isTame?: true
}

/** Several replies and tool calls, short and long ones, in turns that may end badly: by the dice alone. */
export function tellStory(dice: Dice, {name, turns, longPercent, isTame}: StoryOptions): Story {
  const steps = Array.from({length: dice.int(...turns)}, (_, index): Turn => {
    const fate = dice.int(isTame === true ? 15 : 1, 100)
    const words = `${name} part ${index + 1}`
    if (fate <= 8) {
      const fragments = cut(dice, writeReply(dice, `${words}, never finished`, 'short'))
      return {kind: 'turn', outcome: 'aborted', steps: [{kind: 'draft', fragments, delayMs: 60}]}
    }
    const length = fate > 100 - longPercent ? 'endless' : dice.pick(LENGTHS)
    const said: Turn['steps'] = [
      ...tools(dice, words),
      say(dice, writeReply(dice, words, length)),
      ...(dice.int(1, 3) === 1 ? tools(dice, words) : []),
      ...(dice.int(1, 100) <= TASKS_PERCENT ? [tasks(dice, words)] : []),
    ]
    if (fate > 14) return {kind: 'turn', steps: said}
    return {kind: 'turn', outcome: 'dropped', steps: said}
  })
  return {mark: `${name}.`, steps}
}

/** How many of a hundred turns run tasks. */
const TASKS_PERCENT = 6

function tasks(dice: Dice, words: string): Turn['steps'][number] {
  const titles = Array.from({length: dice.int(1, 3)}, (_, index) => `${words}, task ${index + 1}`)
  return {
    kind: 'tasks',
    tasks: titles.map((title) => ({
      title,
      steps: [...tools(dice, title), say(dice, writeReply(dice, title, 'short'))],
    })),
  }
}

const LENGTHS = ['short', 'short', 'short', 'middle', 'long'] as const
const PARAGRAPHS = {short: [1, 2], middle: [4, 8], long: [12, 30], endless: [90, 110]} as const

function tools(dice: Dice, words: string): Turn['steps'] {
  return Array.from({length: dice.int(0, 2)}, (_, index) => ({
    kind: 'tool' as const,
    name: 'Bash',
    text: `look at ${words}, ${index + 1}`,
    delayMs: dice.int(50, 600),
  }))
}

function say(dice: Dice, text: string): Turn['steps'][number] {
  return {kind: 'say', fragments: cut(dice, text), delayMs: dice.int(30, 200)}
}

/** In at most 60 pieces, also inside of characters' neighbours, marks and words. */
function cut(dice: Dice, text: string): string[] {
  const characters = Array.from(text)
  const most = Math.max(12, Math.ceil(characters.length / 25))
  const fragments: string[] = []
  for (let start = 0; start < characters.length;) {
    const length = dice.int(1, most)
    fragments.push(characters.slice(start, start + length).join(''))
    start += length
  }
  return fragments
}

type Length = keyof typeof PARAGRAPHS

function writeReply(dice: Dice, words: string, length: Length): string {
  const [least, most] = PARAGRAPHS[length]
  const count = dice.int(least, most)
  const paragraphs = Array.from({length: count}, (_, index) => writeParagraph(dice, words, index))
  return [`**${words}** begins: ${dice.int(1, 1e9)}.`, ...paragraphs].join('\n\n')
}

function writeParagraph(dice: Dice, words: string, index: number): string {
  const number = dice.int(1, 1e6)
  return dice.pick([
    `The price of ${number} was rounded twice in *${words}*; now it is rounded once, at the end of the sum.`,
    `See [the notes on ${number}](https://example.com/notes/${number}) and \`cart.total(${number})\` for R&D.`,
    `- first ${number}\n- second, a < b && c\n- third 🧾 ${index}`,
    `価格 ${number} の丸め、Überträge und ein 👩‍👩‍👧 dazwischen.`,
    `\`\`\`ts\nexport const total${number} = (rows: Row[]) =>\n  rows.reduce((sum, {price}) => sum + price, 0) // ${index} < 3 && true\n\`\`\``,
    `| item ${number} | price |\n| --- | --- |\n| tea | ${index} |\n| coffee | ${number} |`,
    `> ${words} was right about ${number}.\n\nSo it stays, ${index} times over, and nobody has to look at the old sums again.`,
  ] as const)
}
