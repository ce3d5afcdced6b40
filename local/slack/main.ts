import {once} from 'node:events'
import {parseArgs} from 'node:util'
import {startLocalSlack} from './server.ts'

const {values} = parseArgs({
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
const stopped = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')])

// The page needs a bundler, so it is only loaded where somebody looks at it.
const page = values['no-page'] ? undefined : await (await import('./page/serve.ts')).openPage()
const eventsUrl = values['events-url']
const slack = await startLocalSlack({
  port: toNumber('port'),
  rateScale: toNumber('rate-scale'),
  timeFactor: toNumber('time-factor'),
  latencyMs: toNumber('latency-ms'),
  ...(values.data === undefined ? {} : {dataFile: values.data}),
  ...(eventsUrl === undefined ? {} : {delivery: {mode: 'http', eventsUrl}}),
  ...(page === undefined ? {} : {page}),
})
const {origin, apiUrl, botToken, appToken, signingSecret, teamId, botUserId} = slack
const ready = {origin, apiUrl, botToken, appToken, signingSecret, teamId, botUserId}
process.stdout.write(`${JSON.stringify({ready: true, ...ready})}\n`)

await stopped
await slack.close()
await page?.close()

function toNumber(name: 'port' | 'rate-scale' | 'time-factor' | 'latency-ms'): number {
  const value = Number(values[name])
  if (Number.isNaN(value) || value < 0) {
    throw new Error(`--${name} takes a number, not "${values[name]}".`)
  }
  return value
}
