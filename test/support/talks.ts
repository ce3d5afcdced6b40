import {setTimeout as delay} from 'node:timers/promises'
import {ACTIONS} from '../../src/slack/ids.ts'
import {isWorking} from '../../src/platform/model.ts'
import {rowOf} from './deed-sights.ts'
import {takeEvidence} from './evidence.ts'
import {createPiece, endOf} from './readable.ts'
import {trailOf} from './trail.ts'
import {
  type Evidence,
  type Place,
  isComplete,
  isQuestion,
  isWaitingList,
  verdict,
} from './verdict.ts'
import {JANE, KIM, type World} from './world.ts'

/** One conversation: where it is, and what is asked in it. */
export interface Talk {
  place: Place
  mark: string
  /** What people add, by their marks: the agent has to get it, once. */
  added: string[]
  /** What they took back, or were told that it failed: the agent may get it, once. */
  takenBack?: string[]
  /** What a stop held back, and nobody let go: the agent never gets it. */
  held?: string[]
  /** What is not for the agent. */
  aside?: string[]
}

/** A reply as it was when somebody deleted it. */
export interface Removal {
  place: Place
  text: string
}

export interface TalksReport {
  replies: number
  wrongs: Record<Wrong, number>
  /** One line for each place in which something is wrong. */
  details: string[]
  /** How some of these came to be so. */
  trails: string[]
}

type Wrong =
  | 'lost'
  | 'doubled'
  | 'out of order'
  | 'wrong text'
  | 'threads per mention'
  | 'messages sent twice'
  | 'messages never sent'
  | 'messages delivered twice'
  | 'messages never delivered'
  | 'sent though not for the agent'
  | 'delivered though held'
  | 'still waiting'
  | 'cards'
  | 'still streamed'
  | 'outside its place'
  | 'not settled'

const SETTLE_WITHIN_MS = 240_000
const MOST_TRAILS = 5

/** Waits until every thread rests and stands in its place; presses what people would press. Answers who does not. */
export async function settleTalks(
  world: World,
  talks: readonly Talk[],
  tell: (line: string) => void,
  withinMs = SETTLE_WITHIN_MS,
): Promise<Talk[]> {
  const endMs = Date.now() + withinMs
  let left = [...talks]
  const pressed = new Map<Talk, number>()
  while (left.length > 0 && Date.now() < endMs) {
    await delay(1000)
    const evidence = takeEvidence(world)
    const still: Talk[] = []
    for (const [index, talk] of left.entries()) {
      const {place} = talk
      // Stand-ins live in this process: they must not wait for a thousand verdicts.
      if (index % 20 === 0) await delay(0)
      const thread = evidence.threadIn(place)
      const ours = evidence.ours(place)
      const isAtWork = ours.some(({text}) => /🔵 Working|⏳ Starting/u.test(text))
      const isResting = thread !== undefined && !isWorking(thread.status) && !isAtWork
      const rows = JSON.stringify(evidence.requests(place))
      const isSent = talk.added.every((mark) => rows.includes(mark))
      const isMoving = isSent && thread !== undefined && hasUndelivered(evidence, talk)
      const isDone = isResting && isSent && !isMoving && !ours.some(isWaitingList)
      if (isDone && isComplete(verdict(evidence, place))) continue
      still.push(talk)
      await letGo(world, talk, pressed)
      // Nobody may look, or a stop took it back while nobody could: whoever reads the question sees that it is not there.
      const told = toldIn(evidence, place)
      const isMissing = (mark: string): boolean =>
        !rows.includes(mark) || (isResting && !told.some((text) => text.includes(mark)))
      const missing = talk.added.filter(isMissing)
      const question = ours
        .filter(isQuestion)
        .find(({text}) => missing.some((mark) => text.includes(mark)))
      if (question !== undefined && Date.now() - (pressed.get(talk) ?? 0) > 5000) {
        pressed.set(talk, Date.now())
        const at = {as: JANE, channel: place.channel, ts: question.ts}
        await world.slack.people.press({...at, actionId: ACTIONS.sendAgain}).catch(() => undefined)
      }
    }
    left = still
    tell(`${left.length} threads are not settled`)
  }
  return left
}

