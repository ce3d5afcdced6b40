import type {z} from 'zod'
import type {People} from '../people/people.ts'

/** What one act takes as JSON, and what the people of a workspace do with that. */
export interface Act {
  run(people: People, body: unknown): Promise<unknown>
}

/** Optional fields are there or not; none is there as `undefined`. */
type Defined<Fields> = {[Name in keyof Fields]: Exclude<Fields[Name], undefined>}

export function act<Body extends object>(
  schema: z.ZodType<Body>,
  run: (people: People, body: Defined<Body>) => Promise<unknown>,
): Act {
  return {run: async (people, body) => run(people, definedOnly(schema.parse(body)))}
}

export function definedOnly<Fields extends object>(fields: Fields): Defined<Fields>
export function definedOnly(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
