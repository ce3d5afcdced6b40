import {createSlackEndpoint} from '../../src/http/slack-endpoint.ts'
import {listen} from '../../src/http/server.ts'
import type {Intake} from '../../src/inbox/intake.ts'
import {Secret} from '../../src/security/secret.ts'
import {createSlackLogger} from '../../src/slack/api/log.ts'
import type {Lookup} from '../../src/slack/gate/model-lookup.ts'
import {createGate} from '../../src/slack/receivers/gate.ts'
import {createHttpListener} from '../../src/slack/receivers/http-listener.ts'
import {SILENT_LOG} from './silent-log.ts'

/** A server whose only room is Slack's: what it lets in goes to the intake. */
export function listenForSlack(
  secret: string,
  intake: Intake,
  lookup: Lookup = async () => Promise.resolve([]),
  onClosed: (of: {team: string; channel: string}) => void = () => undefined,
  log: Parameters<typeof createSlackLogger>[0] = SILENT_LOG,
) {
  const gate = createGate({
    intake,
    botUserIn: () => 'U0BOT',
    formRules: new Map(),
    repeatable: new Set(),
    startEmoji: undefined,
    protect: (body) => body,
    lookup,
    mayLeadHere: async () => true,
    concerns: async () => false,
    isRoom: async () => false,
    knows: async () => true,
    onOrganization: async () => undefined,
    onComeback: () => undefined,
    onMoved: () => undefined,
    onClosed,
    onKeptBack: () => undefined,
  })
  const signingSecret = new Secret(secret)
  const events = createHttpListener({signingSecret, gate, logger: createSlackLogger(log)})
  const slack = createSlackEndpoint({signingSecret, events, log})
  return listen({host: '127.0.0.1', port: 0, slack, routes: () => new Response()})
}
