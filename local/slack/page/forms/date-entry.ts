/** A moment as Slack keeps it, as `2026-11-21T14:03` of the reader's own zone; empty stays empty. */
export function toLocalDateTime(unixSeconds: string): string {
  const date = new Date(Number(unixSeconds) * 1000)
  if (unixSeconds === '' || Number.isNaN(date.getTime())) return ''
  const two = (part: number): string => String(part).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`
}

export function toUnixSeconds(localDateTime: string): string {
  const ms = new Date(localDateTime).getTime()
  return localDateTime === '' || Number.isNaN(ms) ? '' : String(Math.floor(ms / 1000))
}
