import {type Letters, readLetters} from './letters.ts'
import type {Secret} from './secret.ts'

/** Where a secret stands in a text, in UTF-16 units. */
interface Stretch {
  start: number
  end: number
}

/** Secrets that this process holds or has held, and where they stand in texts. */
export interface KnownSecrets {
  /**
   * From now on it is found, also when it is no longer valid: it may still be quoted. Of those that are `passing` only the
   * last {@link MAX_PASSING} are: tokens of sessions come and go, and so do those that were renewed.
   */
  learn: (secret: Secret, life?: 'kept' | 'passing') => void
  /** Another one has taken its place: if it is known it is passing from now on. */
  retire: (secret: Secret) => void
  /** From the front, not overlapping. Also of a part of a secret, if it is long enough to be no word. */
  find(text: string): Stretch[]
}

/** Shorter ones are words. */
const MIN_LENGTH = 12
/** Letters and digits of a part that is found. */
const MIN_PART = 10
/** What is looked up: every part of {@link MIN_PART} holds one whole window of each secret. */
const WINDOW = 8
const STRIDE = MIN_PART - WINDOW + 1
/** Words change from letters to digits, or from small to large ones, less often than this; what was drawn by lot more often. */
const MIN_CHANGES = 3
const MAX_PASSING = 1000
/** A window that stands in so many places tells no secret; whoever enters a key may enter one that repeats itself. */
const MOST_ALIKE = 64

/** What a secret begins with and everybody may see: its kind, and ids of Slack's; of a token of sessions how it is signed. */
const FRONT =
  /^(?:xox[a-z](?:\.xox[a-z])?-(?:\d+-)*|xapp-\d+-[A-Z0-9]+-\d+-|https?:\/\/[^/]*\/(?:[a-z]+\/)*|eyJ[\w-]*\.)/

/** A way to write a secret. */
interface Form {
  codes: Uint16Array
  /** Parts of what stands in front of it do not count. */
  from: number
  /** It looks like words: only the whole of it counts. */
  isWhole: boolean
  windows: number[]
}

/**
 * One pass over the text, whatever the number of secrets: a rolling hash of {@link WINDOW} letters is looked up among the
 * windows of all secrets, and only what is found there is compared. What looks like a match and is none costs no more
 * than a comparison with the few secrets that have the same window.
 */
export function createKnownSecrets(): KnownSecrets {
  const known = new Map<string, Form[]>()
  const windows = new Map<number, {form: Form; at: number}[]>()
  const passing = new Set<string>()

  const forget = (value: string): void => {
    for (const form of known.get(value) ?? []) {
      for (const hash of form.windows) {
        const left = (windows.get(hash) ?? []).filter((one) => one.form !== form)
        if (left.length === 0) windows.delete(hash)
        else windows.set(hash, left)
      }
    }
    known.delete(value)
  }

  const add = (value: string): void => {
    const forms = formsOf(value)
    for (const form of forms) {
      for (const {hash, at} of windowsOf(form)) {
        const alike = windows.get(hash) ?? []
        if (alike.length === MOST_ALIKE) continue
        form.windows.push(hash)
        windows.set(hash, [...alike, {form, at}])
      }
    }
    known.set(value, forms)
  }

  const letPass = (value: string): void => {
    passing.add(value)
    const [oldest] = passing
    if (oldest === undefined || passing.size <= MAX_PASSING) return
    passing.delete(oldest)
    forget(oldest)
  }

  const learn: KnownSecrets['learn'] = (secret, life = 'kept') => {
    const value = secret.reveal()
    if (value.length < MIN_LENGTH) return
    if (life === 'kept') passing.delete(value)
    if (known.has(value)) return
    add(value)
    if (life === 'passing') letPass(value)
  }

  const retire: KnownSecrets['retire'] = (secret) => {
    if (known.has(secret.reveal())) letPass(secret.reveal())
  }

  const findIn = (letters: Letters, found: Stretch[]): void => {
    const {codes, starts, ends, count} = letters
    const wholes = createWholes(codes, count)
    let hash = 0
    let behind = 0
    for (let index = 0; index < count; index += 1) {
      hash = roll(hash, codes[index] ?? 0, index < WINDOW ? 0 : (codes[index - WINDOW] ?? 0))
      if (index - WINDOW + 1 < behind) continue
      const candidates = windows.get(hash)
      if (candidates === undefined) continue
      const at = index - WINDOW + 1
      const match = longest(candidates, codes, at, {behind, count, wholes})
      if (match === undefined) continue
      found.push({start: starts[match.start] ?? 0, end: ends[match.end - 1] ?? 0})
      behind = match.end
    }
  }

  return {
    learn,
    retire,
    find: (text) => {
      if (text.length < MIN_PART || windows.size === 0) return []
      const found: Stretch[] = []
      for (const letters of readLetters(text)) findIn(letters, found)
      return merged(found)
    },
  }
}

