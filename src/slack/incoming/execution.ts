import {z} from 'zod'
import {eventParserOf} from './who.ts'

/** A step of ours is reached in somebody's workflow, which waits for it. */
export interface StepExecution {
  team: string
  /** The same each time it is delivered; by it Slack is told how it ended. */
  id: string
  /** Which of our steps. */
  callbackId: string
  /** As whoever built the workflow has filled it in, by name. */
  inputs: Readonly<Record<string, unknown>>
  /** What of its delivery is written down: the token that comes with it is not. */
  kept: unknown
}

const eventSchema = z.object({
  type: z.literal('function_executed'),
  function: z.object({callback_id: z.string()}),
  // A step that could not be read would be waited for until its workflow gives up.
  inputs: z
    .record(z.string(), z.unknown())
    .nullish()
    .transform((inputs) => inputs ?? {}),
  function_execution_id: z.string().min(1).max(255),
})

/** https://docs.slack.dev/reference/events/function_executed */
export const parseExecution = eventParserOf(eventSchema, (event, team): StepExecution => {
  const {function_execution_id: id, inputs} = event
  const {callback_id: callbackId} = event.function
  return {team, id, callbackId, inputs, kept: {type: 'event_callback', team_id: team, event}}
})
