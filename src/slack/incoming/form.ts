import {z} from 'zod'
import {type ViewRef, toViewRef, viewSchema} from './press.ts'
import {type Who, actor, parserOf, toWho} from './who.ts'

/** A modal that somebody submitted: https://docs.slack.dev/reference/interaction-payloads/view-interactions-payload */
export interface Form extends Who {
  kind: 'form'
  callbackId: string
  view: ViewRef
  /** What was entered, by action id: text, the chosen value, or several joined by commas. Absent when empty. */
  values: ReadonlyMap<string, string>
  /** The block in which each of them stands: where an error about it is shown. */
  blocks: ReadonlyMap<string, string>
}

const entrySchema = z.object({
  value: z.string().nullish(),
  selected_option: z.object({value: z.string()}).nullish(),
  selected_options: z.array(z.object({value: z.string()})).nullish(),
  selected_user: z.string().nullish(),
  selected_users: z.array(z.string()).nullish(),
  selected_conversation: z.string().nullish(),
})

const formSchema = z.object({
  type: z.literal('view_submission'),
  ...actor,
  view: viewSchema.extend({
    state: z.object({values: z.record(z.string(), z.record(z.string(), entrySchema))}),
  }),
})

export const parseForm = parserOf(formSchema, (data): Form => {
  const values = new Map<string, string>()
  const blocks = new Map<string, string>()
  for (const [block, entries] of Object.entries(data.view.state.values)) {
    for (const [action, entry] of Object.entries(entries)) {
      blocks.set(action, block)
      const value = valueOf(entry)
      if (value !== '') values.set(action, value)
    }
  }
  const view = toViewRef(data.view)
  return {kind: 'form', ...toWho(data), callbackId: view.callbackId, view, values, blocks}
})

function valueOf(entry: z.infer<typeof entrySchema>): string {
  const one = entry.value ?? entry.selected_option?.value ?? entry.selected_user
  const many =
    entry.selected_options?.map(({value}) => value).join(',') ?? entry.selected_users?.join(',')
  return one ?? entry.selected_conversation ?? many ?? ''
}
