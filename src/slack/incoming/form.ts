import {z} from 'zod'
import {type Entered, stateSchema, toEntered} from './entered.ts'
import {type ViewRef, toViewRef, viewSchema} from './press.ts'
import {type Who, actor, parserOf, toWho} from './who.ts'

/** A modal that somebody submitted: https://docs.slack.dev/reference/interaction-payloads/view-interactions-payload */
export interface Form extends Who, Entered {
  kind: 'form'
  callbackId: string
  view: ViewRef
}

const formSchema = z.object({
  type: z.literal('view_submission'),
  ...actor,
  view: viewSchema.extend({state: stateSchema}),
})

export const parseForm = parserOf(formSchema, (data): Form => {
  const view = toViewRef(data.view)
  const {callbackId} = view
  return {kind: 'form', ...toWho(data), callbackId, view, ...toEntered(data.view.state)}
})
