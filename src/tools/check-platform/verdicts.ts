import {isRecord} from '../../security/foreign-json.ts'
import {REFUSALS, type RefusalTag, refusalBody} from '../../platform/contract/refusals.ts'
import type {Answer} from './asking.ts'

/** A rule does not hold: what it expects, and what was seen instead. */
export class Broken extends Error {
  override name = 'Broken' as const
  readonly expected: string
  readonly seen: string

  constructor(expected: string, seen: string) {
    super(`${expected}; seen: ${seen}`)
    this.expected = expected
    this.seen = seen
  }
}

/** A rule could not be tried, and why. */
export class Untried extends Error {
  override name = 'Untried' as const
}

/** @throws {Broken} unless it holds. */
export function expect(expected: string, holds: boolean, seen: unknown): asserts holds {
  if (!holds) throw new Broken(expected, show(seen))
}

const MAX_SHOWN = 300

/** What was seen, in a line. */
export function show(seen: unknown): string {
  if (seen === undefined) return 'nothing'
  const text = typeof seen === 'string' ? seen : JSON.stringify(seen)
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 1)}…` : text
}

/** An answer in a few words: its status, and its tag where it has one. */
export function tell({what, status, body}: Answer): string {
  const tag = isRecord(body) && typeof body['_tag'] === 'string' ? ` ${body['_tag']}` : ''
  return `${what} answered ${status}${tag}`
}

/** The object of a good answer. @throws {Broken} for every other one; {Untried} where the key may not do this. */
export function goodOf(answer: Answer): Readonly<Record<string, unknown>> {
  mustBeAllowed(answer)
  expect(
    'an answer of 2xx with a JSON object',
    answer.status >= 200 && answer.status < 300,
    tell(answer),
  )
  expect('a JSON object', isRecord(answer.body), `${tell(answer)} and ${answer.type || 'no type'}`)
  return answer.body
}

/** A key that may only read is answered before anything else is looked at. */
function mustBeAllowed(answer: Answer): void {
  const isChange = !answer.what.startsWith('GET ')
  if (isChange && answer.status === 403)
    throw new Untried(`the key may not do this: ${tell(answer)}`)
}

/** @throws {Broken} unless the answer is this refusal, as section 7 has it. */
export function expectRefusal(answer: Answer, tag: RefusalTag): void {
  mustBeAllowed(answer)
  const {status} = REFUSALS[tag]
  const expected = `${status ?? '4xx'} with the tag ${tag}`
  const isStatus =
    status === undefined ? answer.status >= 400 && answer.status < 500 : answer.status === status
  expect(expected, isStatus, tell(answer))
  expect(`${expected} as application/json`, /^application\/json\b/i.test(answer.type), answer.type)
  const parsed = refusalBody(tag).safeParse(answer.body)
  expect(`${expected} and its fields`, parsed.success, answer.body)
}

/** @throws {Broken} unless it was refused: which refusal, the document leaves open. */
export function expectSomeRefusal(answer: Answer): void {
  expect('a refusal of 4xx', answer.status >= 400 && answer.status < 500, tell(answer))
}
