import type {Dice} from '../../../local/platform/agent/dice.ts'

/** A request as it goes over the wire, before it is signed. */
export interface Wire {
  type: string
  body: Buffer<ArrayBuffer>
}

interface Mutations {
  /** The body after one to four changes, as Slack would send it. */
  mutate(body: Record<string, unknown>): Wire
  /** As Slack would send it. */
  plain(body: Record<string, unknown>): Wire
  /** What is no payload at all. */
  noise(): Wire
}

interface MutationOptions {
  dice: Dice
  /** Ids of all kinds that mean something to the bot: of this place and of others. */
  ids: () => readonly string[]
  /** Channels that a payload may not be moved to: it would be done there then. */
  channels: ReadonlySet<string>
  /** Names of everything that can be done. */
  names: readonly string[]
}

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'

type Node = Record<string, unknown> | unknown[]
/** One value in a body: where it hangs, and under which name. */
interface Spot {
  parent: Node
  name: string
  path: string
}

/** Where a body says in which channel it was done. */
const PLACE =
  /^(channel\.id|channel_id|event\.channel|event\.item\.channel|view\.private_metadata)$/

/** Changes bodies by the dice alone. */
export function createMutations({dice, ids, channels, names}: MutationOptions): Mutations {
  const pick = <Item>(items: readonly Item[]): Item => {
    const found = items[dice.int(0, items.length - 1)]
    if (found === undefined) throw new Error('Nothing to pick from')
    return found
  }

  const strangeText = (): string =>
    pick([
      '',
      ' ',
      'x'.repeat(dice.int(1000, 100_000)),
      '\u{d800}',
      'a\u{dc00}b',
      '\u0000',
      '\u202e\u2066',
      '__proto__',
      'constructor',
      '../../../etc/passwd',
      "' or 1=1 --",
      '<!channel> <@U0JANE>',
      '💥'.repeat(5000),
      '1e999',
      'null',
      `${pick(ids())}.0.${pick(ids())}`,
      `bosun:stop ${pick(ids())}.0`,
      '{"channel":{"__proto__":null}}',
      'https://127.0.0.1:1/',
    ])

  const strangeValue = (): unknown =>
    pick<() => unknown>([
      () => null,
      () => [],
      () => ({}),
      () => dice.int(-1, 2 ** 31),
      () => -0.5,
      () => 1e308,
      () => true,
      () => strangeText(),
      () => [strangeText()],
      () => nested(dice.int(10, 400)),
      () => ({id: pick(ids())}),
      () => ({toString: 1, valueOf: null, length: -1}),
      () => polluted(),
    ])()

  const change = (body: Record<string, unknown>): void => {
    const spots = spotsIn(body)
    const spot = pick(spots)
    const before = read(spot)
    const isPlace = PLACE.test(spot.path)
    const act = pick(['swap', 'swap', 'swap', 'drop', 'strange', 'strange', 'rename', 'number'])
    if (act === 'swap') swap(spots)
    else if (act === 'drop') remove(spot)
    else if (act === 'number' && typeof before === 'string') write(spot, Number(before))
    else if (act === 'rename' && !isPlace) {
      remove(spot)
      write({...spot, name: pick(['__proto__', 'constructor', `${spot.name} `, 'id'])}, before)
    } else write(spot, isPlace ? strangePlace() : strangeValue())
  }

  const strangePlace = (): unknown => pick([null, '', 7, [], {}, 'C0NOWHERE', '\u{d800}'])

  /** An id for another one, or the name of an act for another one. */
  const swap = (spots: readonly Spot[]): void => {
    const known = new Set(ids())
    const candidates = spots.filter((spot) => {
      const value = read(spot)
      if (typeof value !== 'string' || PLACE.test(spot.path)) return false
      return known.has(value) || /^bosun:|\.\d$|\d{6}$/.test(value) || spot.name === 'value'
    })
    if (candidates.length === 0) return
    const spot = pick(candidates)
    const value = String(read(spot))
    if (value.startsWith('bosun:')) write(spot, pick(names))
    else {
      const id = pick(ids().filter((one) => !channels.has(one)))
      write(spot, pick([id, `${id}.0`, value.replace(/^[^.]*/, () => id)]))
    }
  }

  return {
    plain: toWire,
    mutate: (body) => {
      const copy = structuredClone(body)
      for (let left = dice.int(1, 4); left > 0; left -= 1) change(copy)
      return toWire(copy)
    },
    noise: () => {
      const text = pick([
        ...['', 'null', '[]', '0', '"x"', '{', '{}', '[[[', 'payload=', 'payload=null'],
        ...['payload=%7B', 'payload={}&payload={}', 'a=b', '{"type":"event_callback"}'],
        ...['{"type":"url_verification"}', '{"ssl_check":"1"}', 'ssl_check=1', 'true'],
        ...['{"__proto__":{"type":"event_callback"}}', '['.repeat(20_000), '%00=%ff'],
        `{"a":${'['.repeat(3000)}${']'.repeat(3000)}}`,
        `payload=${encodeURIComponent('{"type":"block_actions","actions":null}')}`,
      ])
      const bytes = dice.int(0, 9) === 0 ? Buffer.from([0xff, 0xfe, 0x00, 0xc0]) : Buffer.from(text)
      return {type: pick([JSON_TYPE, FORM_TYPE, 'text/plain', 'multipart/form-data']), body: bytes}
    },
  }
}

/** Events come as JSON, interactions in a field of a form, commands as a form. */
function toWire(body: Record<string, unknown>): Wire {
  if ('event' in body || 'event_id' in body) {
    return {type: JSON_TYPE, body: Buffer.from(JSON.stringify(body))}
  }
  const fields =
    'command' in body
      ? Object.entries(body).map(([name, value]): [string, string] => [name, toField(value)])
      : [['payload', JSON.stringify(body)] as [string, string]]
  return {type: FORM_TYPE, body: Buffer.from(new URLSearchParams(fields).toString())}
}

function toField(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function spotsIn(node: Node, path = ''): Spot[] {
  return Object.entries(node).flatMap(([name, value]: [string, unknown]) => {
    const here = path === '' ? name : `${path}.${name}`
    const spot: Spot = {parent: node, name, path: here}
    return isNode(value) ? [spot, ...spotsIn(value, here)] : [spot]
  })
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null
}

function read({parent, name}: Spot): unknown {
  return Object.getOwnPropertyDescriptor(parent, name)?.value
}

/** As JSON would: also a field of the name `__proto__` is a field. */
function write({parent, name}: Spot, value: unknown): void {
  const field = {value, enumerable: true, configurable: true, writable: true}
  if (!Array.isArray(parent) || /^\d+$/.test(name)) Object.defineProperty(parent, name, field)
}

function remove({parent, name}: Spot): void {
  if (Array.isArray(parent)) parent.splice(Number(name), 1)
  else Reflect.deleteProperty(parent, name)
}

function nested(depth: number): unknown {
  let value: unknown = 'x'
  for (let left = depth; left > 0; left -= 1) value = left % 2 === 0 ? [value] : {value}
  return value
}

function polluted(): unknown {
  return JSON.parse('{"__proto__":{"isAdmin":true,"id":"U0JANE"},"constructor":{"prototype":{}}}')
}
