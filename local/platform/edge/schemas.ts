import {z} from 'zod'
import {modelSelection} from '../../../src/platform/contract/records.ts'

/** Section 2.5. */
export const modelSchema = modelSelection.extend({modelId: z.string().min(1)})

/** A text with something in it. */
export const wordsSchema = z.string().refine((text) => text.trim() !== '', 'must not be empty')
