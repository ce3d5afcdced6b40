import {z} from 'zod'
import {sessionNotFound} from '../edge/errors.ts'
import {param, readBody, type AddRoute, type Handler} from '../edge/request.ts'
import type {Conversation} from '../threads/conversation.ts'
import type {Sessions} from './sessions.ts'

/** Section 4.11 does not name the field: the likely names are all taken. */
export const verificationSchema = z
  .object({token: z.string(), sessionToken: z.string(), session_token: z.string(), jwt: z.string()})
  .partial()
  .transform(({token, sessionToken, session_token: snakeCased, jwt}) => {
    return token ?? sessionToken ?? snakeCased ?? jwt
  })
  .refine((token) => token !== undefined, {path: ['token'], message: 'must be a string'})

interface SessionRoutes {
  conversation: Conversation
  sessions: Sessions
}

/** The identity of code that runs on an agent's machine. Section 4.11. */
export function addSessionRoutes(add: AddRoute, {conversation, sessions}: SessionRoutes): void {
  add('GET', '/threads/:threadId/session-token', (request) => {
    const thread = conversation.thread(request.get('principal'), param(request, 'threadId'))
    const token = sessions.token(thread)
    if (token === undefined) throw sessionNotFound(thread.id)
    return request.json(token)
  })

  const verify: Handler = async (request) => {
    const token = await readBody(request, verificationSchema)
    return request.json(sessions.verify(request.get('principal'), token))
  }
  add('POST', '/sessions/verify', verify, {readsOnly: true})
}
