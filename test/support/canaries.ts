import {readFileSync, readdirSync} from 'node:fs'
import {join, relative} from 'node:path'
import type {Ledger} from '../../local/slack/edge/ledger.ts'

/** By its name: what must stand nowhere in clear. */
export type Canaries = Readonly<Record<string, string>>

/** A text or some bytes, and where they were found. */
export interface Find {
  where: string
  bytes: Buffer | string
}

/** Settings that are secrets; all sealing keys are one setting. */
const SECRET_SETTINGS = [
  ...['PLATFORM_API_KEY', 'SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN', 'SLACK_SIGNING_SECRET'],
  ...['SLACK_CLIENT_SECRET', 'SLACK_STATE_SECRET', 'BOSUN_KEYS'],
]

/** The part of a secret that nobody could guess: prefixes and ids of workspaces may be seen. */
const CORE_CHARS = 24

/** All secrets that a bot with these settings was given. */
export function canariesOf(settings: Readonly<Record<string, string>>): Canaries {
  const given = SECRET_SETTINGS.flatMap((name) => {
    const value = settings[name]
    // An empty one is none.
    if (value === undefined || value === '') return []
    if (name !== 'BOSUN_KEYS') return [[name, value] as const]
    return value
      .split(',')
      .map((part) => [`BOSUN_KEYS ${part.split(':')[0]}`, keyOf(part)] as const)
  })
  return Object.fromEntries(given)
}

function keyOf(part: string): string {
  return part.slice(part.indexOf(':') + 1)
}

/** One line for each secret that stands in one of the places, in whichever form. */
export function findCanaries(canaries: Canaries, places: Iterable<Find>): string[] {
  const needles = Object.entries(canaries).flatMap(([name, value]) =>
    [...formsOf(value)].map(([form, bytes]) => ({name, form, bytes})),
  )
  const found: string[] = []
  for (const {where, bytes} of places) {
    const hay = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes)
    for (const {name, form, bytes: needle} of needles) {
      if (hay.includes(needle)) found.push(`${name} stands in ${where} (${form})`)
    }
  }
  return found
}

/** How a secret may look that somebody wrote down with care, or cut in two. */
function formsOf(value: string): Map<string, Buffer> {
  const core = value.slice(-CORE_CHARS)
  const half = Math.floor(core.length / 2)
  const forms = new Map<string, Buffer>([
    ['first half', Buffer.from(core.slice(0, half))],
    ['second half', Buffer.from(core.slice(half))],
    ['hex', Buffer.from(Buffer.from(core).toString('hex'))],
    ['UTF-16', Buffer.from(core, 'utf16le')],
    ['URL encoded', Buffer.from(encodeURIComponent(core))],
    ['JSON in JSON', Buffer.from(JSON.stringify(JSON.stringify(core)).slice(3, -3))],
    ['reversed', Buffer.from(core.split('').reverse().join(''))],
  ])
  for (const shift of [0, 1, 2]) {
    // Base64 of a text that holds it, wherever it begins; the edges depend on the neighbours.
    const text = Buffer.from(' '.repeat(shift) + core).toString('base64')
    const inside = text.slice(shift === 0 ? 0 : 4, -4)
    forms.set(`base64 ${shift}`, Buffer.from(inside))
    forms.set(`base64url ${shift}`, Buffer.from(inside.replaceAll('+', '-').replaceAll('/', '_')))
  }
  const raw = Buffer.from(value, 'base64')
  // A sealing key is bytes; as long as one, other secrets are no base64.
  if (raw.length === 32) forms.set('bytes', raw.subarray(0, 16))
  return forms
}

/** Every file of a folder, those below it included; what links lead to stands elsewhere, or is met by itself. */
export function filesIn(folder: string, isMeant: (name: string) => boolean): Find[] {
  const entries = readdirSync(folder, {recursive: true, withFileTypes: true})
  return entries
    .filter((entry) => entry.isFile())
    .map(({parentPath, name}) => relative(folder, join(parentPath, name)))
    .filter(isMeant)
    .map((where) => ({where, bytes: readFileSync(join(folder, where))}))
}

/** What everybody on the machine can see of a process. */
export function argumentsOf(pid: number | undefined): Find[] {
  if (pid === undefined || process.platform !== 'linux') return []
  return [{where: 'process arguments', bytes: readFileSync(`/proc/${pid}/cmdline`)}]
}

/** They know the keys that they give out. */
const STAND_INS = /(?:^|\/)(?:slack|platform)\.db/

/** Of a hook, and of the webhook address of an automation. */
const MADE = /sk_hook_[\w-]{20,}|(?<=\/webhooks\/automations\/)[\w-]{20,}/g

interface Said {
  ephemeralTo?: string
  ts: string
}

/** The part of a world that tells of it. */
interface Traced {
  folder: string
  bot: {pid(): number | undefined}
  slack: {
    ledger: Pick<Ledger, 'calls' | 'deliveries'>
    /** What only one person saw, however it came to them. */
    whispers: () => readonly Said[]
  }
  requests(): unknown[]
}

/** Secrets that were made, given, or renewed while the world went on. */
export function canariesMet({slack: {ledger, whispers}}: Pick<Traced, 'slack'>): Canaries {
  const given = JSON.stringify([ledger.deliveries.map(({payload}) => payload), whispers()])
  const made = [...new Set(given.match(MADE))].map((value, index) => [`made ${index}`, value])
  const tokens = ledger.calls.flatMap(({answer}) =>
    ['access_token', 'refresh_token'].flatMap((name) =>
      typeof answer[name] === 'string' ? [answer[name]] : [],
    ),
  )
  const renewed = [...new Set(tokens)].map((value, index) => [`token ${index}`, value])
  return Object.fromEntries([...made, ...renewed]) as Canaries
}

/** All that the bot left behind: its files, and what it said to others. */
export function tracesOf(world: Traced): Find[] {
  const {folder, bot, slack} = world
  return [
    ...filesIn(folder, (name) => !STAND_INS.test(name)),
    ...argumentsOf(bot.pid()),
    {where: 'what Slack heard', bytes: heardBy(slack)},
    {where: 'what the platform heard', bytes: JSON.stringify(world.requests())},
  ]
}

/** With a secret that was made cut out of the one message that shows it, to one person. */
function heardBy({ledger, whispers}: Traced['slack']): string {
  const shownIn = new Map<string, string>()
  const cut = (said: unknown, ts: string): string =>
    JSON.stringify(said).replace(MADE, (secret) => {
      if (!shownIn.has(secret)) shownIn.set(secret, ts)
      return shownIn.get(secret) === ts ? '…' : secret
    })
  const calls = ledger.calls.map(({method, args, answer}) => {
    const {message_ts: ts} = answer
    return method === 'chat.postEphemeral' && typeof ts === 'string'
      ? cut(args, ts)
      : JSON.stringify(args)
  })
  const shown = whispers().map((message) => cut(message, message.ts))
  const responses = ledger.deliveries.map(({response}) => JSON.stringify({response}))
  return [...calls, ...shown, ...responses].join('\n')
}
