import {writeSync} from 'node:fs'
import {type Logger, pino} from 'pino'
import {createLogSink} from './sink.ts'
import {factsOf} from '../security/error-facts.ts'
import type {Leaks} from '../security/leaks.ts'

/** Stands in a line where a secret was. */
const MARK = '[removed]'

/** What the process says of itself, on standard error: no secret, and of errors no words that others may have put there. */
interface ProcessLog {
  log: Logger
  /** One last line, written before this returns. */
  last: (error: unknown, message: string) => void
}

export function createLog(
  {level, write = createLogSink(2).write}: {level: string; write?: (line: string) => void},
  leaks: Pick<Leaks, 'clean' | 'cleanAll'>,
): ProcessLog {
  const log = pino(
    {level, base: null, serializers: {err: (error: unknown) => factsOf(error)}},
    {write: (line) => write(cleanLine(line, leaks))},
  )
  return {
    log,
    last: (error, message) => {
      const line = `${JSON.stringify({level: 60, time: Date.now(), err: factsOf(error), msg: message})}\n`
      try {
        writeSync(2, cleanLine(line, leaks))
      } catch {
        // Nobody reads it, and nobody else can be told.
      }
    },
  }
}

/** A secret may be spread over marks that make it JSON: those stay. */
function cleanLine(line: string, {clean, cleanAll}: Pick<Leaks, 'clean' | 'cleanAll'>): string {
  const cleaned = clean(line, MARK)
  if (cleaned === line) return line
  try {
    return `${JSON.stringify(cleanAll(JSON.parse(line) as unknown, MARK))}\n`
  } catch {
    return cleaned
  }
}
