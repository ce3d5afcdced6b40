/** The thread of a web address after the template that holds `{threadId}`; `undefined`: it is one of something else. */
export function threadIdIn(address: string, webUrl: string | undefined): string | undefined {
  if (webUrl === undefined) return undefined
  const [before = '', behind = ''] = webUrl.split('{threadId}', 2)
  // Whatever a browser put behind the address is not of interest.
  const pattern = new RegExp(`^${escape(before)}([^/?#&]+)${escape(behind)}(?:[/?#&].*)?$`)
  const [, id] = pattern.exec(address) ?? []
  return id === undefined ? undefined : decode(id)
}

function decode(id: string): string | undefined {
  try {
    return decodeURIComponent(id)
  } catch {
    return undefined
  }
}

function escape(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
