import {setTimeout as delay} from 'node:timers/promises'
import {z} from 'zod'
import {type Config, readConfig} from '../../config/config.ts'
import {createPlatformClient} from '../../platform/client.ts'
import {
  PlatformForbidden,
  PlatformRateLimited,
  PlatformUnauthorized,
} from '../../platform/errors.ts'
import {PlatformError, PlatformUnreachable} from '../../platform/errors.ts'
import type {Project} from '../../platform/model.ts'
import {createTransport} from '../../platform/transport.ts'
import {SealError} from '../../security/seal.ts'
import {Secret} from '../../security/secret.ts'
import {whyOf} from '../../slack/doctor/slack.ts'
import {placeOf} from '../../store/database/sealed-values.ts'
import type {ToolStore} from '../../store/tool-store.ts'

/** Whoever can say whether something is there that no table of ours knows. An answer in words says why not. */
export interface Asking extends AsyncDisposable {
  workspace(team: string): Promise<string | undefined>
  channel(team: string, channel: string): Promise<string | undefined>
  projects(connectionId: string | null): Promise<readonly Project[] | string>
}

const WITHIN_MS = 15_000
/** Slack lets us ask for fifty channels a minute. */
const MAX_TRIES = 5
/** Nobody waits longer for a plan. */
const MAX_WAIT_S = 60

const answerSchema = z.looseObject({
  ok: z.boolean(),
  error: z.string().optional(),
  team_id: z.string().optional(),
})
const tokensSchema = z.looseObject({bot: z.looseObject({token: z.string()})})

/** Asks Slack and the agent platform, with what the environment and the database have; each thing once. */
export function openAsking({db, sealer}: Pick<ToolStore, 'db' | 'sealer'>): Asking {
  let settings: Config | undefined
  const config = (): Config => (settings ??= readConfig(process.env))
  const opened = new AsyncDisposableStack()
  let transport: ReturnType<typeof createTransport> | undefined
  const known = new Map<string | null, Promise<readonly Project[] | string>>()

  const open = (value: {table: 'connections' | 'installs'; row: string}, sealed: string) =>
    sealer.open(sealed, placeOf(value))

  /** The token of an install of the workspace, or that of the environment. */
  const tokenOf = async (team: string): Promise<Secret | undefined> => {
    const row = await db
      .selectFrom('installs')
      .select('installation')
      .where('id', '=', team)
      .executeTakeFirst()
    if (row === undefined) return config().slack.botToken
    const {bot} = tokensSchema.parse(
      JSON.parse(open({table: 'installs', row: team}, row.installation)),
    )
    return new Secret(bot.token)
  }

  const askSlack = async (team: string, method: string, form: Record<string, string>) => {
    const token = await tokenOf(team)
    if (token === undefined) return `Bosun has no token of ${team} alone; --offline asks nobody`
    for (let tries = 1; ; tries += 1) {
      try {
        const response = await fetch(`${config().slack.apiUrl}${method}`, {
          method: 'POST',
          headers: {authorization: `Bearer ${token.reveal()}`},
          body: new URLSearchParams(form),
          redirect: 'error',
          signal: AbortSignal.timeout(WITHIN_MS),
        })
        if (response.status !== 429 || tries === MAX_TRIES) {
          return answerSchema.parse(await response.json())
        }
        const seconds = Number(response.headers.get('retry-after')) || 1
        if (seconds > MAX_WAIT_S) return `Slack wants to be asked no sooner than in ${seconds} s`
        await delay(seconds * 1000)
      } catch (error) {
        return `Slack does not say (${whyOf(error)})`
      }
    }
  }

  const askProjects = async (id: string | null): Promise<readonly Project[] | string> => {
    const key = id === null ? config().platform.standard?.apiKey : await keyOf(id)
    if (key === undefined) return 'there is no key to ask with'
    if (typeof key === 'string') return key
    transport ??= opened.use(createTransport(config().platform.baseUrl, {}))
    try {
      const client = createPlatformClient({transport, apiKey: key})
      return await client.listProjects(AbortSignal.timeout(WITHIN_MS))
    } catch (error) {
      return whyNoProjects(error)
    }
  }

  const keyOf = async (id: string): Promise<Secret | string> => {
    const row = await db
      .selectFrom('connections')
      .select('key')
      .where('id', '=', id)
      .executeTakeFirst()
    if (row?.key == null) return 'its key was deleted'
    try {
      return new Secret(open({table: 'connections', row: id}, row.key))
    } catch (error) {
      if (!(error instanceof SealError)) throw error
      return 'its key does not open: BOSUN_KEYS lacks what it was sealed with'
    }
  }

  return {
    workspace: async (team) => {
      const said = await askSlack(team, 'auth.test', {})
      if (typeof said === 'string') return said
      if (!said.ok) return `Slack says ${said.error ?? 'no'}`
      return said.team_id === team ? undefined : `Bosun is in ${said.team_id ?? 'another one'}`
    },
    channel: async (team, channel) => {
      const said = await askSlack(team, 'conversations.info', {channel})
      if (typeof said === 'string') return said
      if (said.ok) return undefined
      return said.error === 'channel_not_found'
        ? `Slack knows no such channel in ${team}, or it is private: invite Bosun there first`
        : `Slack says ${said.error ?? 'no'}`
    },
    projects: (id) => {
      const asked = known.get(id) ?? askProjects(id)
      known.set(id, asked)
      return asked
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** In words of ours: the platform's own may quote the key. */
function whyNoProjects(error: unknown): string {
  if (error instanceof PlatformUnauthorized) return 'the agent platform refuses its key'
  if (error instanceof PlatformForbidden) return 'its key reaches no projects'
  if (error instanceof PlatformRateLimited) return 'the agent platform is busy: try again'
  if (error instanceof PlatformUnreachable) return 'the agent platform does not answer'
  if (error instanceof PlatformError) return 'the agent platform declined'
  return `the agent platform does not answer (${whyOf(error)})`
}
