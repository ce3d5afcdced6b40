import {expect} from 'vitest'
import {PlatformError} from '../../../src/platform/errors.ts'
import type {Client} from '../../local/platform/client.ts'

/** The error with which the real client refuses; fails where it does not. */
export async function refusalOf(answer: Promise<unknown>): Promise<PlatformError> {
  try {
    await answer
  } catch (error) {
    if (error instanceof PlatformError) return error
    throw error
  }
  throw new Error('This was not refused.')
}

interface Refused {
  /** Through the real client. */
  error: Promise<unknown>
  /** The same, past it. */
  answer: ReturnType<Client['get']>
  status: number
  /** The whole body. */
  body: {_tag: string; [field: string]: unknown}
}

/** Holds both against section 7, and answers the client's error, which must be of this class. */
export async function expectRefusal<Kind extends PlatformError>(
  kind: new (...details: never[]) => Kind,
  {error, answer, status, body}: Refused,
): Promise<Kind> {
  const refusal = await refusalOf(error)
  const {_tag, ...fields} = body
  expect(refusal).toMatchObject({status, _tag, fields})
  const raw = await answer
  expect({status: raw.status, body: raw.body}).toEqual({status, body})
  expect(raw.headers.get('content-type')).toMatch(/^application\/json\b/)
  if (refusal instanceof kind) return refusal
  throw new Error(`This is a ${refusal.name}, not a ${kind.name}.`)
}
