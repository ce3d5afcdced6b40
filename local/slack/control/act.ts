import type {z} from 'zod'

/** What one act takes as JSON, and what it does with that. */
export interface Act {
  run(body: unknown): Promise<unknown>
}

/** Optional fields are there or not; none is there as `undefined`. */
type Defined<Fields> = {[Name in keyof Fields]: Exclude<Fields[Name], undefined>}

export function act<Body extends object>(
  schema: z.ZodType<Body>,
  run: (body: Defined<Body>) => Promise<unknown>,
): Act {
  return {run: async (body) => run(definedOnly(schema.parse(body)))}
}

export function definedOnly<Fields extends object>(fields: Fields): Defined<Fields>
export function definedOnly(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
