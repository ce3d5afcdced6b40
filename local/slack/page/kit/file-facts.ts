import type {FileView} from '../../page-feed/contract.ts'

/** `1.2 MB`: as Slack writes sizes. */
export function sizeOf(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB']
  let value = bytes
  let unit = 0
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  const shown = unit === 0 || value >= 10 ? Math.round(value) : Math.round(value * 10) / 10
  return bytes === 1 ? '1 byte' : `${shown} ${units[unit] ?? ''}`
}

const drawable = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

/** Whether a browser draws it; everything else is a card. */
export function isPicture({mimetype}: Pick<FileView, 'mimetype'>): boolean {
  return drawable.has(mimetype)
}

/** `PDF`, `TypeScript`, or what the ending says. */
export function kindOf({name, mimetype}: Pick<FileView, 'name' | 'mimetype'>): string {
  const ending = /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase()
  if (ending !== undefined) return kinds[ending] ?? ending.toUpperCase()
  return mimetype.startsWith('text/') ? 'Plain text' : 'Binary'
}

const kinds: Readonly<Record<string, string>> = {
  js: 'JavaScript',
  json: 'JSON',
  log: 'Log',
  md: 'Markdown',
  py: 'Python',
  ts: 'TypeScript',
  txt: 'Plain text',
  zip: 'Zip',
}
