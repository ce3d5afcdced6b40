import {z} from 'zod'
import type {Calls} from '../calls.ts'
import {type Automation, type MachineSize, type ModelSelection, automationSchema} from '../model.ts'

/** Automations, section 4.7. Their webhook is called through `webhook.ts`. */
interface AutomationCalls {
  listAutomations(filter: AutomationFilter, signal: AbortSignal): AsyncGenerator<Automation>
  /** Only the very first answer has the `webhookUrl`: where that answer is lost, so is the address. */
  createAutomation(automation: NewAutomation, signal: AbortSignal): Promise<Automation>
  /** The answers of these four have no documented shape: the whole automation, the part that changed, nothing. */
  enableAutomation(automationId: string, signal: AbortSignal): Promise<unknown>
  disableAutomation(automationId: string, signal: AbortSignal): Promise<unknown>
  deleteAutomation(automationId: string, signal: AbortSignal): Promise<unknown>
  restoreAutomation(automationId: string, signal: AbortSignal): Promise<unknown>
}

interface AutomationFilter {
  projectId?: string
  /** Automations on a page. Not documented for this list. */
  limit?: number
}

/** Only the first two are documented for creation; the others are those fields of section 2.11 that a person sets. */
interface NewAutomation {
  /** 1 to 191 characters; a repeated one returns the original automation. */
  requestId: string
  projectId: string
  name?: string
  description?: string
  prompt?: string
  triggers?: readonly Trigger[]
  model?: ModelSelection
  repos?: readonly {repo: string; branch: string}[]
  /** For example `new`. */
  threadMode?: string
  chatImpersonation?: boolean
  singleJamId?: string
  mcpOverrides?: {enabled_server_keys: readonly string[]; disabled_server_keys: readonly string[]}
  maxRunsPerDay?: number
  machineSize?: MachineSize
  organize?: {pin: boolean; folders: readonly string[]; tags: readonly string[]}
  enabled?: boolean
  /** On whose behalf it runs: `human` and a member's id. */
  runAsKind?: string
  runAsId?: string
}

type Trigger =
  | {type: 'schedule'; cron: string; timezone: string}
  /** Its other fields are not documented. */
  | {type: 'incoming_webhook'; [field: string]: unknown}

export function createAutomationCalls({act, create, pages}: Calls): AutomationCalls {
  const change = (verb: string) => (automationId: string, signal: AbortSignal) =>
    act(['automations', automationId, verb], z.unknown(), signal)
  const list = {path: ['automations'], item: automationSchema, cursorName: 'cursor'} as const

  return {
    listAutomations: ({projectId, limit}, signal) =>
      pages({...list, query: {projectId, limit}}, signal),
    createAutomation: (automation, signal) =>
      create(['automations'], automationSchema, signal, automation),
    enableAutomation: change('enable'),
    disableAutomation: change('disable'),
    deleteAutomation: change('delete'),
    restoreAutomation: change('restore'),
  }
}
