import type {AutomationRow} from './records.ts'

/** An automation as section 2.11 shows it; fields that nobody set are `null`. */
export function showAutomation(row: AutomationRow): Record<string, unknown> {
  const {definition} = row
  return {
    id: row.id,
    projectId: row.projectId,
    name: definition.name ?? null,
    description: definition.description ?? null,
    prompt: definition.prompt,
    triggers: definition.triggers,
    model: definition.model ?? null,
    repos: definition.repos,
    threadMode: definition.threadMode,
    chatImpersonation: definition.chatImpersonation,
    singleJamId: definition.singleJamId ?? null,
    mcpOverrides: definition.mcpOverrides ?? null,
    maxRunsPerDay: definition.maxRunsPerDay ?? null,
    machineSize: definition.machineSize ?? null,
    organize: definition.organize ?? null,
    enabled: row.enabled === 1,
    deleted: row.deleted === 1,
    disabledReason: row.disabledReason,
    runAsKind: row.runAsKind,
    runAsId: row.runAsId,
    runCount: row.runCount,
    lastTriggeredAt: row.lastTriggeredAt,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  }
}
