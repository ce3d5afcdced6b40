import type {WebClient} from '@slack/web-api'
import {createMemory} from '../../async/memory.ts'
import {SlackError, mayPass} from '../../once/slack-error.ts'
import type {Log} from '../../relay/ports.ts'
import {callSlack} from '../api/slack-client.ts'

/** Of an organization's workspaces; more than any has. */
const PAGE = 1000
const MAX_PAGES = 10
/** So long an answer counts for all who press in one workspace, and of so many it is remembered. */
const KEEP_MS = 60_000
const MOST_KNOWN = 1000

/**
 * Whether Slack lists a workspace among those that an organization has let the app into.
 *
 * @throws {SlackError} while Slack may say so later: what cannot be told is not acknowledged, and comes again.
 */
type IsGranted = (organization: string, team: string) => Promise<boolean>

export function createIsGranted({
  clientOf,
  log,
}: {
  /** With the organization's token. */
  clientOf: (organization: string) => WebClient
  log: Log
}): IsGranted {
  const known = createMemory<Promise<boolean>>({most: MOST_KNOWN})

  /** https://docs.slack.dev/reference/methods/auth.teams.list */
  const isListed = async (organization: string, team: string): Promise<boolean> => {
    const client = clientOf(organization)
    let cursor: string | undefined
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const from = {limit: PAGE, ...(cursor !== undefined && {cursor})}
      const answer = await callSlack(() => client.auth.teams.list(from))
      if (answer.teams?.some(({id}) => id === team) === true) return true
      cursor = answer.response_metadata?.next_cursor || undefined
      if (cursor === undefined) return false
    }
    return false
  }

  return (organization, team) => {
    const key = `${organization} ${team}`
    const before = known.of(key)
    if (before !== undefined) return before
    const asked = isListed(organization, team).catch((error: unknown) => {
      if (!(error instanceof SlackError) || mayPass(error)) {
        known.forget(key)
        throw error
      }
      log.warn({err: error, install: organization, team}, 'Slack does not say whose it is')
      return false
    })
    known.keep(key, asked, KEEP_MS)
    return asked
  }
}
