import {z} from 'zod'
import type {AgentOptions} from '../agents/agent-threads.ts'
import type {AppOptions, AppStep, StepParameter} from '../options.ts'

const text = (max: number) => z.string().min(1).max(max)
/** What Slack knows and the local Slack makes nothing of. */
const unread = z.unknown().optional()
const names = z.array(text(50)).max(255).optional()

const slashCommand = z.strictObject({
  command: z.string().min(2).max(32).startsWith('/'),
  url: unread,
  description: text(2_000),
  usage_hint: text(1_000).optional(),
  should_escape: unread,
})
const shortcut = z.strictObject({
  name: text(24),
  type: z.enum(['message', 'global']),
  callback_id: text(255),
  description: text(150),
})
const unfurlDomain = text(255).regex(/^(?![.-])[-a-z0-9.]+[a-z0-9]$/)
const appHome = z.strictObject({
  home_tab_enabled: z.boolean().optional(),
  messages_tab_enabled: z.boolean().optional(),
  messages_tab_read_only_enabled: z.boolean().optional(),
})
const parameters = z.strictObject({
  properties: z.record(
    z.string(),
    z.looseObject({type: text(100), title: text(100).optional(), description: unread}),
  ),
  required: z.array(z.string()).optional(),
})
const functions = z
  .record(
    text(100),
    z.strictObject({
      title: text(100),
      description: text(500),
      input_parameters: parameters,
      output_parameters: parameters,
    }),
  )
  .optional()
const features = z.strictObject({
  app_home: appHome.optional(),
  bot_user: z.strictObject({display_name: text(80), always_online: unread}).optional(),
  functions: unread,
  shortcuts: z.array(shortcut).min(1).max(10).optional(),
  slash_commands: z.array(slashCommand).min(1).max(50).optional(),
  workflow_steps: unread,
  unfurl_domains: z.array(unfurlDomain).min(1).max(5).optional(),
  agent_view: z.looseObject({}).optional(),
  code_channels: z
    .strictObject({enabled: z.boolean(), slash_command_url: z.url().max(3000).optional()})
    .optional(),
  assistant_view: z.looseObject({assistant_description: z.string()}).optional(),
})
const oauthConfig = z.strictObject({
  redirect_urls: z.array(z.url()).max(1_000).optional(),
  scopes: z
    .strictObject({bot: names, user: names, bot_optional: names, user_optional: names})
    .optional(),
  token_management_enabled: unread,
  pkce_enabled: unread,
})
const eventSubscriptions = z.strictObject({
  request_url: unread,
  user_events: unread,
  bot_events: z
    .array(text(100))
    .max(100)
    .refine((events) => new Set(events).size === events.length, 'every event stands there once')
    .optional(),
  metadata_subscriptions: unread,
})
const settings = z.strictObject({
  allowed_ip_address_ranges: unread,
  event_subscriptions: eventSubscriptions.optional(),
  incoming_webhooks: unread,
  interactivity: unread,
  org_deploy_enabled: unread,
  socket_mode_enabled: unread,
  token_rotation_enabled: z.boolean().optional(),
  is_hosted: unread,
  siws_links: unread,
  hermes_app_type: unread,
  function_runtime: unread,
  is_mcp_enabled: unread,
})

/** The groups of Slack's schema 2.0.0; none has a field that Slack does not know. */
const manifestSchema = z.strictObject({
  $schema: unread,
  _metadata: unread,
  app_directory: unread,
  display_information: z.strictObject({
    name: text(35),
    description: text(140).optional(),
    long_description: z.string().min(175).max(4_000).optional(),
    background_color: z
      .string()
      .regex(/^#([0-9a-f]{3}){1,2}$/i)
      .optional(),
  }),
  features: features.optional(),
  oauth_config: oauthConfig.optional(),
  settings: settings.optional(),
  functions,
  workflows: unread,
  datastores: unread,
  outgoing_domains: unread,
  types: unread,
  external_auth_providers: unread,
  mcp_servers: unread,
})

/** Declaring an agent brings its scope along: https://docs.slack.dev/ai/agent-sessions */
const agentScopes = ['assistant:write']

type Manifest = z.infer<typeof manifestSchema>

/**
 * What an app's manifest declares, as the local Slack takes it: https://docs.slack.dev/reference/app-manifest.
 * How payloads reach the app is no part of it: the addresses of a manifest are those of the real app.
 */
export function readManifest(manifest: unknown): AppOptions & {name: string} {
  const parsed = manifestSchema.safeParse(manifest)
  if (!parsed.success) throw new TypeError(`The manifest is wrong: ${toWords(parsed.error)}.`)
  const {display_information, features: shown, oauth_config, settings: set} = parsed.data
  const steps = toSteps(parsed.data.functions)
  if (steps.length > 0 && set?.org_deploy_enabled !== true) {
    // https://docs.slack.dev/tools/bolt-js/tutorials/custom-steps
    throw new TypeError('The manifest is wrong: functions need settings.org_deploy_enabled.')
  }
  const events = set?.event_subscriptions?.bot_events ?? []
  const agent = toAgent(shown, events)
  const {bot = [], bot_optional = []} = oauth_config?.scopes ?? {}
  return {
    name: display_information.name,
    scopes: [...new Set([...bot, ...bot_optional, ...(agent === undefined ? [] : agentScopes)])],
    events,
    homeTab: shown?.app_home?.home_tab_enabled === true,
    messagesTab: shown?.app_home?.messages_tab_enabled !== false,
    ...toMenus(shown),
    codeCommands: shown?.code_channels?.slash_command_url === undefined ? 'absent' : 'declared',
    steps,
    unfurlDomains: shown?.unfurl_domains ?? [],
    redirectUrls: oauth_config?.redirect_urls ?? [],
    tokenRotation: set?.token_rotation_enabled === true,
    ...(agent !== undefined && {agent}),
  }
}

function toMenus(shown: Manifest['features']): Pick<AppOptions, 'commands' | 'shortcuts'> {
  const {slash_commands = [], shortcuts = []} = shown ?? {}
  return {
    commands: slash_commands.map(({command, description, usage_hint: usageHint}) => ({
      command,
      description,
      ...(usageHint !== undefined && {usageHint}),
    })),
    shortcuts: shortcuts.map(({type, callback_id: callbackId, name, description}) => ({
      ...{type, callbackId, name, description},
    })),
  }
}

function toSteps(declared: Manifest['functions'] = {}): AppStep[] {
  const toParameters = ({properties, required = []}: z.infer<typeof parameters>): StepParameter[] =>
    Object.entries(properties).map(([name, {type, title = name}]) => ({
      ...{name, type, title, isRequired: required.includes(name)},
    }))
  return Object.entries(declared).map(([callbackId, step]) => ({
    ...{callbackId, title: step.title, description: step.description},
    inputs: toParameters(step.input_parameters),
    outputs: toParameters(step.output_parameters),
  }))
}

/** `agent_view` wins: an app has moved to it for good. */
function toAgent(shown: Manifest['features'], events: readonly string[]): AgentOptions | undefined {
  const {agent_view, assistant_view} = shown ?? {}
  if (agent_view === undefined && assistant_view === undefined) return undefined
  return {
    view: agent_view === undefined ? 'assistant_view' : 'agent_view',
    stopEvent: events.includes('agent_session_stopped') ? 'subscribed' : 'absent',
  }
}

function toWords({issues}: z.ZodError): string {
  return issues.map(({path, message}) => `${path.join('.') || 'the whole'}: ${message}`).join('; ')
}
