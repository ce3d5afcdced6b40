import type {Calls} from './calls.ts'
import {type Avatar, type Captain, type ModelSelection, captainSchema} from './model.ts'

/** Captains, section 4.4. */
export interface CaptainCalls {
  createCaptain(captain: NewCaptain, signal: AbortSignal): Promise<Captain>
}

interface NewCaptain {
  /** 1 to 191 characters; a repeated one returns the existing captain unchanged. */
  requestId: string
  projectId: string
  /** 1 to 100 characters. */
  name: string
  /** The owner's first message; without it the captain greets and asks. */
  brief?: string
  model?: ModelSelection
  avatar?: Avatar
  /** The member who owns it. A service key must name one. */
  authorId?: string
}

export function createCaptainCalls({create}: Calls): CaptainCalls {
  return {
    createCaptain: (captain, signal) => create(['captains'], captainSchema, signal, captain),
  }
}
