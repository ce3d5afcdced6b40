import {z} from 'zod'
import {parseJson} from '../security/foreign-json.ts'
import type {InboxRow} from '../store/tables/inbox.ts'

/** The kind of these rows: nobody did them in Slack. */
const RULE_ROW = 'rule'
const bodySchema = z.object({type: z.literal(RULE_ROW), team: z.string(), alert: z.string()})

/** The row of the inbox by which a rule begins work, in the lane of the Slack thread where that is to stand. */
export function beginRowOf(
  id: string,
  {team, lane}: Pick<InboxRow, 'team' | 'lane'>,
): Pick<InboxRow, 'key' | 'team' | 'lane' | 'body'> {
  const body = {type: RULE_ROW, team, alert: id} satisfies z.infer<typeof bodySchema>
  return {key: JSON.stringify([RULE_ROW, team, id]), team, lane, body: JSON.stringify(body)}
}

/** The alert that a row is about; `undefined`: it is something else. */
export function alertOfRow({key, body}: Pick<InboxRow, 'key' | 'body'>): string | undefined {
  if (!key.startsWith(`["${RULE_ROW}",`)) return undefined
  return bodySchema.safeParse(parseJson(body)).data?.alert
}
