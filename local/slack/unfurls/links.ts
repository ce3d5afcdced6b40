import {createHash} from 'node:crypto'

/** A link in a message, and the domain that an app has registered for it. */
interface SharedLink {
  domain: string
  url: string
}

const address = /https?:\/\/[^\s<>|`]+/g
/** Nobody means the end of a sentence by it. */
const behind = /[.,;:!?)\]'"]+$/
const code = /```[\s\S]*?(?:```|$)|`[^`\n]*`/g

/** The links of a text that are of one of these domains or below it, each once; none out of code. */
export function linksIn(text: string, domains: readonly string[]): SharedLink[] {
  const found = new Map<string, SharedLink>()
  for (const [match] of text.replaceAll(code, ' ').matchAll(address)) {
    const url = match.replace(behind, '').replaceAll('&amp;', '&')
    const host = URL.canParse(url) ? new URL(url).hostname : ''
    const domain = domains.find((one) => host === one || host.endsWith(`.${one}`))
    if (domain !== undefined) found.set(url, {domain, url})
  }
  return [...found.values()]
}

/** What stands for the links of a message in place of its channel and `ts`. */
export function unfurlIdOf(channel: string, ts: string): string {
  const seal = createHash('sha256').update(`unfurl ${channel} ${ts}`).digest('hex')
  return `${channel}.${ts}.${seal}`
}

/** The message that such an id stands for. */
export function messageOf(unfurlId: string): {channel: string; ts: string} | undefined {
  const [, channel = '', ts = ''] = /^(\w+)\.(\d+\.\d+)\.[0-9a-f]{64}$/.exec(unfurlId) ?? []
  return unfurlIdOf(channel, ts) === unfurlId ? {channel, ts} : undefined
}
