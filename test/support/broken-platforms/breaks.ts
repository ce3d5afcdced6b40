import {messageBreaks} from './messages.ts'
import {organizationBreaks} from './organization.ts'
import {recordBreaks} from './records.ts'
import {streamBreaks} from './streams.ts'
import type {BrokenPlatform} from './ways.ts'

/** They wait for what never comes; `bench/check-platform.ts` has the patience. */
export const SLOW: ReadonlySet<string> = new Set([
  ...['the default waits', 'a steering message is lost', 'interrupt does nothing'],
  ...['a status comes too late', 'Last-Event-ID is ignored', 'after wins over Last-Event-ID'],
  ...['until is ignored', 'enable does nothing', 'a silent stream stays silent'],
  'messages are delivered twice',
])

export const BROKEN_PLATFORMS: readonly BrokenPlatform[] = [
  ...recordBreaks,
  ...messageBreaks,
  ...streamBreaks,
  ...organizationBreaks,
]
