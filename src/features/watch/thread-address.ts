/**
 * The thread that somebody named: by its id, or by its web address after the template that holds `{threadId}`.
 * `undefined`: an address of something else.
 */
export function readThreadId(said: string, webUrl: string | undefined): string | undefined {
  const [word = ''] = unwrap(said).split(/\s/, 1)
  const named = fromAddress(word, webUrl)
  if (named !== undefined) return named
  const isAddress = /^[a-z][a-z\d+.-]*:\/\//i.test(word)
  return isAddress || word === '' || word.length > MAX_ID ? undefined : word
}

const MAX_ID = 200

function fromAddress(address: string, webUrl: string | undefined): string | undefined {
  if (webUrl === undefined) return undefined
  const [before = '', behind = ''] = webUrl.split('{threadId}', 2)
  // Whatever a browser put behind the address is not of interest.
  const pattern = new RegExp(`^${escape(before)}([^/?#&]+)${escape(behind)}(?:[/?#&].*)?$`)
  const [, id] = pattern.exec(address) ?? []
  return id === undefined ? undefined : decode(id)
}

/** Slack writes links as `<address>` or `<address|label>`, and escapes three characters. */
function unwrap(said: string): string {
  const [, inner = said] = /^<([^<>|]*)(?:\|[^<>]*)?>/.exec(said.trim()) ?? []
  return inner
    .trim()
    .replace(/^`(.*)`$/, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
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
