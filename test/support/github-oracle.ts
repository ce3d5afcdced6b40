import type {GithubEvent} from './github.ts'

/**
 * What the card of a pull request has to say once all of these events were sent, in whatever order: said once more from the
 * documents, over the set of events as GitHub words them, without a line of what it judges.
 */
interface Expected {
  stage: 'draft' | 'open' | 'merged' | 'closed'
  title: string
  failed: string[]
  running: number
  passed: number
  approvedBy: string[]
  wantChanges: string[]
  conflicts: boolean
  /** What the agent may be told of once: `checks:…`, `conflicts:…`, `changes:…`. */
  needs: string[]
}

type Fields = Record<string, unknown>
const fields = (value: unknown): Fields => (value ?? {}) as Fields
const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const ms = (value: unknown): number => Date.parse(text(value))

const RANKS = ['merged', 'closed', 'open', 'draft'] as const
const GOOD = ['success', 'neutral', 'skipped']
const BAD = ['failure', 'cancelled', 'timed_out', 'action_required', 'startup_failure', 'error']

function stageOf(pr: Fields): Expected['stage'] {
  if (pr['merged'] === true || pr['merged_at'] != null) return 'merged'
  if (pr['state'] === 'closed') return 'closed'
  return pr['draft'] === true ? 'draft' : 'open'
}

/** `undefined`: nothing was said of it. */
export function expectedOf(events: readonly GithubEvent[], number: number): Expected | undefined {
  const own = events.filter(({body}) => fields(body['pull_request'])['number'] === number)
  if (own.length === 0) return undefined
  const timeOf = ({body}: GithubEvent): number => ms(fields(body['pull_request'])['updated_at'])
  const newestMs = Math.max(...own.map(timeOf))
  const newest = own.filter((event) => timeOf(event) === newestMs)
  const replaced = new Set(
    newest.flatMap(({body}) => (body['action'] === 'synchronize' ? [text(body['before'])] : [])),
  )
  const pictures = newest
    .map(({body}) => {
      const pr = fields(body['pull_request'])
      return {stage: stageOf(pr), head: text(fields(pr['head'])['sha']), title: text(pr['title'])}
    })
    .sort((a, b) => {
      const [one, other] = [a, b].map((it) => [RANKS.indexOf(it.stage), it.head, it.title])
      return JSON.stringify(one) < JSON.stringify(other) ? -1 : 1
    })
  const picture = pictures.find(({head}) => !replaced.has(head)) ?? pictures[0]
  if (picture === undefined) return undefined
  const stage = pictures[0]?.stage ?? 'open'
  const isOver = stage === 'merged' || stage === 'closed'
  const checks = checksAt(events, picture.head)
  const reviews = reviewsOf(own)
  const conflicts = !isOver && hasConflict(own, picture.head)
  const changes = reviews.filter(({state}) => state === 'changes_requested')
  const {failed} = checks
  return {
    ...{stage, title: picture.title, conflicts, ...checks},
    approvedBy: reviews.filter(({state}) => state === 'approved').map(({by}) => by),
    wantChanges: changes.map(({by}) => by),
    needs: isOver
      ? []
      : [
          ...(failed.length > 0 ? [`checks:${picture.head}`] : []),
          ...(conflicts ? [`conflicts:${picture.head}`] : []),
          ...(changes.length > 0
            ? [
                `changes:${changes
                  .map(({id}) => id)
                  .sort((a, b) => a - b)
                  .join(',')}`,
              ]
            : []),
        ],
  }
}

