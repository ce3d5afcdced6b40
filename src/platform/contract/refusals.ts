import {z} from 'zod'
import {MACHINE_SIZES} from '../model.ts'

/** Answers that say no, section 7: a status and an object with a tag. */

const text = z.string()

/** What a plan may lack. */
export const FEATURES = [...MACHINE_SIZES, 'byok', 'captain_image'] as const
export type Feature = (typeof FEATURES)[number]

/** Why a model cannot be chosen, and how its subscription or key stands. */
export const modelRejection = z.enum(['disconnected', 'not_connected'])
export const modelHealth = z.object({
  state: z.enum(['connected', 'not_connected', 'signed_out', 'disabled', 'usage_exhausted']),
  kind: z.enum(['subscription', 'key']),
  provider: text,
  action: z.enum(['connect', 'reconnect', 'replace_key', 'enable']).optional(),
  resetsAt: text.optional(),
})

interface Refusal {
  /** `undefined` where the document shows none. */
  status: number | undefined
  fields: z.ZodRawShape
  when: string
}

/** By their tags, without the prefix that is the service's name. */
export const REFUSALS = {
  InvalidRequest: {
    status: 400,
    fields: {message: text},
    when: 'a body, a parameter or a cursor is not valid, or a named member is not active',
  },
  'ModelSelection.Rejected': {
    status: 400,
    fields: {
      message: text,
      candidates: z.array(z.object({entryId: text, name: text, billingLabel: text})),
      rejection: modelRejection.optional(),
      modelId: text.optional(),
      service: text.optional(),
      health: modelHealth.optional(),
    },
    when: 'the model cannot be chosen; `candidates` can',
  },
  Unauthorized: {status: 401, fields: {}, when: 'the key is missing, wrong or revoked'},
  PaidFeatureUnavailable: {
    status: 402,
    fields: {feature: z.enum(FEATURES)},
    when: 'the plan has no such feature',
  },
  Forbidden: {status: 403, fields: {}, when: 'no access, or a read-only key on a mutation'},
  ProjectNotFound: {status: 404, fields: {projectId: text}, when: 'absent, or out of reach'},
  ThreadNotFound: {status: 404, fields: {threadId: text}, when: 'absent, or out of reach'},
  TaskNotFound: {status: 404, fields: {taskId: text}, when: 'absent, or out of reach'},
  ReviewRefused: {
    status: 422,
    fields: {reason: text},
    when: 'a closed or draft pull request, or one that cannot be read',
  },
  RateLimited: {
    status: 429,
    fields: {retryAfterSeconds: z.int()},
    when: 'too many requests or open streams; the header `retry-after` says the same',
  },
  Conflict: {status: undefined, fields: {message: text}, when: 'it does not fit the present state'},
  ThreadOrganizationNotFound: {status: undefined, fields: {}, when: 'the folder is absent'},
  StreamUnavailable: {status: undefined, fields: {}, when: 'the stream cannot be served now'},
} as const satisfies Readonly<Record<string, Refusal>>

export type RefusalTag = keyof typeof REFUSALS

/** The whole body of a refusal. The prefix is the service's name. */
export function refusalBody(tag: RefusalTag): z.ZodType {
  const {fields} = REFUSALS[tag]
  const pattern = new RegExp(`^[^/]+/${tag.replaceAll('.', '\\.')}$`)
  return z.object({_tag: text.regex(pattern).meta({examples: [`svc/${tag}`]}), ...fields})
}
