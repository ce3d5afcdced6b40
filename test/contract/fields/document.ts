/**
 * The fields of the platform's API, typed off its document (sections 2 and 4) and nothing else: what is compared with it knows
 * it from here alone.
 *
 * A text of fields reads like `id repos repos.branch model:ModelSelection`: the names as they stand on the wire, those of an
 * object behind its own and a dot, and behind a colon the record that an object, or each of a list, is.
 */

interface DocumentedRecord {
  section: string
  /** A record whose fields it has, too. */
  base?: string
  fields: string
}

/** Section 2. */
export const RECORDS: Readonly<Record<string, DocumentedRecord>> = {
  Thread: {
    section: '2.1',
    fields: `id projectId authorId previousAuthorId title titleCustom status archived lastModelId pullRequestAuthor
      usage:UsageTotals createdAt updatedAt lastActivityAt hasUnreads mentionCount owed member needsYou crewNeedsYou
      participated crewMentionCount captain captain.jamId captain.name captain.avatar:Avatar crewCount`,
  },
  Captain: {section: '2.2', base: 'Thread', fields: 'personal name avatar:Avatar'},
  UsageTotals: {section: '2.3', fields: 'llmCredits imageCredits vmCredits totalCredits'},
  Avatar: {section: '2.4', fields: 'kind value background image'},
  ModelSelection: {
    section: '2.5',
    fields: 'modelId reasoningMode modes modes.fast modes.pro modes.ultrafast',
  },
  Message: {
    section: '2.6',
    fields: 'id source text createdAt tool callId model attachments authorName',
  },
  Task: {section: '2.7', fields: 'id taskPath status archived title usage:UsageTotals'},
  MessageReceipt: {section: '2.8', fields: 'id deduped'},
  Project: {
    section: '2.9',
    fields:
      'id name description code repos repos.repoFullName repos.baseBranch createdAt updatedAt',
  },
  OrganizationUser: {section: '2.10', fields: 'id email firstName lastName'},
  Automation: {
    section: '2.11',
    fields: `id projectId name description prompt triggers triggers.type triggers.cron triggers.timezone
      model:ModelSelection repos repos.repo repos.branch threadMode chatImpersonation singleJamId
      mcpOverrides mcpOverrides.enabled_server_keys mcpOverrides.disabled_server_keys maxRunsPerDay machineSize
      organize organize.pin organize.folders organize.tags enabled deleted disabledReason runAsKind runAsId runCount
      lastTriggeredAt createdAt updatedAt webhookUrl`,
  },
  ReviewRule: {
    section: '2.12',
    fields: `id body scopes scopes.repo scopes.paths scopes.codehostRepoId scopes.covered scopes.heldByCaller
      file file.repo file.path file.codehostRepoId file.covered status source sourceRef createdByUserId createdByName
      firedCount lastFired lastFired.repo lastFired.prNumber lastFired.at createdAt updatedAt`,
  },
  ReviewFilterRule: {
    section: '2.13',
    fields: `id repo codehostRepoId conditions conditions.field conditions.not conditions.values source
      createdByUserId createdByName createdAt updatedAt`,
  },
  ReviewRound: {
    section: '2.14',
    fields: 'reviewId requestId threadId headSha adopted sourceRecorded',
  },
  BillingTransfer: {
    section: '2.15',
    fields: 'repo billingOrgId offer offer.fromOrgId offer.toOrgId offer.createdAt',
  },
  SessionVerification: {
    section: '2.17',
    fields: 'valid threadId projectId orgId userId instanceId issuedAt expiresAt',
  },
}

interface DocumentedEndpoint {
  section: string
  /** Parameters of the query. */
  query?: string
  body?: string
  /** A record alone is `:Thread`. Without: no field of it is named. */
  answer?: string
}

