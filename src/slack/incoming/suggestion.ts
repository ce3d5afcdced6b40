import {z} from 'zod'
import {orEmpty} from './message.ts'
import {type ViewRef, toViewRef, viewSchema} from './press.ts'
import {type Who, actor, parserOf, toWho} from './who.ts'

/** Somebody types into a menu of a modal of ours, and Slack asks what to offer: https://docs.slack.dev/reference/interaction-payloads/block_suggestion-payload */
export interface Suggestion extends Who {
  actionId: string
  /** Empty when the menu was opened and nothing is typed yet. */
  typed: string
  view: ViewRef
}

const suggestionSchema = z.object({
  type: z.literal('block_suggestion'),
  ...actor,
  action_id: z.string(),
  value: orEmpty,
  view: viewSchema,
})

export const parseSuggestion = parserOf(suggestionSchema, (data): Suggestion => {
  const {action_id: actionId, value: typed, view} = data
  return {...toWho(data), actionId, typed, view: toViewRef(view)}
})
