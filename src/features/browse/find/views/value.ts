import {z} from 'zod'
import {parseJson} from '../../../../security/foreign-json.ts'
import type {PageStart} from '../../../../store/tables/work/link-lists.ts'
import type {Reached} from '../platform-lists.ts'
import type {Sought} from '../request.ts'
import {STATES} from '../states.ts'

/** Slack's limit of what a button bears. */
export const MAX_VALUE = 2000

/**
 * Where a page begins: among what is ours, on the platform, or where we have noted (`kept`) because no button bears it;
 * without any at the start. `lost`: an earlier version counted.
 */
export type FindPlace =
  | {at: 'start' | 'lost'}
  | {at: 'ours'; start: PageStart}
  | {at: 'platform'; reached: Reached}
  | {at: 'kept'; key: string}

/** What leads to a page of what was found. It may be longer than a button bears: see {@link MAX_VALUE}. */
export function toFindValue(sought: Sought, place: FindPlace = {at: 'start'}): string {
  const {words: w, state: s, by: b, repo: r, sinceMs: a, untilMs: u} = sought
  return `f.${JSON.stringify({w, s, b, r, a, u, ...placeFields(place)} satisfies Value)}`
}

function placeFields(place: FindPlace): Partial<Value> {
  switch (place.at) {
    case 'start':
    case 'lost':
      return {}
    case 'ours':
      return {o: [place.start.madeAtMs, place.start.id]}
    case 'kept':
      return {k: place.key}
    case 'platform': {
      const {list, looked, isServed, isCovered, cursor, shown} = place.reached
      const marks = shown.join('')
      return {
        p: [list, looked, Number(isServed) + 2 * Number(isCovered)],
        ...(cursor !== undefined && {c: cursor}),
        ...(marks !== '' && {d: marks}),
      }
    }
    default:
      throw new Error(`Unknown place: ${JSON.stringify(place satisfies never)}`)
  }
}

const count = z.number().int().nonnegative()
const short = z.string().max(200)

/** As short as it can be said. */
const valueSchema = z.object({
  w: short,
  s: z.enum(STATES).optional(),
  b: short.optional(),
  r: short.optional(),
  a: z.number().optional(),
  u: z.number().optional(),
  o: z.tuple([count, z.string().regex(/^[\w-]+$/)]).optional(),
  p: z.tuple([count, count, count]).optional(),
  c: z.string().optional(),
  d: z.string().optional(),
  k: short.optional(),
})
type Value = z.input<typeof valueSchema>

/** Also of buttons that an earlier version has made; `undefined` for anything else. */
export function readFindValue(value: string): {sought: Sought; place: FindPlace} | undefined {
  if (!value.startsWith('f.')) return readEarlier(value)
  const {data} = valueSchema.safeParse(parseJson(value.slice(2)))
  if (data === undefined) return undefined
  const {w: words, s: state, b: by, r: repo, a: sinceMs, u: untilMs} = data
  const sought: Sought = {
    words,
    ...(state !== undefined && {state}),
    ...(by !== undefined && {by}),
    ...(repo !== undefined && {repo}),
    ...(sinceMs !== undefined && {sinceMs}),
    ...(untilMs !== undefined && {untilMs}),
  }
  return {sought, place: placeOf(data)}
}

function placeOf({o, p, c: cursor, d = '', k: key}: z.output<typeof valueSchema>): FindPlace {
  if (key !== undefined) return {at: 'kept', key}
  if (o !== undefined) return {at: 'ours', start: {madeAtMs: o[0], id: o[1]}}
  if (p === undefined) return {at: 'start'}
  const [list, looked, flags] = p
  const shown = d.match(/.{5}/g) ?? []
  const [isServed, isCovered] = [(flags & 1) > 0, (flags & 2) > 0]
  return {at: 'platform', reached: {list, looked, cursor, shown, isServed, isCovered}}
}

function readEarlier(value: string): {sought: Sought; place: FindPlace} | undefined {
  const [, anew] = /^s\.(\S.*)$/.exec(value) ?? []
  if (anew !== undefined) return {sought: {words: anew}, place: {at: 'start'}}
  const [, madeAtMs, id, ours] = /^o\.(\d{1,15})\.([\w-]+)\.(\S.*)$/.exec(value) ?? []
  if (madeAtMs !== undefined && id !== undefined && ours !== undefined) {
    const start = {madeAtMs: Number(madeAtMs), id}
    return {sought: {words: ours}, place: {at: 'ours', start}}
  }
  // How many of them were shown says nothing of which.
  const [, theirs] = /^p\.\d{1,6}\.(\S.*)$/.exec(value) ?? []
  return theirs === undefined ? undefined : {sought: {words: theirs}, place: {at: 'lost'}}
}
