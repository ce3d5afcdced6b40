import {z} from 'zod'
import type {RefusalTag} from './refusals.ts'

/** One row of section 4 of the platform's API document. */
export interface Route {
  section: string
  method: 'GET' | 'POST' | 'DELETE'
  /** Below the base address; below the origin where `isOutside`. */
  path: `/${string}`
  says: string
  query?: readonly Query[]
  body?: z.ZodType
  /** Of a 2xx; without it, its shape is not documented. */
  answer?: z.ZodType
  /** A stream of events takes the place of an answer. */
  streams?: 'thread' | 'task'
  refusals?: readonly RefusalTag[]
  /** What makes a repeated request harmless. */
  repeats?: string
  /** No key, and not below the base address: the address is the credential. */
  isOutside?: true
  /** The document names no path for it: the embedded platform chose one, and no client may know it. */
  isChosen?: true
  /** What Bosun cannot do on a platform that lacks it. */
  without: string
}

/** A parameter of a query; all are texts or numbers, and none is required. */
export type Query = 'projectId' | 'status' | 'limit' | 'cursor' | 'after' | 'until' | 'from' | 'to'

/** An answer in pages: section 4.1, rule 4. */
export function page(item: z.ZodType): z.ZodType {
  const cursor = z
    .string()
    .nullable()
    .meta({description: 'Opaque; null: caught up. It goes back unchanged, URL-encoded.'})
  return z.object({items: z.array(item), cursor})
}

/** Why a creation may be asked for again. */
export const BY_REQUEST_ID = 'the same `requestId` answers what the first request made'
