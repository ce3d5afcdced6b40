import type {App, Logger, ReceiverEvent} from '@slack/bolt'
import type {PlainTextOption} from '@slack/types'
import {pause} from '../../async/pause.ts'
import {type Arrival, type Intake, UntakenError} from '../../inbox/intake.ts'
import type {FormRules} from '../gate/feature.ts'
import {type Lookup, typedOption} from '../gate/model-lookup.ts'
import type {AppMessage} from '../incoming/alert.ts'
import {type ArrivalRules, toAppArrival, toArrival, toLinksArrival} from '../incoming/arrival.ts'
import {parseForm} from '../incoming/form.ts'
import {parseKeptBack} from '../incoming/kept-back.ts'
import type {SharedLinks} from '../incoming/links.ts'
import {
  type Comeback,
  type Parsed,
  comebackIn,
  parseBody,
  parseClosed,
} from '../incoming/parse-body.ts'
import {type Suggestion, parseSuggestion} from '../incoming/suggestion.ts'
import {organizationOf, saysTeam} from '../incoming/who.ts'
import type {Protect} from '../secrecy.ts'

/**
 * What stands between Slack's receivers and Bolt: the row is written first, then the delivery is
 * acknowledged. Rejects when there is no row, and then nothing was acknowledged.
 */
export interface Gate {
  processEvent(event: ReceiverEvent): Promise<void>
}

/** Slack waits 3 s for what a menu offers, the way there and back included. */
const LOOK_UP_WITHIN_MS = 2000

interface GateOptions extends Omit<ArrivalRules, 'isRoom'> {
  intake: Intake
  /** By callback id. */
  formRules: ReadonlyMap<string, FormRules>
  protect: Protect
  /** What a menu offers that asks us. */
  lookup: Lookup
  /** Slack delivers this for an organization that has the app in all of its workspaces. */
  onOrganization: (of: {organization: string; team: string; isGuess: boolean}) => Promise<void>
  /** Whether a rule of the channel is about the app that wrote this; nothing else that apps write is ours. */
  concerns: (message: AppMessage) => Promise<boolean>
  /** Whether these may lead to something that is known here; of all others nothing is written down. */
  mayLeadHere: (links: SharedLinks) => Promise<boolean>
  /** Whether a channel is a room, where everything that people say is for the agent. */
  isRoom: (of: {team: string; channel: string}) => Promise<boolean>
  /** Whether somebody works for this workspace or organization: what is done elsewhere is none of ours. */
  knows: (name: string) => Promise<boolean>
  /** A channel may be open to us again. */
  onComeback: (comeback: Comeback) => void
  /** Somebody has come into a channel, or left it. */
  onMoved: (move: {team: string; channel: string; user: string}) => void
  /** A channel is private, and may not have been so a moment ago. */
  onClosed: (of: {team: string; channel: string}) => void
  /** Slack keeps events of a workspace back. */
  onKeptBack: (team: string) => void
}

export function createGate(options: GateOptions): Gate {
  const {intake, formRules, protect} = options
  const {concerns, mayLeadHere, knows, onOrganization} = options
  const {onComeback, onMoved, onClosed, onKeptBack} = options

  /** No row is made of it: who does not see an answer types on. */
  const offered = async (asked: Suggestion): Promise<PlainTextOption[]> => {
    const late = new AbortController()
    const typed = typedOption(asked.typed)
    const find = async (): Promise<PlainTextOption[]> =>
      (await knows(asked.team)) ? options.lookup(asked) : []
    try {
      const found = await Promise.race([find(), pause(LOOK_UP_WITHIN_MS, late.signal)])
      return found ?? typed
    } catch {
      return typed
    } finally {
      late.abort()
    }
  }

  const isInRoom = async (parsed: Parsed): Promise<boolean> => {
    if (parsed.kind !== 'interaction') return false
    const {interaction} = parsed
    switch (interaction.kind) {
      case 'message':
      case 'message changed':
      case 'message deleted':
        return !interaction.channel.startsWith('D') && options.isRoom(interaction)
      default:
        return false
    }
  }

  const arrivalOf = async (parsed: Parsed, body: unknown): Promise<Arrival | undefined> => {
    if (parsed.kind === 'links') {
      const {links} = parsed
      if (links.user === options.botUserIn(links.team)) return undefined
      return (await mayLeadHere(links)) ? toLinksArrival(links, body) : undefined
    }
    if (parsed.kind !== 'app message') {
      return toArrival(parsed, body, {...options, isRoom: await isInRoom(parsed)})
    }
    return (await concerns(parsed.message)) ? toAppArrival(parsed.message, body) : undefined
  }

  return {
    processEvent: async ({body, ack, customProperties}) => {
      const safe = protect(body)
      const keptBack = parseKeptBack(safe)
      if (keptBack !== undefined) {
        onKeptBack(keptBack)
        await ack()
        return
      }
      const asked = parseSuggestion(safe)
      if (asked !== undefined) {
        await ack({options: await offered(asked)})
        return
      }
      const parsed = parseBody(safe)
      if (parsed.kind === 'joined' || parsed.kind === 'left') onMoved(parsed)
      // Before the row: what the message begins is begun in private.
      const closed = parseClosed(safe)
      if (closed !== undefined) onClosed(closed)
      const isForm = parsed.kind === 'interaction' && parsed.interaction.kind === 'form'
      // As it was entered: a check of a key has to see the key, which is sealed in what is written down.
      const form = isForm ? parseForm(body) : undefined
      const rules = form && formRules.get(form.callbackId)
      const errors = form && rules?.check?.(form)
      if (errors !== undefined) {
        await ack({response_action: 'errors', errors})
        return
      }
      const name = nameOf(parsed)
      const organization = parsed.kind === 'ending' ? undefined : organizationOf(safe)
      if (organization !== undefined && name !== undefined) {
        await onOrganization({organization, team: name, isGuess: !saysTeam(safe)})
      }
      // First: what is installed elsewhere a moment ago is known from then on.
      const isOurs = name !== undefined && (await knows(name))
      const arrival = isOurs ? await arrivalOf(parsed, safe) : undefined
      if (arrival !== undefined)
        await intake(arrival, (customProperties as Sent | undefined)?.hungUp)
      const view = form && rules?.pause?.(form)
      await (view === undefined ? ack() : ack({response_action: 'update', view}))
      const comeback = comebackIn(parsed)
      if (comeback !== undefined) onComeback(comeback)
    },
  }
}

/** Whose it is, of what becomes a row. */
function nameOf(parsed: Parsed): string | undefined {
  switch (parsed.kind) {
    case 'interaction':
      return parsed.interaction.team
    case 'joined':
    case 'shared':
      return parsed.team
    case 'app message':
      return parsed.message.team
    case 'execution':
      return parsed.execution.team
    case 'links':
      return parsed.links.team
    case 'details':
      return parsed.asked.team
    case 'ending':
      return parsed.ending.organization ?? parsed.ending.team
    default:
      return undefined
  }
}

/** No row, no acknowledgement: Slack delivers it again, or tells the person. */
export function tellUntaken(logger: Logger, error: unknown): void {
  const why = error instanceof UntakenError ? [`${error.message},`, error.cause] : [error]
  logger.error('A delivery could not be taken:', ...why)
}

/** How something was sent. */
export interface Sent {
  /** Nobody waits for the answer any more. */
  hungUp: AbortSignal | undefined
}

/** A receiver calls nothing but `processEvent` of what it is initialised with. */
export function asApp(gate: Gate): App {
  return gate as unknown as App
}
