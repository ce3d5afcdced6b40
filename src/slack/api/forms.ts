import type {HomeView, ModalView} from '@slack/types'
import {WebClient} from '@slack/web-api'
import type {Pacer} from '../../relay/pace/pacer.ts'
import type {Log} from '../../relay/ports.ts'
import type {Rank} from '../../relay/post.ts'
import {callSlack} from './slack-client.ts'
import {pacedAgain} from './paced.ts'
import {SlackError} from '../../once/slack-error.ts'

/** Modals and App Home. All but `publish` throw once the workspace is not served here any more: whoever does it goes on. */
export interface Forms {
  /**
   * Opens a modal; its id. `undefined` when the press is too long ago (a trigger lives for 3 s), which the person must be
   * told.
   */
  open(triggerId: string, view: ModalView): Promise<string | undefined>
  /** Puts a modal over the one that was pressed in. */
  push(triggerId: string, view: ModalView): Promise<string | undefined>
  /** Changes a modal that is open. False: it has been closed, or Slack does not take this. */
  update(viewId: string, view: ModalView): Promise<boolean>
  /** Shows somebody their App Home; `spare`: it is nice to have. */
  publish(user: string, view: HomeView, rank?: Rank): Promise<void>
}

interface FormsOptions {
  client: WebClient
  pacer: Pacer
  team: string
  log: Log
  /** Ends when the workspace is not served here any more. */
  signal: AbortSignal
}

/** Longer than a trigger lives. */
const OPEN_WITHIN_MS = 3000
const UPDATE_WITHIN_MS = 30_000

/** Modals that nobody looks at any more, and presses that are too long ago. */
const PAST: readonly string[] = [
  ...['expired_trigger_id', 'exchanged_trigger_id', 'invalid_trigger_id', 'trigger_expired'],
  ...['not_found', 'view_not_found', 'push_limit_reached'],
]

export function createForms({client, pacer, team, log, signal}: FormsOptions): Forms {
  const call = async <Answer>(
    method: string,
    act: () => Promise<Answer>,
    withinMs: number,
    rank: Rank = 'final',
  ): Promise<Answer | undefined> => {
    const late = AbortSignal.timeout(withinMs)
    const turn = {pacer, team, method, rank, signal: AbortSignal.any([signal, late])}
    try {
      const answer = await pacedAgain(turn, () => callSlack(act))
      if (answer === undefined) signal.throwIfAborted()
      return answer
    } catch (error) {
      if (!(error instanceof SlackError)) throw error
      if (!PAST.includes(error.code)) log.warn({err: error, method}, 'A view was refused')
      return undefined
    }
  }

  return {
    open: async (triggerId, view) => {
      const open = () => client.views.open({trigger_id: triggerId, view})
      return (await call('views.open', open, OPEN_WITHIN_MS))?.view?.id
    },
    push: async (triggerId, view) => {
      const push = () => client.views.push({trigger_id: triggerId, view})
      return (await call('views.push', push, OPEN_WITHIN_MS))?.view?.id
    },
    update: async (viewId, view) => {
      const update = () => client.views.update({view_id: viewId, view})
      return (await call('views.update', update, UPDATE_WITHIN_MS)) !== undefined
    },
    publish: async (user, view, rank) => {
      const publish = () => client.views.publish({user_id: user, view})
      await call('views.publish', publish, UPDATE_WITHIN_MS, rank).catch((error: unknown) => {
        if (!signal.aborted) throw error
      })
    },
  }
}
