import type {Row} from './page.ts'

/** Where `src/platform/` declares the fields of a record or a request, by the headings of docs/api-fields.md. */
const READ: Readonly<Record<string, string>> = {
  Thread: 'threadSchema',
  Captain: 'captainSchema',
  'Usage totals': 'usageTotalsSchema',
  Avatar: 'avatarSchema',
  'Model selection': 'automationSchema.model',
  Message: 'entrySchema',
  Task: 'taskSchema',
  'Message receipt': 'receiptSchema',
  Project: 'projectSchema',
  'Organization user': 'organizationUserSchema',
  Automation: 'automationSchema',
  'Review rule': 'reviewRuleSchema',
  'Review filter rule': 'filterRuleSchema',
  'Review round': 'reviewRoundSchema',
  'Billing transfer': 'billingTransferSchema',
  'Session verification': 'provenSchema',
  'POST /threads/:threadId/messages/:eventId/cancel': 'cancelledSchema',
  'POST /threads/:threadId/messages/:eventId/send-now': 'sentNowSchema',
  'POST /folders/:folderId/threads': 'filingsSchema',
  'DELETE /review-filters/rules/:id': 'deletionSchema',
  'POST /review-rules': 'newRuleSchema',
  'GET /review-filters/rules': 'filtersSchema',
}
const SENT: Readonly<Record<string, string>> = {
  Avatar: 'Avatar',
  'Model selection': 'ModelSelection',
  'POST /threads': 'NewThread',
  'GET /threads': 'ThreadFilter',
  'POST /threads/:threadId/message': 'NewMessage',
  'GET /threads/:threadId/stream': 'StreamOptions',
  'GET /tasks/:taskId/stream': 'StreamOptions',
  'POST /captains': 'NewCaptain',
  'GET /automations': 'AutomationFilter',
  'POST /automations': 'NewAutomation',
  'POST /reviews': 'NewReview',
  'POST /review-rules': 'NewReviewRule',
  'GET /usage': 'Period',
}

/** Those that are declared elsewhere than the rest of theirs, or with a larger one. */
const APART: Readonly<Record<string, string>> = {
  'captainSchema.personal': 'threadSchema.personal',
  // Drawn from either by the same function.
  'captainSchema.avatar': 'threadSchema.captain.avatar',
  'sentNowSchema.outcome': 'cancelledSchema.outcome',
  'reviewRuleSchema.scopes.codehostRepoId': 'coverage.codehostRepoId',
  'reviewRuleSchema.file.codehostRepoId': 'coverage.codehostRepoId',
  // Taken apart by functions that take what was entered, too.
  'reviewRuleSchema.scopes.repo': 'reviewRuleSchema.scopes',
  'reviewRuleSchema.scopes.paths': 'reviewRuleSchema.scopes',
  'reviewRuleSchema.scopes.covered': 'reviewRuleSchema.scopes',
  'reviewRuleSchema.file.repo': 'reviewRuleSchema.file',
  'reviewRuleSchema.file.covered': 'reviewRuleSchema.file',
  'ModelSelection.modes.fast': 'ModelSelection.modes',
  'ModelSelection.modes.pro': 'ModelSelection.modes',
  'ModelSelection.modes.ultrafast': 'ModelSelection.modes',
  'NewAutomation.triggers.type': 'Trigger.type',
  'NewAutomation.triggers.cron': 'Trigger.cron',
  'NewAutomation.triggers.timezone': 'Trigger.timezone',
}

/** Where a list goes on is between the client and the platform. */
const PAGING: readonly string[] = ['cursor', 'after']

/** The name under which the types know the field of a row; `undefined`: the client itself deals with it. */
export function declarationOf({of, name, direction}: Row): string | undefined {
  const record = (direction === 'read' ? READ : SENT)[of]
  if (record === undefined || (direction === 'sent' && PAGING.includes(name))) return undefined
  const field = `${record}.${name}`
  return APART[field] ?? field
}
