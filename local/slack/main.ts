import {once} from 'node:events'
import {parseArgs} from 'node:util'
import type {LocalSlackOptions} from './options.ts'
import {startLocalSlack} from './server.ts'

const USAGE =
  'Usage: main.ts [--port 0] [--data file] [--events-url URL] [--rate-scale 1] [--time-factor 1] [--latency-ms 0] [--no-page]'

try {
  await main()
} catch (error) {
  console.error(describe(error))
  process.exitCode = 1
}

async function main(): Promise<void> {
  const {withPage, ...options} = readArguments(process.argv.slice(2))
  const stopped = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')])
  // The page needs a bundler, so it is only loaded where somebody looks at it.
  const page = withPage ? await (await import('./page/serve.ts')).openPage() : undefined
  try {
    await using slack = await startLocalSlack({...options, ...(page !== undefined && {page})})
    const {origin, apiUrl, botToken, appToken, signingSecret, teamId, botUserId} = slack
    const controlUrl = `${origin}/control`
    const ready = {origin, apiUrl, controlUrl, botToken, appToken, signingSecret, teamId, botUserId}
    process.stdout.write(`${JSON.stringify({ready: true, ...ready})}\n`)
    await stopped
  } finally {
    await page?.close()
  }
}

function readArguments(args: string[]): LocalSlackOptions & {withPage: boolean} {
  const {values} = parseArgs({
    args,
    options: {
      port: {type: 'string', default: '0'},
      data: {type: 'string'},
      'events-url': {type: 'string'},
      'rate-scale': {type: 'string', default: '1'},
      'time-factor': {type: 'string', default: '1'},
      'latency-ms': {type: 'string', default: '0'},
      'no-page': {type: 'boolean', default: false},
    },
  })
  const eventsUrl = values['events-url']
  return {
    port: readNumber('--port', values.port, 65_535),
    rateScale: readNumber('--rate-scale', values['rate-scale']),
    timeFactor: readNumber('--time-factor', values['time-factor']),
    latencyMs: readNumber('--latency-ms', values['latency-ms']),
    ...(values.data !== undefined && {dataFile: values.data}),
    ...(eventsUrl !== undefined && {delivery: {mode: 'http' as const, eventsUrl}}),
    withPage: !values['no-page'],
  }
}

function readNumber(name: string, text: string, max = Infinity): number {
  const value = Number(text)
  if (text.trim() === '' || !(value >= 0 && value <= max)) {
    const range = max === Infinity ? 'of at least 0' : `from 0 to ${max}`
    throw new TypeError(`${name} must be a number ${range}, but it is "${text}". ${USAGE}`)
  }
  return value
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if ('code' in error && error.code === 'EADDRINUSE') {
    return `The port is in use (${error.message}). Stop what listens there, or pass another --port.`
  }
  return error.message.replace(/\s+/g, ' ')
}
