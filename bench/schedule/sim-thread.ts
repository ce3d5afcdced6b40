import {type Backlog, createBacklog} from '../../src/relay/pace/backlog.ts'
import type {Ask, Pacer} from '../../src/relay/pace/pacer.ts'
import type {Rank} from '../../src/relay/post.ts'
import type {Writer} from './model.ts'
import type {SimClock} from './sim-clock.ts'
import type {SimSlack} from './sim-slack.ts'
import type {ThreadWork} from './work.ts'

export interface SimThread {
  work: ThreadWork
  /** How much of the reply was seen from when on. */
  shows: {seenMs: number; chars: number}[]
  /** The way its reply began. */
  way(): string
}

interface World {
  clock: SimClock
  pacer: Pacer
  slack: SimSlack
  writer: Writer
  cards: 'with cards' | 'without cards'
}

/** What stands in Slack of one thread. */
interface Standing {
  card: 'none' | 'at work' | 'done'
  /** `unsettled`: stopped, and the edit behind it is still to come. */
  reply: 'none' | 'post' | 'stream' | 'unsettled' | 'settled'
  shown: number
  sinceMs: number
}

const POST = 'chat.postMessage'
const UPDATE = 'chat.update'
const START = 'chat.startStream'
const APPEND = 'chat.appendStream'
const STOP = 'chat.stopStream'

/** A thread with its publisher: one call at a time, asked for as the real one does. */
export function startThread(work: ThreadWork, world: World): SimThread {
  const {clock, pacer, slack, writer, cards} = world
  const shows: SimThread['shows'] = []
  const backlog: Backlog = createBacklog(clock)
  const standing: Standing = {
    card: cards === 'with cards' ? 'none' : 'done',
    ...{reply: 'none', shown: 0, sinceMs: 0},
  }
  let way = ''
  let written = 0
  let isComplete = false
  let awaited: readonly Ask[] = []
  let interrupt: (() => void) | undefined
  let grown: (() => void) | undefined

  const poke = (change: 'growth' | 'any'): void => {
    const isCovered = awaited.some(({rank}) => rank === 'preview' || rank === 'first')
    if (change === 'any' || !isCovered) interrupt?.()
    else grown?.()
  }

  const ask = (method: string, rank: Rank, more: Partial<Ask> = {}): Ask => ({
    ...{team: 'T', channel: work.channel, method, rank, notBeforeMs: 0},
    sinceMs: rank === 'preview' ? standing.sinceMs : 0,
    ...more,
  })

  const beginnings = (): Ask[] => {
    if (isComplete) return [ask(POST, 'final', {backlog})]
    const post = ask(POST, 'first', {backlog, growsBy: UPDATE})
    const start = ask(START, 'first', {backlog, growsBy: APPEND})
    return writer === 'edit' ? [post] : writer === 'stream' ? [start] : [post, start]
  }

  const replyAsks = (): Ask[] => {
    const isUnseen = standing.shown < written
    switch (standing.reply) {
      case 'none':
        return isUnseen ? beginnings() : []
      case 'post':
        return isUnseen ? [ask(UPDATE, isComplete ? 'final' : 'preview', {backlog})] : []
      case 'stream':
        if (!isComplete) return isUnseen ? [ask(APPEND, 'preview', {backlog})] : []
        if (!isUnseen) return [ask(STOP, 'state', {backlog})]
        return [ask(STOP, 'final', {backlog}), ask(APPEND, 'final', {backlog})]
      case 'unsettled':
        return [ask(UPDATE, 'state')]
      default:
        return []
    }
  }

  const asks = (): Ask[] => {
    if (standing.card === 'none') return [ask(POST, 'state')]
    const reply = replyAsks()
    const isDone = isComplete && standing.shown === written
    if (isDone && standing.card === 'at work' && standing.reply !== 'unsettled') {
      return [...reply, ask(UPDATE, 'state')]
    }
    return reply
  }

  const use = async (granted: Ask): Promise<void> => {
    const {method, rank} = granted
    const isCard = rank === 'state' && standing.reply !== 'unsettled' && method !== STOP
    const unseen = written
    standing.sinceMs = clock.nowMs()
    if (!isCard) backlog.shown()
    const seen = (): void => {
      if (isCard || unseen === standing.shown) return
      standing.shown = unseen
      shows.push({seenMs: clock.nowMs(), chars: unseen})
    }
    const retryS = await slack.call(method, work.channel, seen)
    if (retryS === undefined) pacer.took(granted, clock.nowMs() - standing.sinceMs)
    if (retryS !== undefined) {
      pacer.pause({team: 'T', method}, retryS * 1000)
      if (!isCard) backlog.grow(unseen - standing.shown)
      return
    }
    if (isCard) standing.card = standing.card === 'none' ? 'at work' : 'done'
    else if (method === POST) standing.reply = 'post'
    else if (method === START) standing.reply = 'stream'
    else if (method === STOP) standing.reply = 'unsettled'
    else if (standing.reply === 'unsettled') standing.reply = 'settled'
    if (method === POST && !isCard) way = rank === 'first' ? 'post' : 'whole'
    if (method === START) way = 'stream'
  }

  const run = async (): Promise<void> => {
    for (;;) {
      const wanted = asks()
      if (wanted.length === 0) {
        await new Promise<void>((resolve) => (interrupt = resolve))
        continue
      }
      const queued = pacer.queue(wanted)
      awaited = wanted
      interrupt = queued.leave
      grown = queued.grown
      const one = wanted[(await queued.granted) ?? -1]
      interrupt = undefined
      grown = undefined
      awaited = []
      if (one !== undefined && pacer.isPaused(one)) pacer.giveBack(one)
      else if (one !== undefined) await use(one)
    }
  }

  for (const [index, {atMs, chars}] of work.fragments.entries()) {
    clock.at(atMs, () => {
      written += chars
      backlog.grow(chars)
      isComplete = index === work.fragments.length - 1
      poke(isComplete ? 'any' : 'growth')
    })
  }
  const firstMs = work.fragments[0]?.atMs ?? 0
  clock.at(Math.max(0, firstMs - 300), () => void run())
  return {work, shows, way: () => way}
}
