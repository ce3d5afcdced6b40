import type {Lottery} from './engine/lottery.ts'

/** Something that goes wrong at a moment. */
export type FaultPlan = {atMs: number} & Fault

/** Between the bot and whom. */
export type Side = 'slack' | 'platform' | 'bot'

type Fault =
  /** One fault of those that the storms are made of: of a stream, a request, or a call. */
  | {kind: 'stream' | 'request' | 'call'; seed: string}
  | {kind: 'streams closed'}
  | {kind: 'platform restarted'; forMs: number}
  | {kind: 'sockets dropped' | 'sockets refreshed'}
  | {kind: 'deliveries doubled'; forMs: number; times: number}
  | {kind: 'deliveries reordered'; forMs: number}
  | {kind: 'calls limited'; method: string; forMs: number; retryAfterSeconds: number}
  /** The network breaks connections, loses what was asked or answered, holds everything back, or is slow. */
  | {kind: 'cut' | 'silence'; side: Side}
  | {kind: 'refuse' | 'hold there' | 'hold back'; side: Side; forMs: number}
  | {kind: 'lose there' | 'lose back'; side: Side; times: number}
  | {kind: 'slow'; side: Side; byMs: number; forMs: number}
  /** The bot dies at the next effect, or a later one: around a statement of its database, or what it writes to others. */
  | {kind: 'kill'; effects: number; moment: 'before' | 'after'; downMs: number}
  | {kind: 'stop'; downMs: number}
  /** Another program holds the database. */
  | {kind: 'lock'; forMs: number}
  /** Many others write to it: whoever asks for it gets it one time in so many. */
  | {kind: 'busy'; forMs: number; oneIn: number}
  /** The clock of the bot's machine is set. */
  | {kind: 'clock'; byMs: number}
  /** The bot's machine gives it no time. */
  | {kind: 'pause'; forMs: number; which: number}
  /** Of several instances one hears nothing of the others, and is not heard, but for what it writes to their database. */
  | {kind: 'isolate'; forMs: number; which: number}

export type FaultKind = Fault['kind']

const SIDES = ['slack', 'platform', 'bot'] as const
const LIMITED = [
  '*',
  'chat.update',
  'chat.postMessage',
  'conversations.replies',
  'chat.appendStream',
]

/** By how often. */
const WEIGHTS: Readonly<Record<FaultKind, number>> = {
  stream: 14,
  request: 10,
  call: 20,
  'streams closed': 2,
  'platform restarted': 1,
  'sockets dropped': 1,
  'sockets refreshed': 1,
  'deliveries doubled': 2,
  'deliveries reordered': 2,
  'calls limited': 4,
  cut: 4,
  silence: 1,
  refuse: 2,
  'hold there': 3,
  'hold back': 3,
  'lose there': 4,
  'lose back': 6,
  slow: 2,
  kill: 10,
  stop: 2,
  lock: 4,
  busy: 4,
  clock: 2,
  pause: 3,
  isolate: 4,
}

export const ALL_FAULTS = Object.keys(WEIGHTS) as readonly FaultKind[]

interface Drawing {
  kinds: readonly FaultKind[]
  delivery: 'socket' | 'http'
  withinMs: number
}

export function drawFault(lottery: Lottery, {kinds, delivery, withinMs}: Drawing): FaultPlan {
  const kind = lottery.pick(kinds.flatMap((one) => Array.from({length: WEIGHTS[one]}, () => one)))
  return {atMs: lottery.int(0, withinMs), ...drawOne(lottery, kind, delivery)}
}

function drawOne(lottery: Lottery, kind: FaultKind, delivery: 'socket' | 'http'): Fault {
  const side = lottery.pick(delivery === 'http' ? SIDES : SIDES.slice(0, 2))
  const forMs = lottery.pick([300, 1500, 5000, 12_000])
  switch (kind) {
    case 'stream':
    case 'request':
    case 'call':
      return {kind, seed: String(lottery.int(1, 1e9))}
    case 'streams closed':
    case 'sockets dropped':
    case 'sockets refreshed':
      return {kind}
    case 'platform restarted':
      return {kind, forMs: lottery.int(0, 3000)}
    case 'deliveries doubled':
      return {kind, forMs: lottery.int(1000, 30_000), times: lottery.int(2, 3)}
    case 'deliveries reordered':
      return {kind, forMs: lottery.int(1000, 30_000)}
    case 'calls limited':
      return {
        ...{kind, method: lottery.pick(LIMITED), forMs: lottery.int(500, 20_000)},
        retryAfterSeconds: lottery.int(1, 20),
      }
    case 'cut':
    case 'silence':
      return {kind, side}
    case 'refuse':
    case 'hold there':
    case 'hold back':
      return {kind, side, forMs}
    case 'lose there':
    case 'lose back':
      return {kind, side, times: lottery.int(1, 3)}
    case 'slow':
      return {kind, side, byMs: lottery.pick([100, 800, 3000]), forMs: lottery.int(1000, 20_000)}
    case 'kill': {
      const moment = lottery.pick(['before', 'after'] as const)
      return {kind, effects: lottery.int(1, 60), moment, downMs: lottery.int(50, 15_000)}
    }
    case 'stop':
      return {kind, downMs: lottery.int(50, 5000)}
    case 'lock':
      return {kind, forMs: lottery.pick([200, 1000, 3000, 8000])}
    case 'busy':
      return {kind, forMs: lottery.int(10_000, 60_000), oneIn: lottery.int(2, 8)}
    case 'pause':
      return {kind, forMs: lottery.pick([500, 4000, 8000, 20_000]), which: lottery.int(0, 1)}
    case 'isolate':
      return {kind, forMs: lottery.pick([2000, 7000, 12_000, 30_000]), which: lottery.int(0, 1)}
    case 'clock': {
      // Slack's signatures are good for five minutes.
      const most = delivery === 'http' ? 240_000 : 3_600_000
      return {kind, byMs: lottery.int(-most, most)}
    }
  }
}
