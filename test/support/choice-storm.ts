import {createDice} from '../../local/platform/agent/dice.ts'
import {type Machine, openMachine, postFrom} from './agent-machine.ts'
import {JANE, KIM, startWorld, type World} from './world.ts'

interface ChoiceStormReport {
  questions: number
  /** That the platform got more than one message of, or none. */
  wrong: number
  /** Whose message names somebody else, or something else, than the platform got. */
  misnamed: number
  /** Whoever came second and did not hear who was first. */
  unheard: number
}

/** Of one thread, in a minute. */
const PER_THREAD = 20
const OPTIONS = ['Alpha', 'Beta', 'Gamma'] as const
const NAMES: Readonly<Record<string, string>> = {[JANE]: 'Jane', [KIM]: 'Kim'}

interface Asked {
  machine: Machine
  /** Nobody else is asked this. */
  text: string
  ts: string
}

/** Each question is pressed by two people in the same instant, each on an answer that the dice choose; judged by the platform's ledger. */
export async function stormChoices(count: number, seed: string): Promise<ChoiceStormReport> {
  await using world = await startWorld({delivery: 'socket', pace: 0.05})
  const dice = createDice(seed)
  const machines: Machine[] = []
  for (let left = count; left > 0; left -= PER_THREAD) machines.push(await openMachine(world))
  const asked = await Promise.all(
    machines.map((machine, index) =>
      ask(world, machine, Math.min(PER_THREAD, count - index * PER_THREAD), index),
    ),
  )
  const questions = asked.flat()
  await Promise.all(
    questions.flatMap(({machine: {place}, ts}) =>
      [JANE, KIM].map((as) => {
        const actionId = `bosun:choose:${dice.int(0, OPTIONS.length - 1)}`
        return world.slack.people.press({as, channel: place.channel, ts, actionId})
      }),
    ),
  )
  const said = (one: Asked) => messageOf(world, one)?.text ?? ''
  await world.until(
    'every message says who chose',
    () => questions.every((one) => said(one).includes(' chose ')),
    120_000,
  )
  const heard = () => heardIn(world, questions[0]?.machine.place.channel ?? '')
  await world
    .until('whoever came second has heard', () => heard() >= count, 20_000)
    .catch(() => undefined)
  const sent = world.posts('/api/v1/threads/:id/message').map(({body}) => textOf(body))
  const report: ChoiceStormReport = {
    questions: count,
    wrong: 0,
    misnamed: 0,
    unheard: Math.abs(count - heard()),
  }
  for (const one of questions) {
    const those = sent.filter((text) => text.includes(`“${one.text}”`))
    const [, name = '', answer = ''] = /^(\w+) [^\n]*\n[^\n]*\n(\w+)$/.exec(those[0] ?? '') ?? []
    if (those.length !== 1) report.wrong += 1
    else if (!said(one).includes(`@${name} chose *${answer}*`)) report.misnamed += 1
  }
  return report
}

async function ask(
  world: World,
  machine: Machine,
  count: number,
  thread: number,
): Promise<Asked[]> {
  const asked: Asked[] = []
  for (let index = 0; index < count; index += 1) {
    const text = `Which one for ${thread}-${index}?`
    const body = {thread: machine.thread, text, options: OPTIONS}
    const {status} = await postFrom(world, body, machine)
    if (status !== 200) throw new Error(`A question was answered with ${status}.`)
    const ts = world.ours(machine.place).find((it) => it.text.startsWith(text))?.ts ?? ''
    asked.push({machine, text, ts})
  }
  return asked
}

function messageOf(world: World, {machine: {place}, ts}: Asked) {
  return world.ours(place).find((message) => message.ts === ts)
}

/** How many were told that the other one was first. */
function heardIn(world: World, channel: string): number {
  return [JANE, KIM].reduce((sum, as) => {
    const other = NAMES[as === JANE ? KIM : JANE] ?? ''
    const told = world.slack.ephemerals(channel, as)
    return sum + told.filter(({text}) => text.startsWith(`@${other} was first: `)).length
  }, 0)
}

function textOf(body: unknown): string {
  const isText = typeof body === 'object' && body !== null && 'text' in body
  return isText && typeof body.text === 'string' ? body.text : ''
}
