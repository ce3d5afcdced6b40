import {z} from 'zod'
import {parseJson} from '../../security/foreign-json.ts'
import type {BudgetNote} from '../../store/tables/budgets/notes.ts'
import type {InboxRow} from '../../store/tables/inbox.ts'

/** The kind of these rows: nobody did them in Slack. */
export const BUDGET_ROW = 'budget'
const bodySchema = z.object({type: z.literal(BUDGET_ROW), note: z.string()})

/** The row of the inbox that has work stopped: what was written before it comes before it. */
export function stopRowOf({
  id,
  team,
  turn,
}: Pick<BudgetNote, 'id' | 'team' | 'turn'>): Pick<InboxRow, 'key' | 'team' | 'lane' | 'body'> {
  const key = JSON.stringify([BUDGET_ROW, team, id, String(turn)])
  const body = JSON.stringify({type: BUDGET_ROW, note: id} satisfies z.infer<typeof bodySchema>)
  return {key, team, lane: key, body}
}

/** The note that a row is about; `undefined`: it is what somebody did. */
export function noteOfRow({key, body}: Pick<InboxRow, 'key' | 'body'>): string | undefined {
  if (!key.startsWith(`["${BUDGET_ROW}",`)) return undefined
  return bodySchema.safeParse(parseJson(body)).data?.note
}
