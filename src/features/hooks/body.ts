/** Why a body is none: each is a word of the answer to its sender. */
export type BodyProblem = 'no_json' | 'no_object' | 'too_deep' | 'no_utf8'

/** Levels of objects and lists. */
const MAX_DEPTH = 64

const utf8 = new TextDecoder('utf-8', {fatal: true})

/** The text of a JSON object, as it came; or why it is none. What is too deep is not parsed. */
export function readHookBody(bytes: Uint8Array): {json: string} | {problem: BodyProblem} {
  let json: string
  try {
    json = utf8.decode(bytes)
  } catch {
    return {problem: 'no_utf8'}
  }
  if (isDeeper(json, MAX_DEPTH)) return {problem: 'too_deep'}
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    return {problem: 'no_json'}
  }
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? {json} : {problem: 'no_object'}
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c]
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b])
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d])

/** In one pass, whatever the text is. */
function isDeeper(json: string, max: number): boolean {
  let depth = 0
  let isInString = false
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at)
    if (code === QUOTE) isInString = !isInString
    else if (isInString) {
      if (code === BACKSLASH) at += 1
    } else if (OPENING.has(code)) {
      depth += 1
      if (depth > max) return true
    } else if (CLOSING.has(code)) depth -= 1
  }
  return false
}
