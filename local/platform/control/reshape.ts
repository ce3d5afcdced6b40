import {HEARTBEAT} from '../streams/frames.ts'
import type {Fault} from './faults.ts'

/** A fault that changes what is said, but not how far it comes. */
export type Reshaping = Extract<
  Fault,
  {kind: 'noHeartbeat' | 'crlf' | 'duplicate' | 'inject' | 'bom' | 'trailing'}
>

/** Changes the text of one answer, piece by piece; each piece of a stream is one or more whole frames. */
export interface Reshaper {
  change(text: string): string
  /** What comes behind the last piece. */
  end(): string
}

export function createReshaper(fault: Reshaping): Reshaper {
  const end = (): string => ''
  switch (fault.kind) {
    case 'noHeartbeat':
      return {change: eachFrame((frame) => (frame === HEARTBEAT ? '' : frame)), end}
    case 'crlf':
      return {change: (text) => text.replaceAll('\n', '\r\n'), end}
    case 'duplicate':
      return {change: eachFrame((frame) => (isDoubled(frame, fault) ? frame + frame : frame)), end}
    case 'inject':
      return {change: eachFrame(createInjection(fault)), end}
    case 'bom':
      return {change: createPrefix('\uFEFF'), end}
    case 'trailing':
      return {change: (text) => text, end: () => fault.text}
  }
}

function eachFrame(change: (frame: string) => string): (text: string) => string {
  return (text) => text.split(FRAME_END).map(change).join('')
}

const FRAME_END = /(?<=\n\n)/

/** Blocks without a name, such as that of `retry:`, are no frames. */
function nameOf(frame: string): string | undefined {
  return /^event: (.*)$/m.exec(frame)?.[1]
}

function isDoubled(frame: string, {event}: Extract<Fault, {kind: 'duplicate'}>): boolean {
  const name = nameOf(frame)
  return name !== undefined && (event === undefined || event === name)
}

function createInjection({frame, every}: Extract<Fault, {kind: 'inject'}>) {
  let count = 0
  return (real: string): string => {
    if (nameOf(real) !== undefined) count += 1
    else return real
    return count % every === 0 ? real + frame : real
  }
}

function createPrefix(prefix: string): (text: string) => string {
  let left = prefix
  return (text) => {
    const changed = left + text
    left = ''
    return changed
  }
}
