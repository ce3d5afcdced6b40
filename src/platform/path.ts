import {PlatformNotFound} from './errors.ts'

/** The segments of a path below `/api/v1`; ids among them stand as they are (they are opaque). */
export type Segments = readonly string[]

/** What of a query is set. */
export type Query = Readonly<Record<string, string | number | undefined>>

/**
 * The path of a request, each segment encoded.
 *
 * @throws {PlatformNotFound} for an id that no path can hold: it would name another resource.
 */
export function toPath(segments: Segments, query: Query = {}): string {
  const path = segments.map((segment) => `/${encodeSegment(segment)}`).join('')
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value))
  }
  return parameters.size === 0 ? path : `${path}?${parameters.toString()}`
}

function encodeSegment(segment: string): string {
  if (/^\.{0,2}$/.test(segment)) throw new PlatformNotFound(`"${segment}" can be no id`)
  return encodeURIComponent(segment.toWellFormed())
}