/** What is meant for the agent, and was held because somebody stopped the work, is sent in the end. */
async function letGo(world: World, talk: Talk, pressed: Map<Talk, number>): Promise<void> {
  if (Date.now() - (pressed.get(talk) ?? 0) < 5000) return
  const {place, added} = talk
  const action = ACTIONS.sendHeld
  const row = added.map((mark) => rowOf(world, talk, mark, action)).find((it) => it !== undefined)
  if (row === undefined) return
  pressed.set(talk, Date.now())
  // One of them wrote it, or began the work.
  for (const as of [JANE, KIM]) {
    const press = {as, channel: place.channel, actionId: action, ...row}
    await world.slack.people.press(press).catch(() => undefined)
  }
}

/** What is wrong, of all that stands. */
export function judgeTalks(
  world: World,
  talks: readonly Talk[],
  {removed, unsettled}: {removed: readonly Removal[]; unsettled: readonly Talk[]},
): TalksReport {
  const evidence = takeEvidence(world)
  const strays = evidence.strays(talks.map(({place}) => place))
  const details = strays.map((stray) => `outside its place: ${JSON.stringify(stray)}`)
  const troubled: Place[] = []
  const wrongs: Record<Wrong, number> = {
    lost: 0,
    doubled: 0,
    'out of order': 0,
    'wrong text': 0,
    'threads per mention': 0,
    'messages sent twice': 0,
    'messages never sent': 0,
    'messages delivered twice': 0,
    'messages never delivered': 0,
    'sent though not for the agent': 0,
    'delivered though held': 0,
    'still waiting': 0,
    cards: 0,
    'still streamed': 0,
    'outside its place': strays.length,
    'not settled': unsettled.length,
  }
  let replies = 0
  for (const talk of talks) {
    const {place, mark, added, takenBack = [], aside = [], held = []} = talk
    const seen = verdict(evidence, place)
    // What was complete when a person deleted it stays deleted.
    const lost = seen.lost.filter(
      (text) =>
        !removed.some(
          (it) => it.place === place && endOf(createPiece(text), [createPiece(it.text)], 0) === 1,
        ),
    )
    const rows = JSON.stringify(evidence.requests(place))
    const told = toldIn(evidence, place)
    const times = (one: string): number => told.filter((text) => text.includes(one)).length
    const found: Partial<Record<Wrong, number>> = {
      lost: lost.length,
      doubled: seen.doubled.length,
      'out of order': seen.outOfOrder.length,
      'wrong text': seen.wrong.length,
      'threads per mention': Math.abs(seen.creations - 1),
      'messages sent twice': seen.doubledSends.length,
      'messages never sent': added.filter((one) => !rows.includes(one)).length,
      'messages delivered twice': [...added, ...takenBack].filter((one) => times(one) > 1).length,
      'messages never delivered': added.filter((one) => times(one) === 0).length,
      'sent though not for the agent': aside.filter((one) => rows.includes(one)).length,
      'delivered though held': held.filter((one) => times(one) > 0).length,
      'still waiting': evidence.ours(place).filter(isWaitingList).length,
      cards: Math.abs(seen.cards - 1),
      'still streamed': seen.streaming,
    }
    for (const kind of Object.keys(wrongs) as Wrong[]) wrongs[kind] += found[kind] ?? 0
    replies += evidence.transcriptIn(place).filter(({source}) => source === 'assistant').length
    const isWrong = Object.values(found).some((count) => count > 0)
    const isUnsettled = unsettled.some((talk) => talk.place === place)
    if (isWrong || isUnsettled) troubled.push(place)
    if (isWrong) {
      const people = {found, added, takenBack, aside, told}
      details.push(`${mark} ${JSON.stringify(place)} ${JSON.stringify({...seen, lost, people})}`)
    } else if (isUnsettled) {
      const {status} = evidence.threadIn(place) ?? {}
      const texts = evidence.ours(place).map(({text}) => text.slice(0, 100))
      details.push(`${mark} ${JSON.stringify(place)} stays ${JSON.stringify({status, texts})}`)
    }
  }
  const trails = troubled.slice(0, MOST_TRAILS).map((place) => trailOf(world, place))
  return {wrongs, details, trails, replies}
}

/** What people told the agent, the task included. */
function toldIn(evidence: Evidence, place: Place): string[] {
  const entries = evidence.transcriptIn(place).filter(({source}) => source === 'user')
  return entries.map(({text}) => text)
}

function hasUndelivered(evidence: Evidence, {place, added}: Talk): boolean {
  const told = toldIn(evidence, place)
  return added.some((mark) => !told.some((text) => text.includes(mark)))
}
