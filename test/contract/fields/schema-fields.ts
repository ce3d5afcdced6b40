import type {z} from 'zod'

/** As far as its inside is read here: zod keeps it under one name in all its kinds of schemas. */
interface Inside {
  type: string
  shape?: Record<string, z.ZodType>
  innerType?: z.ZodType
  in?: z.ZodType
  element?: z.ZodType
  options?: readonly z.ZodType[]
}

/** Every field that a schema names, those of its inner objects behind a dot: `repos`, `repos.branch`. */
export function fieldsOfSchema(schema: z.ZodType): string[] {
  const found = objectsIn(schema).flatMap((shape) =>
    Object.entries(shape).flatMap(([name, inner]) => [
      name,
      ...fieldsOfSchema(inner).map((field) => `${name}.${field}`),
    ]),
  )
  return [...new Set(found)]
}

/** The shapes of the objects that a schema is, or is made of. */
function objectsIn(schema: z.ZodType): Record<string, z.ZodType>[] {
  const def: Inside = schema._zod.def
  if (def.shape !== undefined) return [def.shape]
  const inner = [def.innerType, def.in, def.element, ...(def.options ?? [])]
  return inner.filter((one) => one !== undefined).flatMap(objectsIn)
}

/** The same of a value: `{a: [{b: 1}]}` has `a` and `a.b`. */
export function fieldsOfValue(value: unknown): string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap(fieldsOfValue))]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [
    name,
    ...fieldsOfValue(inner).map((field) => `${name}.${field}`),
  ])
}
