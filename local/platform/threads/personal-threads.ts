import type {Plan} from '../organization/plan.ts'
import type {Seed} from '../seed/seed.ts'
import type {Threads} from './threads.ts'

/** Plants the threads of single members that the seed names; no project holds them. Section 4.6. */
export function plantPersonalThreads(threads: Threads, plan: Plan, {personalThreads}: Seed): void {
  for (const {id, authorId, title} of personalThreads) {
    if (threads.find(id) !== undefined) continue
    threads.insert({
      id,
      requestId: null,
      projectId: null,
      authorId,
      personal: 1,
      title,
      titleCustom: 1,
      modelId: plan.defaultModelId,
      machineSize: null,
    })
    threads.addParticipant(id, authorId)
  }
}
