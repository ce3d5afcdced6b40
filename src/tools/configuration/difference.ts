import type {Document, FileChannel, FileSettings} from './document.ts'

/** `+`: comes; `-`: goes; `~`: becomes something else. */
interface Change {
  sign: '+' | '-' | '~'
  /** The channel, or what stands for all of them. */
  where: string
  words: string
}

/** One thing that is there or not, with what is said of it. */
interface Thing {
  where: string
  name: string
  /** Told as one when it comes or goes. */
  isWhole: boolean
  fields: ReadonlyMap<string, string>
}

/** Longer ones are cut in what is told. */
const MAX_VALUE = 80

/** What of one document is otherwise in the other, in the order in which it stands there. */
export function differences(before: Document, after: Document): Change[] {
  const [old, fresh] = [thingsIn(before), thingsIn(after)]
  const gone = [...old].filter(([key]) => !fresh.has(key))
  return [
    ...gone.flatMap(([, thing]) => whole('-', thing)),
    ...[...fresh].flatMap(([key, thing]) => {
      const standing = old.get(key)
      return standing === undefined ? whole('+', thing) : changed(standing, thing)
    }),
  ]
}

export function lineOf({sign, where, words}: Change): string {
  return `${sign} ${where} ${words}`
}

function whole(sign: '+' | '-', {where, name, isWhole, fields}: Thing): Change[] {
  if (!isWhole) {
    return [...fields].map(([field, value]) => ({
      sign,
      where,
      words: `${name}${field}: ${cut(value)}`,
    }))
  }
  const all = [...fields].map(([field, value]) => `${field} ${cut(value)}`).join(', ')
  return [{sign, where, words: all === '' ? name : `${name}: ${all}`}]
}

function changed(before: Thing, {where, name, isWhole, fields}: Thing): Change[] {
  const label = isWhole ? `${name}, ` : name
  const names = new Set([...fields.keys(), ...before.fields.keys()])
  return [...names].flatMap((field): Change[] => {
    const [old, fresh] = [before.fields.get(field), fields.get(field)]
    if (old === fresh) return []
    if (fresh === undefined)
      return [{sign: '-', where, words: `${label}${field}: ${cut(old ?? '')}`}]
    if (old === undefined) return [{sign: '+', where, words: `${label}${field}: ${cut(fresh)}`}]
    return [{sign: '~', where, words: `${label}${field}: ${apart(old, fresh)}`}]
  })
}

function thingsIn({workspace, channels = {}, models = []}: Document): Map<string, Thing> {
  const things = [
    ...(workspace === undefined ? [] : [settingsThing('workspace', workspace)]),
    ...Object.entries(channels).flatMap(([id, channel]) => thingsOf(id, channel)),
    ...models.map(({connection, name, ...fields}) =>
      toThing('workspace', `model ${name} of ${connection}`, fields),
    ),
  ]
  return new Map(things.map((thing) => [`${thing.where} ${thing.name}`, thing]))
}

function thingsOf(where: string, channel: FileChannel): Thing[] {
  const {settings, digest, watches = [], rules = [], hooks = []} = channel
  const met = new Map<string, number>()
  const named = rules.map(({name, ...fields}) => {
    const nth = (met.get(name) ?? 0) + 1
    met.set(name, nth)
    const called = `rule ${JSON.stringify(name)}${nth === 1 ? '' : ` (${nth})`}`
    return {called, fields}
  })
  const order = {rules: named.map(({called}) => called).join(', ')}
  return [
    ...(settings === undefined ? [] : [settingsThing(where, settings)]),
    ...(digest === undefined ? [] : [toThing(where, 'digest', digest)]),
    ...watches.map(({project, connection}) =>
      toThing(where, `watch of ${typeof project === 'string' ? project : project.id}`, {
        connection,
      }),
    ),
    ...named.map(({called, fields}) => toThing(where, called, fields)),
    // Which is first decides of a message that several of them match.
    ...(named.length < 2 ? [] : [{...toThing(where, 'order of ', order), isWhole: false}]),
    ...hooks.map(({address, ...fields}) => toThing(where, `hook ${address}`, fields)),
  ]
}

function settingsThing(where: string, settings: FileSettings): Thing {
  return {...toThing(where, '', settings), isWhole: false}
}

function toThing(where: string, name: string, fields: Readonly<Record<string, unknown>>): Thing {
  const told = Object.entries(fields).filter(([, value]) => value !== undefined)
  return {where, name, isWhole: true, fields: new Map(told.map(([of, it]) => [of, wordOf(it)]))}
}

function wordOf(value: unknown): string {
  if (value === null) return 'none'
  return typeof value === 'string' && /^[\w./:@-]+$/.test(value) ? value : JSON.stringify(value)
}

function cut(value: string): string {
  return value.length <= MAX_VALUE
    ? value
    : `${value.slice(0, MAX_VALUE).toWellFormed()}… (${value.length} letters)`
}

/** Of two long texts with the same beginning what is told begins where they part. */
function apart(before: string, after: string): string {
  let from = 0
  while (before.length > MAX_VALUE && before[from] === after[from] && from < before.length)
    from += 1
  const start = Math.max(0, from - 20)
  const tail = (text: string): string => (start === 0 ? text : `…${text.slice(start)}`)
  return `${cut(tail(before))} → ${cut(tail(after))}`
}
