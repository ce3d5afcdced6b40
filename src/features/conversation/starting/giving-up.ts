import type {WorkDeps} from '../../../agents/lifecycle.ts'
import {parseJson} from '../../../security/foreign-json.ts'
import {startOfForm, messageRequestId} from '../../../slack/gate/start-request.ts'
import type {Interaction} from '../../../slack/incoming/interaction.ts'
import type {StartStore} from '../../../store/tables/work/starts.ts'

interface GivingUpOptions {
  deps: Pick<WorkDeps, 'links' | 'show'> & {starts: Pick<StartStore, 'byId'>}
}

/** What was to begin by this, and is not tried any more: its card says so, and offers to try again. */
export function createGivingUp({deps}: GivingUpOptions) {
  const {links, show, starts} = deps

  const requestOf = async (interaction: Interaction): Promise<string | undefined> => {
    switch (interaction.kind) {
      case 'message':
      case 'message changed':
        return messageRequestId(interaction)
      case 'press': {
        const [id = ''] = interaction.value.split(/[ .]/, 1)
        return (await starts.byId(id))?.requestId ?? (await links.byId(id))?.requestId
      }
      case 'form': {
        const id = startOfForm(parseJson(interaction.view.metadata))
        return id === undefined ? undefined : (await starts.byId(id))?.requestId
      }
      default:
        return undefined
    }
  }

  return async (interaction: Interaction): Promise<void> => {
    const requestId = await requestOf(interaction)
    const link = requestId === undefined ? undefined : await links.byRequest(requestId)
    if (link?.state !== 'starting' || link.place.team !== interaction.team) return
    const {id, attempt} = link
    const ended = {state: 'ended', notice: {code: 'given-up'}} as const
    await links.changeIf(id, {state: 'starting', attempt}, ended)
    await show(id)
  }
}
