import {type AutomationCalls, createAutomationCalls} from './automations.ts'
import {type CallOptions, createCalls} from './calls.ts'
import {type CaptainCalls, createCaptainCalls} from './captains.ts'
import {type FolderCalls, createFolderCalls} from './folders.ts'
import {type MessageCalls, createMessageCalls} from './messages.ts'
import {type OrganizationCalls, createOrganizationCalls} from './organization.ts'
import {type ReviewCalls, createReviewCalls} from './reviews.ts'
import {type SessionCalls, createSessionCalls} from './sessions.ts'
import {type TaskCalls, createTaskCalls} from './tasks.ts'
import {type ThreadCalls, createThreadCalls} from './threads.ts'
import {type UsageCalls, createUsageCalls} from './usage.ts'

/**
 * The platform's API for one key: all of section 4 but the streams (`stream.ts`) and the webhook
 * (`webhook.ts`). Every call throws a `PlatformError`, has a deadline, and ends when the signal does.
 * Reads, and creations with a `requestId` or an `idempotencyKey`, are repeated when the platform
 * cannot be reached; nothing else ever is: a message sent twice is a message read twice (section 4.1).
 */
export type PlatformClient = ThreadCalls &
  MessageCalls &
  TaskCalls &
  CaptainCalls &
  OrganizationCalls &
  FolderCalls &
  AutomationCalls &
  ReviewCalls &
  UsageCalls &
  SessionCalls

export function createPlatformClient(options: CallOptions): PlatformClient {
  const calls = createCalls(options)
  return {
    ...createThreadCalls(calls),
    ...createMessageCalls(calls),
    ...createTaskCalls(calls),
    ...createCaptainCalls(calls),
    ...createOrganizationCalls(calls),
    ...createFolderCalls(calls),
    ...createAutomationCalls(calls),
    ...createReviewCalls(calls),
    ...createUsageCalls(calls),
    ...createSessionCalls(calls),
  }
}
