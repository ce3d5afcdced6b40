/**
 * Mutants that no test can notice, with the reason: they do the same as the original. They are found by their text; one that the
 * file no longer has, or that a test notices after all, makes the bench fail.
 */
export interface Equivalent {
  readonly file: string
  /** The whole line on which it begins, without the space before it. */
  readonly at: string
  readonly original: string
  readonly mutated: string
  readonly why: string
}

export const EQUIVALENT: readonly Equivalent[] = [
  {
    file: 'src/once/look-twice.ts',
    at: 'export const UNANSWERED: Looks = {firstMs: 0, gapMs: 15_000}',
    original: '0',
    mutated: '0 - 1',
    why: 'no time and less than none are both no wait',
  },
  {
    file: 'src/security/known-secrets.ts',
    at: 'for (let index = 0; index < count; index += 1) {',
    original: '0',
    mutated: '0 - 1',
    why: 'in front of the text is no letter, which leaves the hash as it is',
  },
  {
    file: 'src/security/known-secrets.ts',
    at: 'hash = roll(hash, codes[index] ?? 0, index < WINDOW ? 0 : (codes[index - WINDOW] ?? 0))',
    original: '0',
    mutated: '0 - 1',
    why: 'the letter at an index within the text is always there; the compiler does not know that',
  },
  {
    file: 'src/security/known-secrets.ts',
    at: 'hash = roll(hash, codes[index] ?? 0, index < WINDOW ? 0 : (codes[index - WINDOW] ?? 0))',
    original: 'codes[index - WINDOW] ?? 0',
    mutated: 'codes[index - WINDOW]',
    why: 'the letter at an index within the text is always there; the compiler does not know that',
  },
  {
    file: 'src/security/known-secrets.ts',
    at: 'found.push({start: starts[match.start] ?? 0, end: ends[match.end - 1] ?? 0})',
    original: '0',
    mutated: '0 + 1',
    why: 'the letter at an index within the text is always there; the compiler does not know that',
  },
  {
    file: 'src/security/known-secrets.ts',
    at: 'if (text.length < MIN_PART || windows.size === 0) return []',
    original: '0',
    mutated: '0 + 1',
    why: 'whoever is known has more than one window: there are three forms in base64',
  },
  {
    file: 'src/security/known-secrets.ts',
    at: 'const STRIDE = MIN_PART - WINDOW + 1',
    original: '1',
    mutated: '1 - 1',
    why: 'windows that lie closer find the same, and cost more',
  },
  {
    file: 'src/security/known-secrets.ts',
    at: 'while (start > behind && front > 0 && codes[start - 1] === form.codes[front - 1]) {',
    original: 'front > 0',
    mutated: 'front >= 0',
    why: 'in front of a form is no letter that could be the same',
  },
  {
    file: 'src/security/known-secrets.ts',
    at: 'while (end < count && rear < form.codes.length && codes[end] === form.codes[rear]) {',
    original: 'end < count',
    mutated: 'end <= count',
    why: 'behind the last letter stands a 0, which no form holds',
  },
  {
    file: 'src/security/known-secrets.ts',
    at: 'while (end < count && rear < form.codes.length && codes[end] === form.codes[rear]) {',
    original: 'end < count && rear < form.codes.length',
    mutated: 'end < count || rear < form.codes.length',
    why: 'behind either end is no letter, which the other one has',
  },
  {
    file: 'src/security/known-secrets.ts',
    at: 'if (kindOf(codes[index] ?? 0) !== kindOf(codes[index - 1] ?? 0)) changes += 1',
    original: '0',
    mutated: '0 - 1',
    why: 'the letter at an index within the text is always there; the compiler does not know that',
  },
  {
    file: 'src/security/known-secrets.ts',
    at: 'if (code < 0x3a) return 0',
    original: 'code < 0x3a',
    mutated: 'code <= 0x3a',
    why: 'a colon is no letter and never comes here',
  },
  {
    file: 'src/security/known-secrets.ts',
    at: 'return code < 0x60 ? 1 : 2',
    original: '2',
    mutated: '2 + 1',
    why: 'kinds are compared with each other alone',
  },
  {
    file: 'src/security/leaks.ts',
    at: String.raw`if (/\d/.test(letter)) return 'digit'`,
    original: "'digit'",
    mutated: "''",
    why: 'kinds are compared with each other alone',
  },
  {
    file: 'src/security/leaks.ts',
    at: "return letter === letter.toLowerCase() ? 'small' : 'large'",
    original: 'letter === letter.toLowerCase()',
    mutated: 'letter !== letter.toLowerCase()',
    why: 'kinds are compared with each other alone',
  },
  {
    file: 'src/security/letters.ts',
    at: 'for (let index = 0; index < text.length; index += 1) {',
    original: '0',
    mutated: '0 - 1',
    why: 'in front of the text is no letter',
  },
  {
    file: 'src/security/letters.ts',
    at: 'while (index < text.length) {',
    original: 'index < text.length',
    mutated: 'index <= text.length',
    why: 'behind the text is no character, and none is kept of it',
  },
  {
    file: 'src/security/letters.ts',
    at: "if (character === '&') {",
    original: "character === '&'",
    mutated: 'true',
    why: 'the expression that is tried there begins with the same character',
  },
  {
    file: 'src/security/letters.ts',
    at: "const code = decimal === undefined ? parseInt(hex ?? '0', 16) : Number(decimal)",
    original: "hex ?? '0'",
    mutated: 'hex',
    why: 'without a number it has a name, and the number is not looked at',
  },
  {
    file: 'src/security/letters.ts',
    at: "const meant = name === 'amp' ? '&' : name === undefined && code < 0x10000 ? code : 0",
    original: '0',
    mutated: '0 - 1',
    why: 'a character that is none is no letter either',
  },
  {
    file: 'src/security/seal.ts',
    at: 'if (id === undefined || key === undefined) {',
    original: 'id === undefined || key === undefined',
    mutated: 'id === undefined && key === undefined',
    why: 'a first key has an id and a key, and without a first key there is neither',
  },
  {
    file: 'src/inbox/clock-check.ts',
    at: "const theirMs = Date.parse(date ?? '')",
    original: "date ?? ''",
    mutated: 'date',
    why: 'what is no text is no date either',
  },
  {
    file: 'src/inbox/clock-check.ts',
    at: 'const behindMs = ((await newestRowMs()) ?? 0) - now',
    original: '0',
    mutated: '0 - 1',
    why: 'as long ago, no row is ahead of the clock',
  },
  {
    file: 'src/inbox/clock-check.ts',
    at: 'const behindMs = ((await newestRowMs()) ?? 0) - now',
    original: '0',
    mutated: '0 + 1',
    why: 'as long ago, no row is ahead of the clock',
  },
  {
    file: 'src/inbox/clock-check.ts',
    at: 'const behindMs = ((await newestRowMs()) ?? 0) - now',
    original: '(await newestRowMs()) ?? 0',
    mutated: '(await newestRowMs())',
    why: 'what is no number is not greater than an hour',
  },
  {
    file: 'src/inbox/digest-dates.ts',
    at: 'for (let days = 0; ; days += 1) {',
    original: '0',
    mutated: '0 - 1',
    why: 'what was due yesterday is over by now',
  },
  {
    file: 'src/inbox/due-times.ts',
    at: 'for (let days = 0; ; days += 1) {',
    original: '0',
    mutated: '0 - 1',
    why: 'the morning of yesterday is over by now',
  },
  {
    file: 'src/inbox/worker.ts',
    at: 'const afterMs = error instanceof TryLater ? error.afterMs : 0',
    original: '0',
    mutated: '0 - 1',
    why: 'a quarter of a second is waited in any case',
  },
  {
    file: 'src/inbox/zones.ts',
    at: 'const before = shownMs - offsetMs(shownMs - 15 * HOUR_MS, zone)',
    original: '15',
    mutated: '15 + 1',
    why: 'an hour further from the change the clocks are the same',
  },
]
