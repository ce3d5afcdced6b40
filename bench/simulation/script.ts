import type {Platform} from '../../local/platform/server.ts'
import {type Lottery, createLottery} from './engine/lottery.ts'
import type {TalkPlan} from './plan.ts'

type Steps = Parameters<Platform['control']['planScript']>[0]['steps']
type Turn = Extract<Steps[number], {kind: 'turn'}>

/** What the agent does about one message, which names it by its mark. */
export interface Script {
  mark: string
  steps: Steps
}

interface ScriptOptions {
  /** Stands in every reply, and in no other one's. */
  name: string
  turns: number
  rest: TalkPlan['rest']
}

/** A few fragments each: what matters is where things go wrong between them, not how many there are. */
const FRAGMENTS = [2, 7] as const

/** Short replies with tools between them; one in a while is long, breaks off, is dropped, or runs tasks. */
export function writeScript({name, turns, rest}: ScriptOptions): Script {
  const lottery = createLottery(name)
  const steps = Array.from({length: turns}, (_, at): Turn => {
    const words = `${name} part ${at + 1}`
    const said: Turn['steps'] = [
      ...tools(lottery, words),
      say(lottery, writeReply(lottery, words, lottery.percent(4) ? 50 : lottery.int(1, 4))),
      ...(lottery.percent(30) ? tools(lottery, words) : []),
      ...(lottery.percent(6) ? [tasks(lottery, words)] : []),
    ]
    if (lottery.percent(6)) {
      const fragments = cut(lottery, writeReply(lottery, `${words}, never finished`, 1))
      return {kind: 'turn', outcome: 'aborted', steps: [{kind: 'draft', fragments, delayMs: 200}]}
    }
    if (lottery.percent(6)) return {kind: 'turn', outcome: 'dropped', steps: said}
    return {kind: 'turn', steps: said}
  })
  return {
    mark: `${name}.`,
    steps: rest === 'idle' ? steps : [...steps, {kind: 'rest', state: rest}],
  }
}

function tasks(lottery: Lottery, words: string): Turn['steps'][number] {
  const titles = Array.from({length: lottery.int(1, 3)}, (_, at) => `${words}, task ${at + 1}`)
  return {
    kind: 'tasks',
    tasks: titles.map((title) => ({
      title,
      steps: [...tools(lottery, title), say(lottery, writeReply(lottery, title, 1))],
    })),
  }
}

function tools(lottery: Lottery, words: string): Turn['steps'] {
  return Array.from({length: lottery.int(0, 2)}, (_, at) => ({
    ...{kind: 'tool' as const, name: 'Bash'},
    text: `look at ${words}, ${at + 1}`,
    delayMs: lottery.int(50, 2500),
  }))
}

function say(lottery: Lottery, text: string): Turn['steps'][number] {
  return {kind: 'say', fragments: cut(lottery, text), delayMs: lottery.int(50, 900)}
}

/** Anywhere, also between marks and inside of words. */
function cut(lottery: Lottery, text: string): string[] {
  const characters = Array.from(text)
  const most = Math.max(1, Math.ceil((2 * characters.length) / lottery.int(...FRAGMENTS)))
  const fragments: string[] = []
  for (let start = 0; start < characters.length;) {
    const length = lottery.int(1, most)
    fragments.push(characters.slice(start, start + length).join(''))
    start += length
  }
  return fragments
}

function writeReply(lottery: Lottery, words: string, count: number): string {
  const paragraphs = Array.from({length: count}, (_, at) => writeParagraph(lottery, words, at))
  return [`**${words}** begins: ${lottery.int(1, 1e9)}.`, ...paragraphs].join('\n\n')
}

function writeParagraph(lottery: Lottery, words: string, at: number): string {
  const number = lottery.int(1, 1e6)
  return lottery.pick([
    `The price of ${number} was rounded twice in *${words}*; now it is rounded once, at the end.`,
    `See [the notes on ${number}](https://example.com/notes/${number}) and \`cart.total(${number})\` for R&D.`,
    `- first ${number}\n- second, a < b && c\n- third 🧾 ${at}`,
    `価格 ${number} の丸め、Überträge und ein 👩‍👩‍👧 dazwischen.`,
    `\`\`\`ts\nconst total${number} = rows.reduce((sum, {price}) => sum + price, 0) // ${at} < 3 && true\n\`\`\``,
    `| item ${number} | price |\n| --- | --- |\n| tea | ${at} |\n| coffee | ${number} |`,
  ])
}
