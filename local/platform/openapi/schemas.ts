import {z} from 'zod'
import {FRAMES} from '../../../src/platform/contract/frames.ts'
import {REFUSALS, type RefusalTag, refusalBody} from '../../../src/platform/contract/refusals.ts'
import {
  automationSchema,
  billingTransferSchema,
  captainSchema,
  entrySchema,
  filterRuleSchema,
  organizationUserSchema,
  projectSchema,
  reviewRoundSchema,
  reviewRuleSchema,
  taskSchema,
  threadSchema,
} from '../../../src/platform/model.ts'

/** Any part of a document of JSON. */
export type Json = Readonly<Record<string, unknown>>

/** How Bosun reads the records, by their names in the contract: what it cannot do without. */
const READ_BY_BOSUN: Readonly<Record<string, z.ZodType>> = {
  Thread: threadSchema,
  Captain: captainSchema,
  Message: entrySchema,
  Task: taskSchema,
  Project: projectSchema,
  OrganizationUser: organizationUserSchema,
  Automation: automationSchema,
  ReviewRule: reviewRuleSchema,
  ReviewFilterRule: filterRuleSchema,
  ReviewRound: reviewRoundSchema,
  BillingTransfer: billingTransferSchema,
}

/** Makes JSON schemas of zod's, and keeps the named ones among them, to which the others refer. */
export interface SchemaWriter {
  write(schema: z.ZodType): Json
  components(): Json
}

export function createSchemaWriter(): SchemaWriter {
  const named = new Map<string, Json>()
  const write = (schema: z.ZodType): Json => {
    // Only what stands inside of something is referred to by its name.
    const {properties, $defs = {}} = toJsonSchema(z.object({of: schema}))
    for (const [name, definition] of Object.entries($defs as Record<string, Json>)) {
      named.set(name, {...withoutName(definition), ...neededOf(name)})
    }
    return (properties as {of: Json}).of
  }
  const components = (): Json => {
    for (const tag of Object.keys(REFUSALS) as RefusalTag[]) named.set(tag, write(refusalBody(tag)))
    for (const [name, {data, when}] of Object.entries(FRAMES)) {
      named.set(`Frame.${name}`, {description: when, ...write(data)})
    }
    return Object.fromEntries([...named].toSorted(([one], [other]) => one.localeCompare(other)))
  }
  return {write, components}
}

function toJsonSchema(schema: z.ZodType): Json {
  const written = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    // What no JavaScript can count says nothing to others.
    override: ({jsonSchema}) => {
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    },
  })
  const json = JSON.stringify(written)
  return JSON.parse(json.replaceAll('"#/$defs/', '"#/components/schemas/')) as Json
}

/** It stands in the name already. */
function withoutName(definition: Json): Json {
  return Object.fromEntries(Object.entries(definition).filter(([field]) => field !== 'id'))
}

function neededOf(name: string): Json {
  const schema = READ_BY_BOSUN[name]
  if (schema === undefined) return {}
  const {required = []} = toJsonSchema(schema)
  return {'x-bosun-needs': required}
}
