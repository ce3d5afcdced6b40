import type {Agenda} from './agenda.ts'
import type {Lottery} from './lottery.ts'
import {type Program, currentProgram} from './program.ts'
import {type Carrier, type Segment, Socket, failure} from './socket.ts'

/** Whoever waits for connections at a port. */
interface Listener {
  program: Program | undefined
  accept: (socket: Socket) => void
}

/** Loopback, as TCP has it: what is sent over one connection arrives in order, or the connection breaks. */
export interface Network extends Carrier {
  /** Answers the port; 0 takes a free one. */
  listen(port: number, listener: Listener): number
  unlisten(port: number): void
  connect(port: number): Socket
  /** Everything that may happen to what is under way to the server of a port, and back. */
  weather: Weather
  /** Asked before and after each write of a program: it may die of it. */
  onWrite: (moment: 'before' | 'after') => void
}

/** To the server, or from it. */
type Direction = 'there' | 'back'

interface Weather {
  /** Breaks all that are open, as a restart of something between both does. Answers how many. */
  cut(port: number): number
  /** Nobody gets through for so long. */
  refuse(port: number, forMs: number): void
  /** Nothing arrives for so long; then everything does. */
  hold(port: number, direction: Direction, forMs: number): void
  /** What is open now never carries anything any more, and nobody is told. Answers how many. */
  silence(port: number): number
  /** The connection that carries something in this direction next breaks, and what it carried is lost. */
  lose(port: number, direction: Direction, times: number): void
  /** Everything takes so much longer at most. */
  slowDown(port: number, byMs: number): void
  /** From now on all is well; what is broken stays broken. */
  clear(): void
  /** What became of what was asked for. */
  struck: (name: string) => void
}

interface Conditions {
  refusedUntilMs: number
  heldUntilMs: Record<Direction, number>
  toLose: Record<Direction, number>
  slowerMs: number
}

const calm = (): Conditions => ({
  refusedUntilMs: 0,
  heldUntilMs: {there: 0, back: 0},
  toLose: {there: 0, back: 0},
  slowerMs: 0,
})

const FIRST_PORT = 20_000

export function createNetwork(agenda: Agenda, lottery: Lottery): Network {
  const listeners = new Map<number, Listener>()
  const conditions = new Map<number, Conditions>()
  const open = new Set<Socket>()
  let ports = FIRST_PORT
  let numbers = 0

  const at = (port: number): Conditions => {
    const known = conditions.get(port) ?? calm()
    conditions.set(port, known)
    return known
  }
  const openAt = (port: number): Socket[] =>
    [...open].filter((socket) => socket.port === port && socket.isClient)
  const latencyMs = (port: number): number => {
    const {slowerMs} = at(port)
    const usual = 0.2 + lottery.next() * (lottery.percent(5) ? 30 : 2)
    return usual + lottery.next() * slowerMs
  }

  const deliver = (from: Socket, segment: Segment): void => {
    const to = from.peer
    if (to === undefined || from.isSilent) return
    const {port} = from
    const direction = from.isClient ? 'there' : 'back'
    const now = at(port)
    if (segment !== 'reset' && segment !== 'end' && now.toLose[direction] > 0) {
      now.toLose[direction] -= 1
      weather.struck(`network: lost on the way ${direction}`)
      breakBoth(from)
      return
    }
    const soonest = agenda.nowMs() + latencyMs(port)
    const atMs = Math.max(soonest, now.heldUntilMs[direction], from.lastArrivalMs)
    from.lastArrivalMs = atMs
    const arrive = (): void => {
      if (from.isSilent) return
      if (typeof segment !== 'string') agenda.note(segment)
      to.arrive(segment)
    }
    agenda.after(atMs - agenda.nowMs(), arrive, to.program)
  }

  const breakBoth = (socket: Socket): void => {
    for (const end of [socket, socket.peer]) {
      if (end === undefined) continue
      agenda.after(latencyMs(socket.port), () => end.arrive('reset'), end.program)
    }
  }

  const begin = (client: Socket): void => {
    const {port} = client
    const listener = listeners.get(port)
    const isRefused = at(port).refusedUntilMs > agenda.nowMs()
    if (isRefused) weather.struck('network: refused')
    if (listener === undefined || isRefused || listener.program?.isDead === true) {
      agenda.after(
        latencyMs(port),
        () => client.destroy(failure('ECONNREFUSED', 'connect')),
        client.program,
      )
      return
    }
    const accept = (): void => {
      // Who gave up meanwhile, or died, is not met any more.
      if (client.destroyed || client.program?.isDead === true) return
      const server = new Socket(network, {port, isClient: false, program: listener.program})
      server.number = client.number
      server.peer = client
      client.peer = server
      open.add(server)
      listener.accept(server)
      agenda.after(latencyMs(port), () => client.beConnected(), client.program)
    }
    agenda.after(latencyMs(port), accept, listener.program)
  }

  const weather: Weather = {
    cut: (port) => {
      const some = openAt(port)
      for (const socket of some) breakBoth(socket)
      return some.length
    },
    refuse: (port, forMs) => {
      at(port).refusedUntilMs = agenda.nowMs() + forMs
    },
    hold: (port, direction, forMs) => {
      at(port).heldUntilMs[direction] = agenda.nowMs() + forMs
    },
    silence: (port) => {
      const some = openAt(port)
      for (const socket of some) {
        socket.isSilent = true
        if (socket.peer !== undefined) socket.peer.isSilent = true
      }
      return some.length
    },
    lose: (port, direction, times) => {
      at(port).toLose[direction] += times
    },
    slowDown: (port, byMs) => {
      at(port).slowerMs = byMs
    },
    clear: () => conditions.clear(),
    struck: () => undefined,
  }

  const network: Network = {
    weather,
    onWrite: () => undefined,
    send: (from, segment) => {
      const isProgram = from.program !== undefined && typeof segment !== 'string'
      if (isProgram) network.onWrite('before')
      if (from.program?.isDead === true) return
      deliver(from, segment)
      if (isProgram) network.onWrite('after')
    },
    closed: (socket) => void open.delete(socket),
    died: (socket) => {
      open.delete(socket)
      const {peer} = socket
      if (peer === undefined || socket.isSilent) return
      agenda.after(latencyMs(socket.port), () => peer.arrive('reset'), peer.program)
    },
    listen: (port, listener) => {
      const taken = port === 0 ? (ports += 1) : port
      if (listeners.has(taken)) throw failure('EADDRINUSE', 'listen')
      listeners.set(taken, listener)
      const {program} = listener
      program?.onDeath(() => {
        if (listeners.get(taken) === listener) listeners.delete(taken)
      })
      return taken
    },
    unlisten: (port) => void listeners.delete(port),
    connect: (port) => {
      const client = new Socket(network, {port, isClient: true, program: currentProgram()})
      client.number = numbers += 1
      open.add(client)
      begin(client)
      return client
    },
  }
  return network
}
