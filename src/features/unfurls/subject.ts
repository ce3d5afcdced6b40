import {threadIdIn} from '../../slack/markup/work-address.ts'
import {type PullRequestKey, pullRequestKey} from '../../store/tables/pull-requests/key.ts'
import type {KnownAddress} from '../../store/tables/channels/unfurls.ts'

/** What a link leads to. */
export type Subject = {kind: 'work'; threadId: string} | {kind: 'pull-request'; key: PullRequestKey}

/** As threads' ids are. */
const MAX_ID = 200

/** `undefined`: nothing that could be ours. Whether there is such a thing nobody has looked yet. */
function subjectOf(url: string, webUrl: string | undefined): Subject | undefined {
  const threadId = threadIdIn(url, webUrl)
  if (threadId !== undefined) {
    return threadId.length <= MAX_ID ? {kind: 'work', threadId} : undefined
  }
  const key = pullRequestKey(url)
  return key === undefined ? undefined : {kind: 'pull-request', key}
}

/** Those of the links that may lead to something of ours, and to what. */
export function knownAddresses(
  urls: readonly string[],
  webUrl: string | undefined,
): KnownAddress[] {
  return urls.flatMap((url) => {
    const subject = subjectOf(url, webUrl)
    return subject === undefined ? [] : [{url, about: aboutOf(subject)}]
  })
}

/** In the table. */
export function aboutOf(subject: Subject): string {
  return subject.kind === 'work' ? `work:${subject.threadId}` : `pr:${subject.key}`
}

export function toSubject(about: string): Subject {
  const at = about.indexOf(':')
  const name = about.slice(at + 1)
  return about.startsWith('work:')
    ? {kind: 'work', threadId: name}
    : {kind: 'pull-request', key: name}
}
