import {type WorkDeps, giveUpWork} from '../../../agents/lifecycle.ts'
import {parseJson} from '../../../security/foreign-json.ts'
import {startOfForm, messageRequestId} from '../../../slack/gate/start-request.ts'
import type {Interaction} from '../../../slack/incoming/interaction.ts'
import type {Alert, AlertStore} from '../../../store/tables/rules/alerts.ts'
import type {StartStore} from '../../../store/tables/work/starts.ts'

interface GivingUpOptions {
  deps: Pick<WorkDeps, 'links' | 'show'> & {
    starts: Pick<StartStore, 'byId'>
    alerts: Pick<AlertStore, 'byId'>
  }
}

/** What was to begin by this, and is not tried any more: its card says so, and offers to try again. */
export function createGivingUp({deps}: GivingUpOptions) {
  const {links, starts, alerts} = deps

  const requestOf = async (interaction: Interaction): Promise<string | undefined> => {
    switch (interaction.kind) {
      case 'message':
      case 'message changed':
        return messageRequestId(interaction)
      case 'press': {
        const [id = ''] = interaction.value.split(/[ .]/, 1)
        const asked = (await starts.byId(id)) ?? (await links.byId(id))
        return asked?.requestId ?? requestOfAlert(await alerts.byId(id))
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
    const {team} = interaction
    const requestId = await requestOf(interaction)
    if (requestId !== undefined) await giveUpWork(deps, {team, requestId})
  }
}

/** Of a message that a rule asks about. */
function requestOfAlert(alert: Alert | undefined): string | undefined {
  return alert && messageRequestId(alert)
}
