import {isFields} from '../live/block-shape.ts'

const defaultPageSize = 5
const maxPageSize = 100

interface Column {
  align: 'left' | 'center' | 'right'
  isWrapped: boolean
}

export function rowsIn(value: unknown): unknown[][] {
  if (!Array.isArray(value)) return []
  return value.filter((row): row is unknown[] => Array.isArray(row))
}

/** How the columns stand; a column of which nothing is said has no entry. */
export function alignmentsIn(value: unknown): (Column | undefined)[] {
  if (!Array.isArray(value)) return []
  return value.map((column: unknown) => {
    if (!isFields(column)) return undefined
    const align = column.align === 'center' || column.align === 'right' ? column.align : 'left'
    return {align, isWrapped: column.is_wrapped === true}
  })
}

export function pageSizeIn(value: unknown): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1) return defaultPageSize
  return Math.min(maxPageSize, value)
}

/** The page that there is nearest to the wanted one: a table can shrink while one reads. */
export function clampPage(page: number, pages: number): number {
  return Math.min(Math.max(0, page), Math.max(0, pages - 1))
}
