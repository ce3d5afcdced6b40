import type {Dice} from '../../local/platform/agent/dice.ts'
import type {Pool} from './known-ids.ts'

/** What a request is made of: chance, and what the server gave out before. */
export interface Source {
  dice: Dice
  known: Pool
}

/** True so many times in a hundred. */
export const chance = (dice: Dice, percent: number): boolean => dice.int(1, 100) <= percent

const BROKEN = [
  '',
  '{',
  '{"a":}',
  'null',
  '[]',
  '1',
  '"text"',
  '\uFEFF{}',
  '{"__proto__":{"x":1}}',
  '['.repeat(5000),
  `${'['.repeat(1000)}${']'.repeat(1000)}`,
] as const

/** Those that take no field they do not know. */
const STRICT_FIELDS: Readonly<Record<string, string[]>> = {
  '/captains': ['requestId', 'projectId', 'name', 'brief', 'authorId', 'avatar', 'model'],
}

export function makeBody(source: Source, path: string): string {
  const {dice} = source
  if (chance(dice, 8)) return dice.pick(BROKEN)
  return JSON.stringify(makeFields(source, STRICT_FIELDS[path] ?? []))
}

/** All fields that any body has, or those of the list; some left out, and sometimes one of them wrong. */
function makeFields(source: Source, only: readonly string[]): Record<string, unknown> {
  const {dice} = source
  const all = Object.entries(makeValues(source)).filter(
    ([name]) => only.length === 0 || only.includes(name),
  )
  const kept = all.filter(([name]) => chance(dice, REQUIRED.has(name) ? 97 : 40))
  const fields: Record<string, unknown> = Object.fromEntries(kept)
  const wrong = all[dice.int(0, all.length - 1)]?.[0]
  if (wrong !== undefined && chance(dice, 30)) fields[wrong] = makeGarbage(dice)
  return fields
}

const REQUIRED = new Set(
  'requestId projectId message text name prompt repo prNumber body threadIds token authorId userId triggers'.split(
    ' ',
  ),
)

function makeValues({dice, known}: Source): Record<string, unknown> {
  const thread = known.pick(dice, 'thread') ?? 'thread_none'
  const words = dice.pick([
    'quick',
    'repair the cart',
    'long',
    'question',
    'fan out',
    'wait',
    'image',
  ])
  return {
    requestId: `fuzz-${dice.int(1, 2000)}`,
    projectId: dice.pick(['project_web', 'project_web', 'project_api', 'project_none']),
    message: words,
    text: words,
    delivery: dice.pick(['interrupt', 'queue', 'steer']),
    title: 'A title',
    model: {modelId: dice.pick(['standard', 'swift', 'own-subscription', 'none'])},
    machineSize: dice.pick(['small', 'ultra', 'none']),
    authorId: dice.pick(['user_jane', 'user_kim', 'user_alex', 'none']),
    userId: dice.pick(['user_jane', 'user_kim', 'user_alex', 'none']),
    name: 'Ada',
    brief: words,
    avatar: {kind: 'emoji', value: '🦊', background: 'blue'},
    threadIds: [thread, 'thread_none', 'thread_personal'],
    pinned: chance(dice, 50),
    repo: dice.pick(['acme/web', 'acme/api', 'acme/attic', 'none']),
    prNumber: dice.pick([7, 12, 12, 13, 14, 15, 99]),
    idempotencyKey: `review-${dice.int(1, 50)}`,
    forceRefresh: chance(dice, 20),
    sourceThreadId: thread,
    body: 'Round once.',
    scopes: [{repo: 'acme/web', paths: ['src/**']}],
    file: {repo: 'acme/web', path: 'RULES.md'},
    prompt: words,
    triggers: dice.pick<unknown>([
      [{type: 'incoming_webhook'}],
      [{type: 'schedule', cron: '*/5 * * * *', timezone: 'Europe/Berlin'}],
      [{type: 'schedule', cron: 'never', timezone: 'Nowhere'}],
      [],
    ]),
    enabled: chance(dice, 70),
    maxRunsPerDay: dice.int(1, 5),
    token: known.pick(dice, 'token') ?? 'a.b.c',
  }
}

function makeGarbage(dice: Dice): unknown {
  return dice.pick<unknown>([
    null,
    '',
    ' ',
    0,
    -1,
    1.5,
    2 ** 53,
    true,
    [],
    {},
    [[[]]],
    'x'.repeat(191),
    'x'.repeat(192),
    'x'.repeat(20_000),
    '\ud800',
    '\0',
    '__proto__',
    {toString: 1},
  ])
}
