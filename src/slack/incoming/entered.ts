import {z} from 'zod'
import {trimmed} from '../../markdown/visible.ts'

/** What somebody has entered in a view so far. */
export interface Entered {
  /** By action id: text, the chosen value, or several joined by commas. Absent when nothing in it shows. */
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

export const stateSchema = z.object({
  values: z.record(z.string(), z.record(z.string(), entrySchema)),
})

export function toEntered(state: z.infer<typeof stateSchema>): Entered {
  const values = new Map<string, string>()
  const blocks = new Map<string, string>()
  for (const [block, entries] of Object.entries(state.values)) {
    for (const [action, entry] of Object.entries(entries)) {
      blocks.set(action, block)
      const value = valueOf(entry)
      if (trimmed(value) !== '') values.set(action, value)
    }
  }
  return {values, blocks}
}

/** Of what several can be chosen. */
export function listed(values: Entered['values'], name: string): string[] {
  return (values.get(name) ?? '').split(',').filter((value) => value !== '')
}

function valueOf(entry: z.infer<typeof entrySchema>): string {
  const one = entry.value ?? entry.selected_option?.value ?? entry.selected_user
  const many =
    entry.selected_options?.map(({value}) => value).join(',') ?? entry.selected_users?.join(',')
  return one ?? entry.selected_conversation ?? many ?? ''
}
