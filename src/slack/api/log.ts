import {LogLevel, type Logger} from '@slack/bolt'

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
      log[level](
        words.map((word) => (word instanceof Error ? word.message : String(word))).join(' '),
      )
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
