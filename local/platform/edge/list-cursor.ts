import {invalidRequest} from './errors.ts'

const LIST_CURSOR = /^before:([1-9][0-9]{0,14})$/

/** The cursor of a list that has its newest items first: what was made before this one comes next. */
export function toListCursor(seq: number): string {
  return Buffer.from(`before:${seq}`).toString('base64')
}

/** Without a cursor, the list begins with the newest. */
export function parseListCursor(cursor: string | undefined): number {
  if (cursor === undefined || cursor === '') return Number.MAX_SAFE_INTEGER
  const seq = LIST_CURSOR.exec(Buffer.from(cursor.replaceAll(' ', '+'), 'base64').toString())?.[1]
  if (seq === undefined) throw invalidRequest('cursor is not one that this list gave out.')
  return Number(seq)
}
