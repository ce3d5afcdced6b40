import {setTimeout as delay} from 'node:timers/promises'
import {type Dice, createDice} from '../../local/platform/agent/dice.ts'
import {standingsOf} from './facts.ts'
import type {Talk} from './oracle.ts'
import {type World, channelOf, personOf} from './world.ts'

/** Threads in which agents write at a steady pace, and people add something now and then. */
interface Load {
  talks: readonly Talk[]
  /** So many threads more. */
  more(count: number): Promise<void>
  /** Nobody asks for more; what was begun goes on to its end. */
  end(): Promise<void>
}

interface LoadOptions {
  threads: number
  seed: string
  /** Between two fragments of a reply. */
  everyMs: number
}

const REPLIES = 4
const FRAGMENTS = 8
/** Of a hundred looks at a thread at work, in how many somebody adds something. */
const ADDS_PERCENT = 1
const LOOK_MS = 1000
/** Whoever reads "Not sure this arrived" writes again some time later, rather than never. */
const PATIENCE_MS = 60_000

const WORDS =
  'the cart rounds prices after tax so a refund of three items loses one cent which nobody saw because tests used whole numbers while orders carry four digits'.split(
    ' ',
  )

/** Spread evenly over the workspaces; each begins with a mention. */
export async function beginLoad(world: World, options: LoadOptions): Promise<Load> {
  const {threads, seed, everyMs} = options
  const dice = createDice(`${seed} load`)
  const talks: Talk[] = []
  /** Until when each waits for what was asked last, and of how much that was asked before nothing is expected any more. */
  const waits = new Map<Talk, {untilMs: number; missing: number}>()
  const wait = (talk: Talk, missing: number): void =>
    void waits.set(talk, {untilMs: Date.now() + PATIENCE_MS, missing})
  const ask = (mark: string): void =>
    world.platform.control.planScript({
      when: {text: `${mark}.`},
      steps: Array.from({length: REPLIES}, (_, reply) => ({
        kind: 'say' as const,
        fragments: writeReply(dice, mark, reply + 1),
        delayMs: everyMs,
      })),
    })
  const begin = async (index: number): Promise<void> => {
    const team = world.teams[index % world.teams.length] ?? ''
    const mark = `note ${index + 1} part 1`
    ask(mark)
    const channel = channelOf(team)
    const people = world.slack.peopleOf(team)
    const text = `@Bosun please write ${mark}.`
    const {ts} = await people.post({as: personOf(team), channel, text})
    const talk = {team, place: {channel, ts}, asked: [mark]}
    talks.push(talk)
    wait(talk, 0)
  }
  const more = async (count: number): Promise<void> => {
    for (let begun = 0; begun < count; begun += 1) {
      await begin(talks.length)
      await delay(Math.min(1000, 20_000 / count))
    }
  }
  await more(threads)
  const ending = new AbortController()
  const add = async (talk: Talk, index: number): Promise<void> => {
    const {team, place, asked} = talk
    wait(talk, waits.get(talk)?.missing ?? 0)
    const mark = `note ${index + 1} part ${asked.length + 1}`
    ask(mark)
    asked.push(mark)
    const {channel, ts: threadTs} = place
    const people = world.slack.peopleOf(team)
    await people.post({as: personOf(team), channel, threadTs, text: `and then ${mark}.`})
  }
  const keep = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      const standing = standingsOf(world)
      for (const [index, talk] of talks.entries()) {
        const {isAtWork, told} = standing(talk)
        const {untilMs = Infinity, missing = 0} = waits.get(talk) ?? {}
        if (!isAtWork && Date.now() > untilMs) wait(talk, talk.asked.length - told)
        // What is on its way already is enough.
        const isWaiting = told + missing < talk.asked.length
        const isMore = isAtWork ? dice.int(1, 100) <= ADDS_PERCENT : dice.int(1, 3) === 1
        if (!isWaiting && isMore) await add(talk, index)
      }
      await delay(LOOK_MS)
    }
  }
  const keeping = keep()
  return {
    talks,
    more,
    end: async () => {
      ending.abort()
      await keeping
    },
  }
}

/** Each piece carries a token that occurs nowhere else: {@link TOKEN}. */
function writeReply(dice: Dice, mark: string, reply: number): string[] {
  const word = (): string => WORDS[dice.int(0, WORDS.length - 1)] ?? ''
  const title = mark.replaceAll(/\D+/g, 'x')
  const piece = (at: number): string =>
    `${Array.from({length: dice.int(3, 8)}, word).join(' ')} k${title}x${reply}x${at}, `
  const pieces = Array.from({length: FRAGMENTS}, (_, at) => piece(at))
  return [`This is reply ${reply} to ${mark}: `, ...pieces, 'and that was it.']
}

export const TOKEN = /\bkx\d+x\d+x\d+x\d+\b/g
