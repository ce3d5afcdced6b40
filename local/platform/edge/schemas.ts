import {z} from 'zod'
import {FEATURES} from '../seed/seed.ts'

/** Section 2.5. */
export const modelSchema = z.object({
  modelId: z.string().min(1),
  reasoningMode: z
    .enum(['none', 'instant', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'])
    .optional(),
  modes: z
    .strictObject({
      fast: z.boolean().optional(),
      pro: z.boolean().optional(),
      ultrafast: z.boolean().optional(),
    })
    .optional(),
})

/** A text with something in it. */
export const wordsSchema = z.string().refine((text) => text.trim() !== '', 'must not be empty')

/** A text of 1 to `max` characters, as people count them; halves of characters are none. */
export function boundedSchema(max: number): z.ZodType<string> {
  return z.string().refine((text) => {
    const length = Array.from(text).length
    return length >= 1 && length <= max && text.isWellFormed()
  }, `must have 1 to ${max} characters`)
}

/** Section 8. */
export const requestIdSchema = boundedSchema(191)

export const machineSizeSchema = z.enum(FEATURES).exclude(['byok', 'captain_image'])
