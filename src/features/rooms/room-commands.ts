import {ACTIONS} from '../../slack/ids.ts'
import {roomTexts} from './texts.ts'

/**
 * What is typed in a room in the place of a button, by its action. Slack has commands of its own, which these must not be
 * called: `archive` and `mute` are among them.
 */
export const BUTTONS = {
  stop: ACTIONS.stop,
  details: ACTIONS.details,
  tasks: ACTIONS.tasks,
  steps: ACTIONS.steps,
  'new-title': ACTIONS.newTitle,
  'archive-work': ACTIONS.archive,
} as const

export const MODEL = 'model'

/** Names of all of them, without their slash. */
export const NAMES = [...(Object.keys(BUTTONS) as (keyof typeof BUTTONS)[]), MODEL] as const

/** As Slack is told of them: https://docs.slack.dev/reference/methods/agents.conversations.setCommands */
export function roomCommands(): {name: string; description: string; argument_hint?: string}[] {
  const {typed, modelHint} = roomTexts
  return NAMES.map((name) => ({
    name,
    description: typed[name],
    ...(name === MODEL && {argument_hint: modelHint}),
  }))
}
