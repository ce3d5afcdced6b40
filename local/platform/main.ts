import {parseArgs} from 'node:util'
import {definedOnly} from './defined-only.ts'
import {readSeed} from './seed/seed.ts'
import type {PlatformOptions} from './options.ts'
import {startPlatform} from './server.ts'
import type {Vocabulary} from './threads/vocabulary.ts'

const USAGE = `Usage: main.ts [--port 0] [--data file] [--seed file] [--pace 1] [--vocabulary guides|schema]
  [--max-streams 10000] [--rate requests-per-minute] [--heartbeat-ms 15000] [--ledger file]
  [--bot http://127.0.0.1:3000]`

try {
  const platform = await startPlatform(readArguments(process.argv.slice(2)))
  const {baseUrl, originUrl, controlUrl, keys, projectIds, userIds} = platform
  const stop = (): void => {
    process.off('SIGTERM', stop).off('SIGINT', stop)
    void platform.close()
  }
  process.on('SIGTERM', stop).on('SIGINT', stop)
  const ready = {ready: true, baseUrl, originUrl, controlUrl, keys, projectIds, userIds}
  console.log(JSON.stringify(ready))
} catch (error) {
  console.error(describe(error))
  process.exitCode = 1
}

function readArguments(args: string[]): PlatformOptions {
  const {values} = parseArgs({
    args,
    options: {
      port: {type: 'string'},
      data: {type: 'string'},
      seed: {type: 'string'},
      pace: {type: 'string'},
      vocabulary: {type: 'string'},
      'max-streams': {type: 'string'},
      rate: {type: 'string'},
      'heartbeat-ms': {type: 'string'},
      ledger: {type: 'string'},
      bot: {type: 'string'},
    },
  })
  const perMinute = readNumber('--rate', values.rate, 1_000_000)
  return definedOnly({
    port: readNumber('--port', values.port, 65_535),
    dataFile: values.data,
    seed: values.seed === undefined ? undefined : readSeed(values.seed),
    pace: readNumber('--pace', values.pace, 1000),
    vocabulary: readVocabulary(values.vocabulary),
    heartbeatMs: readNumber('--heartbeat-ms', values['heartbeat-ms'], 3_600_000),
    ledgerFile: values.ledger,
    bot: readOrigin(values.bot),
    maxStreams: readNumber('--max-streams', values['max-streams'], 1_000_000),
    rateLimit:
      perMinute === undefined
        ? undefined
        : {perMinute, burst: Math.max(1, Math.ceil(perMinute / 10))},
  })
}

function readNumber(name: string, text: string | undefined, max: number): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (text.trim() === '' || !(value >= 0 && value <= max)) {
    throw new TypeError(`${name} must be a number from 0 to ${max}, but it is "${text}". ${USAGE}`)
  }
  return value
}

function readOrigin(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const url = URL.parse(text)
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url.origin
  throw new TypeError(`--bot must be the address of a bot, but it is "${text}". ${USAGE}`)
}

function readVocabulary(text: string | undefined): Vocabulary | undefined {
  if (text === undefined || text === 'guides' || text === 'schema') return text
  throw new TypeError(`--vocabulary must be guides or schema, but it is "${text}". ${USAGE}`)
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if ('code' in error && error.code === 'EADDRINUSE') {
    return `The port is in use (${error.message}). Stop what listens there, or pass another --port.`
  }
  return error.message.replace(/\s+/g, ' ')
}
