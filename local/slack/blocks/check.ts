import {isRecord} from '../edge/arguments.ts'

/** Notes what is wrong with a payload, each mistake with a JSON pointer as Slack gives it. */
export interface Check {
  mistakes: string[]
  fail(pointer: string, message: string): void
  /** A string of `min` to `max` characters; a missing one is a mistake unless `optional`. */
  string(at: Spot, name: string, limits: {min?: number; max: number; optional?: true}): void
  /** A plain_text or mrkdwn object. */
  text(at: Spot, name: string, limits: {max: number; plain?: true; optional?: true}): void
  /** The items of an array of `min` to `max`, each with its pointer; those that are no objects are noted. */
  items(at: Spot, name: string, limits: {min?: number; max: number; optional?: true}): Spot[]
  record(at: Spot, name: string): Spot | undefined
}

/** One object inside a payload and where it stands. */
export interface Spot {
  value: Record<string, unknown>
  pointer: string
}

/** Notes what is wrong with one block or element. */
export type Checker = (check: Check, at: Spot) => void

export function createCheck(): Check {
  const mistakes: string[] = []
  const fail = (pointer: string, message: string): void => {
    mistakes.push(`${message} [json-pointer:${pointer}]`)
  }
  const isMissing = (at: Spot, name: string, optional?: true): boolean => {
    if (at.value[name] !== undefined && at.value[name] !== null) return false
    if (optional !== true) fail(at.pointer, `missing required field: ${name}`)
    return true
  }
  const string: Check['string'] = (at, name, {min = 1, max, optional}) => {
    if (isMissing(at, name, optional)) return
    const value = at.value[name]
    const pointer = `${at.pointer}/${name}`
    if (typeof value !== 'string') fail(pointer, 'must be a string')
    else if (value.length < min) fail(pointer, `must be more than ${min - 1} characters`)
    else if (value.length > max) fail(pointer, `must be less than ${max + 1} characters`)
  }
  const record: Check['record'] = (at, name) => {
    const value = at.value[name]
    if (isRecord(value)) return {value, pointer: `${at.pointer}/${name}`}
    if (value !== undefined) fail(`${at.pointer}/${name}`, 'must be an object')
    return undefined
  }
  const items: Check['items'] = (at, name, {min = 0, max, optional}) => {
    if (isMissing(at, name, optional)) return []
    const value: unknown = at.value[name]
    const pointer = `${at.pointer}/${name}`
    if (!Array.isArray(value)) {
      fail(pointer, 'must be an array')
      return []
    }
    if (value.length > max) fail(pointer, `no more than ${max} items allowed`)
    if (value.length < min) fail(pointer, `no fewer than ${min} items allowed`)
    return value.flatMap((item: unknown, index) => {
      if (isRecord(item)) return [{value: item, pointer: `${pointer}/${index}`}]
      fail(`${pointer}/${index}`, 'must be an object')
      return []
    })
  }
  const text: Check['text'] = (at, name, {max, plain, optional}) => {
    if (isMissing(at, name, optional)) return
    const spot = record(at, name)
    if (spot === undefined) return
    const {type} = spot.value
    const isText = type === 'plain_text' || (type === 'mrkdwn' && plain !== true)
    if (!isText) fail(`${spot.pointer}/type`, `unsupported type: ${String(type)}`)
    string(spot, 'text', {max})
  }
  return {mistakes, fail, string, text, items, record}
}
