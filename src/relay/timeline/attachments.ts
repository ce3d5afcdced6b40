import {excerpt} from '../../platform/excerpt.ts'

/** How many there are, and the names of those that have one, as far as anybody reads them. */
export interface Attachments {
  count: number
  names: string[]
}

/** The fields in which an attachment may bear its name: its shape is not documented. */
const NAME_FIELDS = ['name', 'filename', 'fileName', 'title'] as const
/** More than fit into the line that names them. */
const MAX_NAMES = 120
const MAX_NAME = 100

/** What is shown of them; `undefined` where there are none. */
export function toAttachments(attachments: readonly unknown[]): Attachments | undefined {
  if (attachments.length === 0) return undefined
  const names = attachments.slice(0, MAX_NAMES).flatMap((it) => {
    const fields = typeof it === 'object' && it !== null ? (it as Record<string, unknown>) : {}
    const name = NAME_FIELDS.map((field) => fields[field]).find(isName)
    return name === undefined ? [] : excerpt(name, MAX_NAME)
  })
  return {count: attachments.length, names}
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}
