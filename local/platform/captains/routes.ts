import {newCaptain} from '../../../src/platform/contract/bodies.ts'
import {readBody, type AddRoute} from '../edge/request.ts'
import {modelSchema, wordsSchema} from '../edge/schemas.ts'
import type {ShowThread} from '../threads/wire.ts'
import {avatarSchema} from './captains.ts'
import type {Enlistment} from './enlistment.ts'

export const captainSchema = newCaptain.extend({
  brief: wordsSchema.optional(),
  model: modelSchema.strict().optional(),
  avatar: avatarSchema.optional(),
})

interface CaptainRoutes {
  enlistment: Enlistment
  showThread: ShowThread
}

/** Captains; reading and driving them is done through their threads. Section 4.4. */
export function addCaptainRoutes(add: AddRoute, {enlistment, showThread}: CaptainRoutes): void {
  add('POST', '/captains', async (request) => {
    const {model, ...order} = await readBody(request, captainSchema)
    const principal = request.get('principal')
    const {thread, captain, created} = enlistment.enlist(principal, {
      ...order,
      modelId: model?.modelId,
    })
    request.set('applied', created)
    const {name, avatar} = captain
    return request.json({...showThread(thread, principal), name, avatar})
  })
}
