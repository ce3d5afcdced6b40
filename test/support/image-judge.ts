import {once} from 'node:events'
import {readFileSync, readdirSync} from 'node:fs'
import {createServer} from 'node:net'
import {join} from 'node:path'
import {startPlatform} from '../../local/platform/server.ts'
import {readManifest} from '../../local/slack/apps/manifest.ts'
import {startLocalSlack} from '../../local/slack/server.ts'
import {parse} from 'yaml'
import {type Confinement, type Image, endOf, runInImage} from './image.ts'
import {until} from './until.ts'

/** Without Node itself and the system below, which are the base image's. */
const MAX_MB = 100
/** Whatever else stands at the top does not belong there. */
const TOP = ['compiled', 'migrations', 'node_modules', 'package.json', 'src']
/** Packages that only tests and checks need. */
const NEVER = [
  'vitest',
  'typescript',
  'oxlint',
  'prettier',
  'playwright-core',
  'react',
  'fast-check',
  'node',
  'vite',
]

/** What stands in the tree that must not, and how large it may be. */
export function judgeTree(files: readonly {path: string; bytes: number}[]): string[] {
  const tops = new Set(files.map(({path}) => path.split('/', 1)[0] ?? ''))
  const strange = [...tops].filter((top) => !TOP.includes(top))
  const missing = TOP.filter((top) => !tops.has(top))
  const ours = files.filter(({path}) => !path.startsWith('node_modules/'))
  const hidden = ours.filter(({path}) => /(?:^|\/)\.|\.(?:test|db|pem|key)(?:\.|$)/.test(path))
  const packages = new Set(files.map(({path}) => /^node_modules\/([^@/][^/]*)\//.exec(path)?.[1]))
  const megabytes = files.reduce((sum, {bytes}) => sum + bytes, 0) / 1e6
  return [
    ...strange.map((top) => `${top} is in the image`),
    ...missing.map((top) => `${top} is missing in the image`),
    ...hidden.map(({path}) => `${path} is in the image`),
    ...NEVER.filter((name) => packages.has(name)).map(
      (name) => `the package ${name} is in the image`,
    ),
    ...(megabytes > MAX_MB ? [`it has ${megabytes.toFixed(1)} MB, and may have ${MAX_MB}`] : []),
  ]
}

/** Starts the bot of the image, looks how it is, has one of its tools run beside it, and stops it. */
export async function liveInImage(
  image: Image,
  confinement: Confinement,
): Promise<{readyMs: number; residentMb: number; wrong: string[]}> {
  const manifest = readManifest(
    parse(readFileSync(join(import.meta.dirname, '..', '..', 'manifest.yml'), 'utf8')),
  )
  await using opened = new AsyncDisposableStack()
  const slack = await startLocalSlack({port: 0, rateScale: 1000, ...manifest})
  opened.defer(() => slack.close())
  const platform = await startPlatform({port: 0, dataFile: ':memory:'})
  opened.defer(() => platform.close())
  const settings = {
    PLATFORM_BASE_URL: `${platform.originUrl}/api/v1`,
    PLATFORM_API_KEY: platform.keys.human,
    SLACK_API_URL: slack.apiUrl,
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    PORT: String(await freePort()),
  }
  const run = (command: readonly string[]) => runInImage(image, command, {settings, confinement})
  const isWell = async (): Promise<boolean> => (await endOf(run(image.recipe.health))).code === 0
  const wrong: string[] = []
  if (await isWell()) wrong.push('the health command says well though nothing runs')
  const startMs = performance.now()
  const bot = runInImage(image, image.recipe.command, {
    // Node says of each file whether it found it compiled.
    settings: {...settings, NODE_DEBUG_NATIVE: 'COMPILE_CACHE'},
    confinement,
  })
  const ended = endOf(bot)
  await until('the image’s bot is well', isWell, {withinMs: 60_000, tell: () => ''})
  const readyMs = performance.now() - startMs
  const residentMb = residentOf(bot.pid ?? 0)
  const {uid} = whoRuns(bot.pid ?? 0)
  if (uid === 0) wrong.push('it runs as root')
  const tool = await endOf(
    run(['node', 'src/tools/config.ts', 'export', '--workspace', slack.teamId]),
  )
  if (tool.said !== `team: ${slack.teamId}\n`) wrong.push(`a tool beside it says: ${tool.said}`)
  const elsewhere = await endOf(run(['sh', '-c', 'touch /app/x || touch /app/src/x || touch x']))
  if (elsewhere.code === 0) wrong.push('its code can be written to')
  bot.kill('SIGTERM')
  const {code, said} = await ended
  if (code !== 0) wrong.push(`it ended with ${code}: ${said.slice(-500)}`)
  if (/EROFS|EACCES/.test(said)) wrong.push('it wanted to write where it may not')
  if (confinement === image.compiledIn) wrong.push(...compiledAtStart(said))
  const left = readdirSync(join(image.root, image.recipe.volume))
  if (!left.includes('bosun.db')) wrong.push('its database is not in the volume')
  return {readyMs, residentMb, wrong}
}

/** `said`: what Node says of its cache, too. */
function compiledAtStart(said: string): string[] {
  const looks = [...said.matchAll(/for StrippedTypeScript \S*\/src\/(\S+)\.\.\. ?(.*)/g)]
  if (looks.length === 0) return ['nothing says what is compiled already']
  return looks
    .filter(([, , how = '']) => how.includes('no such file'))
    .map(([, file]) => `a start compiles ${file}`)
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

function statusOf(pid: number, name: string): string {
  const line = new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(
    readFileSync(`/proc/${pid}/status`, 'utf8'),
  )
  return line?.[1] ?? ''
}

function residentOf(pid: number): number {
  return Math.round(Number(statusOf(pid, 'VmRSS')) / 1024)
}

function whoRuns(pid: number): {uid: number} {
  return {uid: Number(statusOf(pid, 'Uid'))}
}
