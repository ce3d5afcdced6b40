import {type WorkDeps, giveUpWork} from '../../../agents/lifecycle.ts'
import {parseJson} from '../../../security/foreign-json.ts'
import {startOfForm, messageRequestId} from '../../../slack/gate/start-request.ts'
import type {Interaction} from '../../../slack/incoming/interaction.ts'
import type {Alert, AlertStore} from '../../../store/tables/rules/alerts.ts'
import type {Start, StartStore} from '../../../store/tables/work/starts.ts'

interface GivingUpOptions {
  deps: Pick<WorkDeps, 'links' | 'show'> & {
    starts: Pick<StartStore, 'byId' | 'release'>
    alerts: Pick<AlertStore, 'byId'>
  }
}

/**
 * What was to begin by this, and is not tried any more: its card says so, and offers to try again. Where there is none, the
 * question that it answered may be answered anew.
 */
export function createGivingUp({deps}: GivingUpOptions) {
  const {links, starts, alerts} = deps

  const requestOf = async (
    interaction: Interaction,
  ): Promise<{requestId?: string | undefined; start?: Start | undefined}> => {
    switch (interaction.kind) {
      case 'message':
      case 'message changed':
        return {requestId: messageRequestId(interaction)}
      case 'press': {
        const [id = ''] = interaction.value.split(/[ .]/, 1)
        const start = await starts.byId(id)
        const asked = start ?? (await links.byId(id))
        return {requestId: asked?.requestId ?? requestOfAlert(await alerts.byId(id)), start}
      }
      case 'form': {
        const id = startOfForm(parseJson(interaction.view.metadata))
        const start = id === undefined ? undefined : await starts.byId(id)
        return {requestId: start?.requestId, start}
      }
      default:
        return {}
    }
  }

  return async (interaction: Interaction): Promise<void> => {
    const {team} = interaction
    const {requestId, start} = await requestOf(interaction)
    if (requestId === undefined) return
    const hasCard = await giveUpWork(deps, {team, requestId})
    if (!hasCard && start?.team === team) await starts.release(start.id)
  }
}

/** Of a message that a rule asks about. */
function requestOfAlert(alert: Alert | undefined): string | undefined {
  return alert && messageRequestId(alert)
}
