import {parseArgs} from 'node:util'
import {startPlatform, type PlatformOptions} from './server.ts'

const USAGE = 'Usage: main.ts [--port 0] [--data file] [--pace 1]'

try {
  const platform = await startPlatform(readArguments(process.argv.slice(2)))
  const {baseUrl, originUrl, keys, projectIds, userIds} = platform
  const stop = (): void => {
    process.off('SIGTERM', stop).off('SIGINT', stop)
    void platform.close()
  }
  process.on('SIGTERM', stop).on('SIGINT', stop)
  console.log(JSON.stringify({ready: true, baseUrl, originUrl, keys, projectIds, userIds}))
} catch (error) {
  console.error(describe(error))
  process.exitCode = 1
}

function readArguments(args: string[]): PlatformOptions {
  const {values} = parseArgs({
    args,
    options: {port: {type: 'string'}, data: {type: 'string'}, pace: {type: 'string'}},
  })
  return {
    port: readNumber('--port', values.port, 0, 65_535),
    pace: readNumber('--pace', values.pace, 1, 1000),
    ...(values.data === undefined ? {} : {dataFile: values.data}),
  }
}

function readNumber(name: string, text: string | undefined, fallback: number, max: number): number {
  if (text === undefined) return fallback
  const value = Number(text)
  if (text.trim() === '' || !(value >= 0 && value <= max)) {
    throw new TypeError(`${name} must be a number from 0 to ${max}, but it is "${text}". ${USAGE}`)
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
