import type {LedgerRow} from '../../../local/platform/edge/ledger.ts'
import type {CallRecord} from '../../../local/slack/edge/ledger.ts'
import {type Field, type LinkFacts, OTHER_TEAM} from './field.ts'

/** What was sent together: all of it done in one channel, whatever it speaks of. */
interface Batch {
  channel: string
  /** Their texts. */
  bodies: readonly string[]
}

interface Judge {
  /** What happened outside the batch's channel since the last time, one line each. */
  judge(batch: Batch): string[]
}

/** Whoever works on their own work in App Home, or in the list of it, reaches all their channels. */
const REACHES_OWN = ['bosun:home', 'bosun:list-stop']

/** Calls that say something to somebody, or show it. */
const SAYING =
  /^(chat\.(?!getPermalink)|reactions\.|files\.|views\.|pins\.|conversations\.(?!history|replies|info|members|list|open))/

/**
 * Holds what the stand-ins and our tables tell against where each batch was done. Nothing of other channels may have
 * been asked of the platform, changed in our tables, or said in Slack.
 */
export function createJudge(field: Field): Judge {
  const {world} = field
  const channels = new Set([...field.spots, ...field.strangers].map(({channel}) => channel))
  const foreign = field.foreignRows()
  let before = new Map(field.links().map((link) => [link.id, link]))
  let requests = world.platform.ledger.at(-1)?.seq ?? 0
  let calls = world.slack.ledger.calls.length

  const mayReach = (link: LinkFacts, {channel, bodies}: Batch): boolean => {
    if (link.team === OTHER_TEAM) return false
    if (link.channel === channel || !channels.has(link.channel)) return true
    return bodies.some(
      (body) =>
        REACHES_OWN.some((name) => body.includes(name)) &&
        body.includes(link.id) &&
        body.includes(link.startedBy),
    )
  }

  const judgeRequests = (batch: Batch, links: readonly LinkFacts[]): string[] => {
    const rows = world.platform.ledger.filter(({seq, method}) => seq > requests && method !== 'GET')
    requests = world.platform.ledger.at(-1)?.seq ?? requests
    return rows.flatMap((row) => {
      const threadId = /\/threads\/([^/?]+)/.exec(row.path)?.[1]
      const at = links.filter((link) => link.threadId !== '' && link.threadId === threadId)
      const isRight =
        at.length === 0 ? isOwn(row, threadId) : at.some((link) => mayReach(link, batch))
      return isRight ? [] : [`platform: ${row.method} ${row.path} ${JSON.stringify(row.body)}`]
    })
  }

  /** Who archived it, or took it back, is judged by the requests; a table may hear of that a minute later. */
  const followsPlatform = (was: LinkFacts | undefined, link: LinkFacts): boolean => {
    const {status} = world.platform.threads().find(({id}) => id === link.threadId) ?? {}
    const isTold = link.state === (status === 'archived' ? 'archived' : 'open')
    return isTold && was?.said.replace(`"${was.state}"`, `"${link.state}"`) === link.said
  }

  const judgeLinks = (batch: Batch, links: readonly LinkFacts[]): string[] =>
    links.flatMap((link) => {
      const was = before.get(link.id)
      if (was?.said === link.said || mayReach(link, batch) || followsPlatform(was, link)) return []
      return [`table: ${JSON.stringify(was ?? 'nothing')} became ${JSON.stringify(link)}`]
    })

  const judgeCalls = (batch: Batch, links: readonly LinkFacts[]): string[] => {
    const made = world.slack.ledger.calls.slice(calls)
    calls = world.slack.ledger.calls.length
    return made.flatMap((call) => {
      const channel = call.args['channel'] ?? call.args['channel_id']
      if (typeof channel !== 'string' || channel === batch.channel) return []
      if (!SAYING.test(call.method) || !channels.has(channel)) return []
      // A relay draws what it always draws; whether it had reason to is judged by requests and tables.
      if (links.some((link) => link.channel === channel && isOfRelay(call, link))) return []
      return [`slack: ${call.method} ${JSON.stringify(call.args)}`]
    })
  }

  return {
    judge: (batch) => {
      const links = field.links()
      const wrong = [
        ...judgeRequests(batch, links),
        ...judgeLinks(batch, links),
        ...judgeCalls(batch, links),
        ...(field.foreignRows() === foreign ? [] : ['table: rows of the other workspace changed']),
      ]
      before = new Map(links.map((link) => [link.id, link]))
      return wrong
    },
  }
}

/** A thread that no link has is nobody's; what is in none is its asker's, with the key of where it was asked. */
function isOwn({path, applied}: LedgerRow, threadId: string | undefined): boolean {
  return threadId === undefined ? IN_NO_THREAD.test(path) : !applied
}

const IN_NO_THREAD =
  /^\/api\/v1\/(threads|captains|automations|reviews|review-rules|review-filters|review-billing-transfer)(\/|$)/

function isOfRelay({method, args}: CallRecord, {slackThread}: LinkFacts): boolean {
  if (method === 'chat.postEphemeral') return false
  if (method === 'chat.update' || method === 'chat.delete') return true
  return args['thread_ts'] === slackThread || method.endsWith('Stream')
}
