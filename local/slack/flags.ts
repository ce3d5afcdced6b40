import {readFile} from 'node:fs/promises'
import {parseArgs} from 'node:util'
import type {AgentOptions} from './agents/agent-threads.ts'
import {readManifest} from './apps/manifest.ts'
import type {AppOptions, LocalSlackOptions} from './options.ts'

const USAGE =
  'Usage: main.ts [--port 0] [--data file] [--events-url URL] [--manifest file] [--scopes a,b] ' +
  '[--agent agent_view|assistant_view] [--no-home] [--redirect-url URL]… [--token-rotation] ' +
  '[--team T0BETA=Beta]… [--app A0OTHER=Other]… [--rate-scale 1] [--live-burst 10] [--retry-after 1] ' +
  '[--status-per-channel] [--time-factor 1] [--latency-ms 0] [--jitter-ms 0] [--no-page]'

type Flags = ReturnType<typeof parseFlags>

/** The options that the command line asks for; what it says itself wins over the manifest. */
export async function readFlags(args: string[]): Promise<LocalSlackOptions & {withPage: boolean}> {
  const flags = parseFlags(args)
  const declared = flags.manifest === undefined ? {} : await openManifest(flags.manifest)
  return {
    ...declared,
    ...readDeclared(flags),
    port: readNumber('--port', flags.port, 65_535),
    rateScale: readScale('--rate-scale', flags['rate-scale']),
    timeFactor: readNumber('--time-factor', flags['time-factor']),
    latencyMs: readNumber('--latency-ms', flags['latency-ms']),
    jitterMs: readNumber('--jitter-ms', flags['jitter-ms']),
    statusPerChannel: flags['status-per-channel'],
    teams: flags.team.map((given) => readNamed('--team', given, 'T0BETA=Beta')),
    apps: flags.app.map((given) => ({
      ...readNamed('--app', given, 'A0OTHER=Other'),
      redirectUrls: flags['redirect-url'],
    })),
    ...(flags.data !== undefined && {dataFile: flags.data}),
    ...(flags['live-burst'] !== undefined && {
      liveBurst: readScale('--live-burst', flags['live-burst']),
    }),
    ...(flags['retry-after'] !== undefined && {
      leastRetryAfterSeconds: readScale('--retry-after', flags['retry-after']),
    }),
    withPage: !flags['no-page'],
  }
}

function parseFlags(args: string[]) {
  try {
    const {values} = parseArgs({
      args,
      options: {
        port: {type: 'string', default: '0'},
        data: {type: 'string'},
        'events-url': {type: 'string'},
        manifest: {type: 'string'},
        scopes: {type: 'string'},
        agent: {type: 'string'},
        'no-home': {type: 'boolean', default: false},
        'redirect-url': {type: 'string', multiple: true, default: []},
        'token-rotation': {type: 'boolean', default: false},
        team: {type: 'string', multiple: true, default: []},
        app: {type: 'string', multiple: true, default: []},
        'rate-scale': {type: 'string', default: '1'},
        'live-burst': {type: 'string'},
        'retry-after': {type: 'string'},
        'time-factor': {type: 'string', default: '1'},
        'latency-ms': {type: 'string', default: '0'},
        'jitter-ms': {type: 'string', default: '0'},
        'status-per-channel': {type: 'boolean', default: false},
        'no-page': {type: 'boolean', default: false},
      },
    })
    return values
  } catch (cause) {
    const complaint = cause instanceof Error ? cause.message : String(cause)
    throw new TypeError(`${complaint}. ${USAGE}`, {cause})
  }
}

function readDeclared(flags: Flags): AppOptions {
  const {scopes, agent} = flags
  const eventsUrl = flags['events-url']
  const redirectUrls = flags['redirect-url']
  for (const url of redirectUrls) requireUrl('--redirect-url', url)
  if (eventsUrl !== undefined) requireUrl('--events-url', eventsUrl)
  return {
    ...(scopes !== undefined && {scopes: scopes.split(',').map((scope) => scope.trim())}),
    ...(agent !== undefined && {agent: readAgent(agent)}),
    ...(flags['no-home'] && {homeTab: false}),
    ...(redirectUrls.length > 0 && {redirectUrls}),
    ...(flags['token-rotation'] && {tokenRotation: true}),
    ...(eventsUrl !== undefined && {delivery: {mode: 'http' as const, eventsUrl}}),
  }
}

function readAgent(view: string): AgentOptions {
  if (view === 'agent_view' || view === 'assistant_view') return {view, stopEvent: 'subscribed'}
  throw new TypeError(`--agent must be agent_view or assistant_view, but it is "${view}". ${USAGE}`)
}

/** JSON is YAML too; the parser is loaded for those who have a manifest. */
async function openManifest(file: string): Promise<AppOptions & {name: string}> {
  const {parse} = await import('yaml')
  const source = await readFile(file, 'utf8').catch((cause: unknown): never => {
    throw new Error(`--manifest: ${file} cannot be read. Pass the path of a manifest.`, {cause})
  })
  return readManifest(parseWith(parse, source, file))
}

function parseWith(parse: (source: string) => unknown, source: string, file: string): unknown {
  try {
    return parse(source)
  } catch (cause) {
    throw new Error(`--manifest: ${file} is neither YAML nor JSON: ${String(cause)}`, {cause})
  }
}

function readNamed(flag: string, given: string, example: string): {id: string; name: string} {
  const [id = '', ...name] = given.split('=')
  const isId = id.startsWith(example.charAt(0)) && /^[A-Z0-9]{2,}$/.test(id)
  if (isId && name.join('=') !== '') return {id, name: name.join('=')}
  throw new TypeError(`${flag} must look like ${example}, but it is "${given}". ${USAGE}`)
}

function requireUrl(flag: string, text: string): void {
  if (!URL.canParse(text))
    throw new TypeError(`${flag} must be a URL, but it is "${text}". ${USAGE}`)
}

function readScale(name: string, text: string): number {
  const value = readNumber(name, text)
  if (value > 0) return value
  throw new TypeError(
    `${name} must be above 0, but it is "${text}": Infinity takes limits away. ${USAGE}`,
  )
}

function readNumber(name: string, text: string, max = Infinity): number {
  const value = Number(text)
  if (text.trim() === '' || !(value >= 0 && value <= max)) {
    const range = max === Infinity ? 'of at least 0' : `from 0 to ${max}`
    throw new TypeError(`${name} must be a number ${range}, but it is "${text}". ${USAGE}`)
  }
  return value
}
