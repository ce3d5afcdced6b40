import {createAutomationCalls} from './endpoints/automations.ts'
import {type CallOptions, createCalls} from './calls.ts'
import {createMessageCalls} from './endpoints/messages.ts'
import {createOrganizationCalls} from './endpoints/organization.ts'
import {createReviewCalls} from './endpoints/reviews.ts'
import {createSessionCalls} from './endpoints/sessions.ts'
import {createThreadCalls} from './endpoints/threads.ts'

/**
 * The platform's API for one key: all of section 4 but the streams (`stream/reconnecting.ts`) and the webhook
 * (`endpoints/webhook.ts`). Every call throws a `PlatformError`, has a deadline, and ends when the signal does.
 * Reads, creations with a `requestId` and checks of sessions are repeated when the platform cannot be
 * reached; nothing else ever is: a message sent twice is a message read twice (section 4.1).
 */
export type PlatformClient = ReturnType<typeof createPlatformClient>

export function createPlatformClient(options: CallOptions) {
  const calls = createCalls(options)
  return {
    ...createThreadCalls(calls),
    ...createMessageCalls(calls),
    ...createOrganizationCalls(calls),
    ...createAutomationCalls(calls),
    ...createReviewCalls(calls),
    ...createSessionCalls(calls),
  }
}