/** Of letters in a text, by their count from the front. */
function longest(
  candidates: readonly {form: Form; at: number}[],
  codes: Uint16Array,
  index: number,
  {behind, count, wholes}: {behind: number; count: number; wholes: Wholes},
): Stretch | undefined {
  let best: Stretch | undefined
  for (const {form, at} of candidates) {
    if (form.isWhole && !wholes.isAt(form, index - at)) continue
    let [start, end] = [index, index]
    let front = at
    while (start > behind && front > 0 && codes[start - 1] === form.codes[front - 1]) {
      start -= 1
      front -= 1
    }
    let rear = at
    while (end < count && rear < form.codes.length && codes[end] === form.codes[rear]) {
      end += 1
      rear += 1
    }
    const isLonger = best === undefined || end - start > best.end - best.start
    if (isLonger && countsAsPart(form, front, rear)) best = {start, end}
  }
  return best
}

/** Where the whole of a form begins in a text. */
interface Wholes {
  isAt: (form: Form, start: number) => boolean
}

/**
 * Each is looked for once, and each letter read once (Knuth, Morris and Pratt): compared anew at each place, one that
 * repeats itself would take as long as text and secret multiplied.
 */
function createWholes(codes: Uint16Array, count: number): Wholes {
  const known = new Map<Form, ReadonlySet<number>>()
  return {
    isAt: (form, start) => {
      const starts = known.get(form) ?? startsOf(form.codes, codes.subarray(0, count))
      known.set(form, starts)
      return starts.has(start)
    },
  }
}

function startsOf(wanted: Uint16Array, text: Uint16Array): ReadonlySet<number> {
  /** Of each beginning, how much of its end it begins with once more. */
  const back = new Uint32Array(wanted.length)
  const next = (matched: number, code: number | undefined): number => {
    let left = matched
    while (left > 0 && wanted[left] !== code) left = back[left - 1] ?? 0
    return wanted[left] === code ? left + 1 : left
  }
  for (let at = 1; at < wanted.length; at += 1) back[at] = next(back[at - 1] ?? 0, wanted[at])
  const starts = new Set<number>()
  let matched = 0
  for (let at = 0; at < text.length; at += 1) {
    matched = next(matched, text[at])
    if (matched === wanted.length) starts.add(at + 1 - matched)
  }
  return starts
}

function countsAsPart(form: Form, front: number, rear: number): boolean {
  if (front === 0 && rear === form.codes.length) return true
  const from = Math.max(front, form.from)
  if (form.isWhole || rear - from < MIN_PART) return false
  return changesIn(form.codes, from, rear) >= MIN_CHANGES
}

function merged(found: Stretch[]): Stretch[] {
  const all: Stretch[] = []
  for (const {start, end} of found.toSorted((one, other) => one.start - other.start)) {
    const last = all.at(-1)
    if (last === undefined || start >= last.end) all.push({start, end})
    else last.end = Math.max(last.end, end)
  }
  return all
}

/** As it stands, and in base64, wherever it begins in a text that is encoded as a whole. */
function formsOf(value: string): Form[] {
  const front = FRONT.exec(value)?.[0] ?? ''
  const core = value.length - front.length < MIN_LENGTH ? value : value.slice(front.length)
  const inBase64 = [0, 1, 2].map((shift) => {
    const encoded = Buffer.from(' '.repeat(shift) + core).toString('base64')
    // What the neighbours have a share in.
    return encoded.slice(shift === 0 ? 0 : 4, -4)
  })
  return [
    toForm(value, lettersIn(value).length - lettersIn(core).length),
    ...inBase64.map((text) => toForm(text, 0)),
  ].filter(({codes}) => codes.length >= MIN_PART)
}

function toForm(text: string, from: number): Form {
  const codes = lettersIn(text)
  return {codes, from, isWhole: changesIn(codes, from, codes.length) < MIN_CHANGES, windows: []}
}

function lettersIn(text: string): Uint16Array {
  const [letters] = readLetters(text)
  return letters === undefined ? new Uint16Array() : letters.codes.slice(0, letters.count)
}

/** Where a form is looked for. A window of one kind of letter alone may be a word that many have in common. */
function windowsOf(form: Form): {hash: number; at: number}[] {
  const {codes, isWhole, from} = form
  const last = codes.length - WINDOW
  if (isWhole) return [{hash: hashAt(codes, last), at: last}]
  const found: {hash: number; at: number}[] = []
  for (let at = from; at <= last; at += STRIDE) {
    if (changesIn(codes, at, at + WINDOW) > 0) found.push({hash: hashAt(codes, at), at})
  }
  return found
}

const BASE = 0x01000193
const LEAVING = Array.from({length: WINDOW}).reduce<number>((power) => Math.imul(power, BASE), 1)

function roll(hash: number, entering: number, leaving: number): number {
  return (Math.imul(hash, BASE) + entering - Math.imul(leaving, LEAVING)) | 0
}

function hashAt(codes: Uint16Array, at: number): number {
  return codes.subarray(at, at + WINDOW).reduce((hash, code) => roll(hash, code, 0), 0)
}

function changesIn(codes: Uint16Array, from: number, to: number): number {
  let changes = 0
  for (let index = from + 1; index < to; index += 1) {
    if (kindOf(codes[index] ?? 0) !== kindOf(codes[index - 1] ?? 0)) changes += 1
  }
  return changes
}

/** Of ASCII: a digit, a large letter, a small one. */
function kindOf(code: number): 0 | 1 | 2 {
  if (code < 0x3a) return 0
  return code < 0x60 ? 1 : 2
}