function checksAt(events: readonly GithubEvent[], sha: string) {
  const latest = new Map<string, {order: number[]; outcome: string; name: string}>()
  const note = (key: string, name: string, order: number[], outcome: string): void => {
    const known = latest.get(key)
    const isNewer = known === undefined || isAfter(order, known.order)
    if (isNewer) latest.set(key, {order, outcome, name})
  }
  for (const {event, body} of events) {
    if (event === 'check_run') {
      const run = fields(body['check_run'])
      if (run['head_sha'] !== sha) continue
      const isOver = run['status'] === 'completed'
      const outcome = isOver ? text(run['conclusion']) : 'running'
      const name = text(run['name'])
      note(`run ${name}`, name, [Number(run['id']), isOver ? 1 : 0], outcome)
    }
    if (event === 'status' && body['sha'] === sha) {
      const name = text(body['context'])
      const outcome = body['state'] === 'pending' ? 'running' : text(body['state'])
      note(`status ${name}`, name, [ms(body['updated_at']), Number(body['id'])], outcome)
    }
  }
  const all = [...latest].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
  return {
    failed: all.filter(({outcome}) => BAD.includes(outcome)).map(({name}) => name),
    running: all.filter(({outcome}) => outcome === 'running').length,
    passed: all.filter(({outcome}) => GOOD.includes(outcome)).length,
  }
}

function isAfter(a: readonly number[], b: readonly number[]): boolean {
  const at = a.findIndex((value, index) => value !== b[index])
  return at >= 0 && (a[at] ?? 0) > (b[at] ?? 0)
}

function reviewsOf(own: readonly GithubEvent[]) {
  const byName = new Map<string, {by: string; state: string; id: number; order: number[]}>()
  for (const {event, body} of own) {
    if (event !== 'pull_request_review') continue
    const review = fields(body['review'])
    const [by, state] = [text(fields(review['user'])['login']), text(review['state'])]
    if (!['approved', 'changes_requested', 'dismissed'].includes(state)) continue
    const id = Number(review['id'])
    const order = [ms(review['submitted_at']), id, state === 'dismissed' ? 1 : 0]
    const known = byName.get(by)
    if (known === undefined || isAfter(order, known.order)) byName.set(by, {by, state, id, order})
  }
  return [...byName.values()].sort((a, b) => (a.by < b.by ? -1 : 1))
}

function hasConflict(own: readonly GithubEvent[], head: string): boolean {
  const said = own
    .map(({body}) => fields(body['pull_request']))
    .filter((pr) => pr['mergeable_state'] != null && pr['mergeable_state'] !== 'unknown')
    .map((pr) => ({
      atMs: ms(pr['updated_at']),
      is: pr['mergeable_state'] === 'dirty',
      head: text(fields(pr['head'])['sha']),
    }))
  const newestMs = Math.max(...said.map(({atMs}) => atMs))
  const last = said.filter(({atMs}) => atMs === newestMs)
  const worst = last.sort((a, b) => Number(b.is) - Number(a.is) || (a.head < b.head ? -1 : 1)).at(0)
  return worst?.is === true && worst.head === head
}

/** What stands on its card behind its name. */
export function cardWords(expected: Expected): string {
  const {stage, title, failed, running, passed, approvedBy, wantChanges, conflicts} = expected
  const named = (all: readonly string[]): string =>
    all.length > 3 ? `${all.slice(0, 3).join(', ')} and ${all.length - 3} more` : all.join(', ')
  const all = failed.length + running + passed
  const words = {draft: 'Draft', open: 'Open', merged: '🟣 Merged', closed: '⚪️ Closed'}
  const parts = [title, words[stage]]
  if (stage === 'merged' || stage === 'closed') return parts.join(' · ')
  if (failed.length > 0) parts.push(`❌ ${named(failed)} failed`)
  if (running > 0) parts.push(`⏳ ${running} of ${all} ${all === 1 ? 'check' : 'checks'} running`)
  if (failed.length + running === 0 && passed > 0) {
    parts.push(`✅ ${passed} ${passed === 1 ? 'check' : 'checks'}`)
  }
  if (conflicts) parts.push('⚠️ conflicts with its base')
  if (wantChanges.length > 0) {
    parts.push(`${named(wantChanges)} ${wantChanges.length === 1 ? 'wants' : 'want'} changes`)
  }
  if (approvedBy.length > 0) parts.push(`approved by ${named(approvedBy)}`)
  return parts.join(' · ')
}
