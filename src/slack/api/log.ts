import {LogLevel, type Logger} from '@slack/bolt'
import {factsOf} from '../../security/error-facts.ts'

/** The part of the bot's logger that Slack's packages write to. */
interface Sink {
  info(message: string): void
  warn(message: string): void
  error(message: string): void
}

/** Slack's packages log whole frames, tokens and texts at debug level: that level stays off for them. */
export function createSlackLogger(log: Sink): Logger {
  const write =
    (level: 'info' | 'warn' | 'error') =>
    (...words: unknown[]): void => {
      log[level](words.map((word) => (word instanceof Error ? tell(word) : String(word))).join(' '))
    }
  return {
    debug: () => undefined,
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    getLevel: () => LogLevel.INFO,
    setLevel: () => undefined,
    setName: () => undefined,
  }
}

/** Its message may quote what was sent. */
function tell(error: Error): string {
  const {type, code, cause} = factsOf(error)
  return [type, code, cause?.code].filter((word) => word !== undefined).join(' ')
}
