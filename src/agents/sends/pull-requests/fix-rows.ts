import {z} from 'zod'
import {parseJson} from '../../../security/foreign-json.ts'
import type {InboxRow} from '../../../store/tables/inbox.ts'
import type {PullRequestKey} from '../../../store/tables/pull-requests/key.ts'
import type {News} from '../../../store/tables/pull-requests/pull-requests.ts'
import type {Link} from '../../../store/tables/work/link.ts'

/** The kind of these rows: nobody did them in Slack. */
const FIX_ROW = 'fix'

const bodySchema = z.object({
  type: z.literal(FIX_ROW),
  link: z.string(),
  key: z.string(),
  need: z.string(),
})

/** What an agent is to be told by itself. */
export interface AutomaticFix {
  linkId: string
  key: PullRequestKey
  need: string
}

/**
 * The row of the inbox that has it told: one for each need and what was said last, after a crash too, and by whoever owns the
 * workspace.
 */
export function fixRowOf(
  {id, place: {team}}: Link,
  {key, need, version}: Pick<AutomaticFix, 'key' | 'need'> & Pick<News, 'version'>,
): Pick<InboxRow, 'key' | 'team' | 'lane' | 'body'> {
  const body = {type: FIX_ROW, link: id, key, need} satisfies z.infer<typeof bodySchema>
  return {
    key: JSON.stringify([FIX_ROW, team, id, key, need, version]),
    team,
    lane: JSON.stringify([FIX_ROW, team, id]),
    body: JSON.stringify(body),
  }
}

/** What a row is about; `undefined`: it is what somebody did. */
export function fixOfRow({key, body}: Pick<InboxRow, 'key' | 'body'>): AutomaticFix | undefined {
  if (!key.startsWith(`["${FIX_ROW}",`)) return undefined
  const {data} = bodySchema.safeParse(parseJson(body))
  return data && {linkId: data.link, key: data.key, need: data.need}
}
