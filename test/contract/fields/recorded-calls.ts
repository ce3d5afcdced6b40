import type {z} from 'zod'
import type {Calls} from '../../../src/platform/calls.ts'
import type {PlatformClient} from '../../../src/platform/client.ts'
import {createAutomationCalls} from '../../../src/platform/endpoints/automations.ts'
import {createMessageCalls} from '../../../src/platform/endpoints/messages.ts'
import {createOrganizationCalls} from '../../../src/platform/endpoints/organization.ts'
import {createReviewCalls} from '../../../src/platform/endpoints/reviews.ts'
import {createSessionCalls} from '../../../src/platform/endpoints/sessions.ts'
import {createThreadCalls} from '../../../src/platform/endpoints/threads.ts'
import {pageSchema} from '../../../src/platform/model.ts'
import {everyMethod} from '../../platform/every-method.ts'
import {fieldsOfSchema, fieldsOfValue} from './schema-fields.ts'

/** What goes out and what is read of what comes back, by names. */
interface CallFields {
  sent: string[]
  read: string[]
}

/** What one method of the client asks with every field set, without a platform. */
export async function fieldsOfCall(method: keyof PlatformClient): Promise<CallFields> {
  let seen: CallFields | undefined
  const note = (answer: z.ZodType, query: object = {}, body?: unknown): Promise<object> => {
    seen = {sent: [...Object.keys(query), ...fieldsOfValue(body)], read: fieldsOfSchema(answer)}
    return Promise.resolve({})
  }
  const calls = {
    call: ({answer, query, body}) => note(answer, query, body),
    read: (_path, answer, _signal, query) => note(answer, query),
    act: (_path, answer, _signal, body) => note(answer, {}, body),
    create: (_path, answer, _signal, body) => note(answer, {}, body),
    pages: async function* ({item, cursorName, query}) {
      yield* []
      await note(pageSchema(item), {...query, [cursorName]: undefined})
    },
    pageSize: undefined,
  } as Calls
  const client: PlatformClient = {
    ...createThreadCalls(calls),
    ...createMessageCalls(calls),
    ...createOrganizationCalls(calls),
    ...createAutomationCalls(calls),
    ...createReviewCalls(calls),
    ...createSessionCalls(calls),
  }
  await everyMethod[method].call(client, new AbortController().signal)
  if (seen === undefined) throw new Error(`${method} asks nothing.`)
  return seen
}