/** Section 4. Without an entry here: it takes no field, and none of its answer is named. */
export const ENDPOINTS: Readonly<Record<string, DocumentedEndpoint>> = {
  'POST /threads': {
    section: '4.1',
    body: 'requestId projectId message title model:ModelSelection machineSize authorId',
    answer: ':Thread',
  },
  'GET /threads': {
    section: '4.1',
    query: 'projectId status limit cursor',
    answer: 'items:Thread cursor',
  },
  'GET /threads/:threadId': {section: '4.1', answer: ':Thread'},
  'POST /threads/:threadId/message': {
    section: '4.1',
    body: 'text model:ModelSelection delivery',
    answer: ':MessageReceipt',
  },
  'GET /threads/:threadId/messages': {
    section: '4.1',
    query: 'after limit',
    answer: 'items:Message cursor',
  },
  'POST /threads/:threadId/messages/:eventId/cancel': {section: '4.1', answer: 'outcome'},
  'POST /threads/:threadId/messages/:eventId/send-now': {section: '4.1', answer: 'outcome id'},
  'POST /threads/:threadId/archive': {section: '4.1', answer: ':Thread'},
  'POST /threads/:threadId/unarchive': {section: '4.1', answer: ':Thread'},
  'POST /threads/:threadId/takeover': {section: '4.1', answer: ':Thread'},
  'POST /threads/:threadId/regenerate-title': {section: '4.1', answer: ':Thread'},
  'GET /threads/:threadId/tasks': {
    section: '4.1',
    query: 'after limit',
    answer: 'items:Task cursor',
  },
  'GET /tasks/:taskId': {section: '4.2', answer: ':Task'},
  'GET /tasks/:taskId/messages': {
    section: '4.2',
    query: 'after limit',
    answer: 'items:Message cursor',
  },
  'GET /threads/:threadId/stream': {section: '4.3', query: 'after until'},
  'GET /tasks/:taskId/stream': {section: '4.3', query: 'after until'},
  'POST /captains': {
    section: '4.4',
    body: 'requestId projectId name brief model:ModelSelection avatar:Avatar authorId',
    answer: ':Captain',
  },
  'GET /projects': {section: '4.5', answer: 'items:Project'},
  'GET /projects/:projectId': {section: '4.5', answer: ':Project'},
  'GET /users': {section: '4.5', answer: 'items:OrganizationUser'},
  'POST /folders/:folderId/threads': {
    section: '4.6',
    body: 'threadIds',
    answer: 'outcomes outcomes.threadId outcomes.outcome',
  },
  'GET /automations': {
    section: '4.7',
    query: 'projectId cursor',
    answer: 'items:Automation cursor',
  },
  // Its body names two; "other fields: not shown" are those of section 2.11 that somebody decides.
  'POST /automations': {
    section: '4.7',
    body: `requestId projectId name description prompt triggers triggers.type triggers.cron triggers.timezone
      model:ModelSelection repos repos.repo repos.branch threadMode chatImpersonation singleJamId
      mcpOverrides mcpOverrides.enabled_server_keys mcpOverrides.disabled_server_keys maxRunsPerDay machineSize
      organize organize.pin organize.folders organize.tags enabled runAsKind runAsId`,
    answer: ':Automation',
  },
  'POST /reviews': {
    section: '4.8',
    body: 'repo prNumber idempotencyKey forceRefresh sourceThreadId',
    answer: ':ReviewRound',
  },
  'POST /review-rules': {
    section: '4.8',
    body: 'body scopes scopes.repo scopes.paths file file.repo file.path',
    answer: 'rule:ReviewRule',
  },
  'GET /review-filters/rules': {section: '4.8', answer: 'rules:ReviewFilterRule'},
  'DELETE /review-filters/rules/:id': {section: '4.8', answer: 'id deleted'},
  'POST /review-billing-transfer/decline': {
    section: '4.8',
    body: 'repo',
    answer: ':BillingTransfer',
  },
  'GET /usage': {section: '4.10', query: 'from to'},
  // "A session token" under a name that is not shown.
  'POST /sessions/verify': {section: '4.11', body: 'token', answer: ':SessionVerification'},
}
