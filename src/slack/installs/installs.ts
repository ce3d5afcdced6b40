import type {Installation as SlackInstallation} from '@slack/oauth'
import {setTimeout as delay} from 'node:timers/promises'
import {createKeyedQueue} from '../../async/keyed-queue.ts'
import {isAborted, pause} from '../../async/pause.ts'
import type {Log} from '../../relay/ports.ts'
import {ownOf} from '../../security/foreign-json.ts'
import type {Notice} from '../../store/notices/notices.ts'
import type {InstallStore} from '../../store/tables/installs.ts'
import {type SlackAccess, type TokenOf, createSlackClient} from '../api/slack-client.ts'
import {type Whoami, refusalOf, remedyOf} from '../api/identity.ts'
import type {Ending} from '../incoming/ending.ts'
import {type Installation, openInstall, toInstall, withTeams} from './installation.ts'
import {createIsGranted} from './granted-teams.ts'
import {type Credentials, createRenewing} from './renewing.ts'
import {type Tokens, createTokens} from './tokens.ts'
import {SlackError} from '../../once/slack-error.ts'

/** Where the app is installed. */
export interface Installs extends AsyncDisposable {
  /** Opens the workspaces of all of them. */
  recover(): Promise<void>
  /**
   * Slack delivers for a workspace in the name of its organization: it is opened, if it is not. `isGuess`: the workspace is
   * that of whoever did something, and Slack is asked whether it is the organization's.
   */
  welcome(of: {organization: string; team: string; isGuess?: boolean}): Promise<void>
  /** @throws {TryLater} when Slack does not say whether it is true. */
  end(ending: Ending): Promise<void>
  /** What others have changed in the table is so here, too. */
  refresh(): Promise<void>
  /** Whether a workspace is served, or an organization has the app: who is unknown may have installed it elsewhere a moment ago. */
  isKnown(name: string): Promise<boolean>
  /** Whether somebody is to work for a workspace, or for an organization, as this instance knows it. */
  has: (name: string) => boolean
  /**
   * Asks Slack of each whether its token still counts; those that do not are told of. Whoever took the app out while nobody
   * listened is let go like anybody else, once Slack has said so twice, some minutes apart.
   */
  probe(signal: AbortSignal): Promise<void>
  /** What an operator should know; `undefined` when all is well. */
  explain(): string | undefined
  /** Of a workspace whose token Slack refuses: which, and what to do. */
  explainRefusal: (team: string, code: string) => string
}

/** The one workspace of a bot token, or as many as install the app. */
interface ManyInstalls extends Installs {
  /** Somebody has installed the app, for the first time or once more. @throws {NoBotError} */
  keep: (given: SlackInstallation) => Promise<void>
}

/** What an install does to its workspaces. */
export interface Serving extends SlackAccess {
  /** Serves a workspace. */
  open: (identity: Whoami, tokenOf: TokenOf) => Promise<void>
  /** Serves it no more, and deletes nothing. */
  forget: (team: string) => Promise<void>
  /** Somebody is to work for this install: its tokens are renewed by them. */
  offer: (id: string) => Promise<void>
  /** It has ended: nobody is to work for this install, or this workspace, any more. */
  release: (name: string) => Promise<void>
  /** By it tokens are renewed: Slack answers that once. */
  fetchOnce?: SlackAccess['fetch']
  /** Whether this instance is the one that renews the tokens of an install. */
  mayRenew: (id: string) => boolean
  /** Slack refuses the token of this workspace. */
  onRefused: (team: string, code: string) => void
  /** It may be worth trying again. */
  onRenewed: (team: string) => void
  log: Log
}

interface ManyOptions extends Serving {
  store: InstallStore
  credentials: Credentials
  /** Until Slack is asked once more of an install that it says is over. */
  lookAgainMs?: number
  /** To all other instances. */
  tell?: (notice: Notice) => void
}

/** Slack's clock need not agree with that of the machine where the app was installed: in doubt Slack is asked. */
const MARGIN_MS = 900_000
/** The app, or the workspace, is gone: https://docs.slack.dev/reference/methods/auth.test#errors */
const TAKEN_OUT: ReadonlySet<string> = new Set(['account_inactive', 'token_revoked'])
const LOOK_AGAIN_MS = 600_000
/** Workspaces that nobody knows make the table be read so often at most. */
const READ_EVERY_MS = 2000

export async function openInstalls(options: ManyOptions): Promise<ManyInstalls> {
  const {store, open, forget, onRefused, onRenewed, log} = options
  const {offer, release, mayRenew, fetchOnce = options.fetch, tell = () => undefined} = options
  const {lookAgainMs = LOOK_AGAIN_MS} = options
  const onChanged = (): void => tell({about: 'installs'})
  /** What changes which there are goes one after the other. */
  const inTurn = createKeyedQueue()
  const renew = createRenewing(options.credentials, {...options, fetch: fetchOnce})
  const known = new Map<string, Tokens>()

  const know = (first: Installation): Tokens => {
    const {id} = first
    const tokens = createTokens({
      ...{first, renew, log, onNeeded: onChanged},
      mayRenew: () => mayRenew(id),
      // Twenty workspaces have some twenty thousand of them in a year.
      onReplaced: (token) => options.discretion?.retire(token),
      read: async () => {
        const row = await store.byId(id)
        return row && openInstall(row)
      },
      store: async (change) => {
        const row = await store.change(id, (standing) =>
          change(openInstall(standing)).contents.reveal(),
        )
        if (row !== undefined) onChanged()
        return row && openInstall(row)
      },
    })
    known.set(id, tokens)
    offer(id).catch((error: unknown) => log.error({err: error, install: id}, "It is nobody's yet"))
    return tokens
  }

  for (const row of await store.all()) know(openInstall(row))

  /** By the install's id, since the app may be installed once more while a call waits. */
  const tokenOf =
    (id: string): TokenOf =>
    async (expired) => {
      const tokens = known.get(id)
      if (tokens === undefined) throw new SlackError('dead', 'app_uninstalled')
      return tokens.tokenOf(expired)
    }

  /** By which install and as whom we are in each workspace. */
  const served = new Map<string, string>()

  /** What goes on with the same install goes on with its new token. */
  const openTeam = async (team: string, {id, bot}: Installation): Promise<void> => {
    const way = JSON.stringify([id, bot.botUserId, bot.botId])
    if (served.get(team) !== way) await open({team, ...bot}, tokenOf(id))
    served.set(team, way)
    onRenewed(team)
  }

  const closeTeam = async (team: string): Promise<void> => {
    served.delete(team)
    await forget(team)
  }

  /** A workspace that has an install of its own is not served by its organization's. */
  const teamsOf = ({id, teams}: Installation): string[] =>
    teams.filter((team) => team === id || !known.has(team))

  const keep: ManyInstalls['keep'] = (given) => inTurn('', () => keepNow(given))

  const keepNow: ManyInstalls['keep'] = async (given) => {
    const row = toInstall(given, Date.now())
    await known.get(row.id)?.end()
    const fresh = openInstall(row)
    const kept = await store.keep(row, (standing) => {
      const {teams} = openInstall(standing)
      return withTeams(fresh, [...new Set([...teams, ...fresh.teams])]).contents.reveal()
    })
    const installation = openInstall(kept)
    know(installation)
    onChanged()
    log.info({install: row.id, by: row.installedBy}, 'The app was installed')
    for (const team of teamsOf(installation)) await openTeam(team, installation)
  }

  const isGranted = createIsGranted({
    clientOf: (organization) => createSlackClient(tokenOf(organization), options),
    log,
  })

  const welcome: Installs['welcome'] = async ({organization, team, isGuess = false}) => {
    const tokens = known.get(organization)
    if (tokens === undefined || known.has(team)) return
    if (tokens.installation().teams.includes(team)) return
    if (isGuess && !(await isGranted(organization, team))) return
    await inTurn('', async () => {
      // In the table first: after a crash its work is taken up again.
      await tokens.change((installation) =>
        withTeams(installation, [...new Set([...installation.teams, team])]),
      )
      await openTeam(team, tokens.installation())
    })
  }

  const refused = (id: string): Promise<string | undefined> =>
    refusalOf(createSlackClient(tokenOf(id), options))

  /** It may come late, of an install that was made anew since; or of one token of several. */
  const isTrue = async ({kind, atMs}: Ending, {id, ...of}: Installation): Promise<boolean> => {
    const isPlain = kind === 'uninstalled' || of.renewal === undefined
    if (isPlain && atMs > of.installedAtMs + MARGIN_MS) return true
    return (await refused(id)) !== undefined
  }

  /** All of it, or in some of an organization's workspaces. */
  const endNow = async (judged: Installation, only?: readonly string[]): Promise<void> => {
    const isMeant = (team: string): boolean => only === undefined || only.includes(team)
    // What goes on there comes to its end first: nothing is written behind what the commit ends.
    for (const team of teamsOf(judged).filter(isMeant)) await closeTeam(team)
    const gone = await store.end(judged, (standing) => {
      const installation = openInstall(standing)
      const {teams} = installation
      const rest = withTeams(
        installation,
        teams.filter((team) => !isMeant(team)),
      )
      return {teams: teams.filter(isMeant), stays: only && rest.contents.reveal()}
    })
    if (gone !== undefined) {
      const {id} = judged
      for (const name of new Set(only === undefined ? [id, ...gone] : gone)) await release(name)
      onChanged()
      if (only === undefined)
        log.warn({install: id}, 'The app was uninstalled; its tokens are deleted')
      else log.warn({install: id, teams: gone}, 'The app was taken out of workspaces')
    }
    await refreshNow()
  }

  const refresh = (): Promise<void> => inTurn('', refreshNow)

  const refreshNow = async (): Promise<void> => {
    const rows = new Map((await store.all()).map((row) => [row.id, row]))
    for (const [id, tokens] of known) {
      if (rows.has(id)) continue
      await tokens.end()
      known.delete(id)
    }
    const renewed = new Set<string>()
    for (const [id, row] of rows) {
      const tokens = known.get(id)
      const before = tokens?.installation().token.reveal()
      await (tokens ?? know(openInstall(row))).refresh()
      if (before !== known.get(id)?.installation().token.reveal()) renewed.add(id)
    }
    const wanted = [...known.values()].map((tokens) => tokens.installation())
    const teams = new Set(wanted.flatMap(teamsOf))
    for (const team of served.keys()) {
      if (!teams.has(team)) await closeTeam(team)
    }
    for (const installation of wanted) {
      for (const team of teamsOf(installation)) {
        if (!served.has(team) || renewed.has(installation.id)) await openTeam(team, installation)
      }
    }
  }

  /** An organization works by itself; a workspace once it is open. */
  const isServed = (name: string): boolean =>
    served.has(name) || known.get(name)?.installation().teams.includes(name) === false

  let readAtMs = -Infinity
  let reading: Promise<void> | undefined
  const readSoon = async (): Promise<void> => {
    await delay(Math.max(0, readAtMs + READ_EVERY_MS - performance.now()))
    readAtMs = performance.now()
    await refresh()
  }

  const end: Installs['end'] = async (ending) => {
    const {team, organization} = ending
    // What is judged is what stands.
    await refresh()
    const own = organization === undefined ? known.get(team ?? '') : undefined
    const tokens = own ?? known.get(organization ?? '')
    if (tokens === undefined) return
    const installation = tokens.installation()
    const endIt = (only?: readonly string[]) => inTurn('', () => endNow(installation, only))
    if (ending.kind === 'access') return endIt(ending.teams)
    // One workspace of an organization, unless the whole of it is over.
    if (own === undefined && team !== undefined) {
      const isOver = (await refused(installation.id)) !== undefined
      return endIt(isOver ? undefined : [team])
    }
    if (await isTrue(ending, installation)) await endIt()
  }

  return {
    recover: async () => {
      for (const tokens of known.values()) {
        const installation = tokens.installation()
        for (const team of teamsOf(installation)) await openTeam(team, installation)
      }
    },
    keep,
    refresh,
    has: (name) =>
      known.has(name) ||
      [...known.values()].some((tokens) => tokens.installation().teams.includes(name)),
    isKnown: async (name) => {
      if (isServed(name)) return true
      await (reading ??= readSoon().finally(() => (reading = undefined)))
      return isServed(name)
    },
    welcome,
    end,
    probe: async (signal) => {
      const over: [string, Tokens][] = []
      for (const [id, tokens] of known) {
        if (signal.aborted) return
        const code = await refused(id).catch(() => undefined)
        if (code === undefined || known.get(id) !== tokens) continue
        log.error({install: id, code}, 'Slack refuses the token of this install')
        for (const team of teamsOf(tokens.installation())) onRefused(team, code)
        // A token that is renewed may be refused since the answer to that was lost.
        const isRenewed = tokens.installation().renewal !== undefined
        if (TAKEN_OUT.has(code) && !isRenewed) over.push([id, tokens])
      }
      if (over.length > 0) await pause(lookAgainMs, signal)
      for (const [id, tokens] of over) {
        if (isAborted(signal)) return
        const code = (await refused(id).catch(() => undefined)) ?? ''
        if (!TAKEN_OUT.has(code) || known.get(id) !== tokens || !mayRenew(id)) continue
        await inTurn('', () => endNow(tokens.installation()))
      }
    },
    explain: () => {
      const lines = [...known.values()].flatMap((tokens) => {
        const refusal = tokens.refusal()
        return refusal === undefined ? [] : [explainRenewal(tokens.installation(), refusal)]
      })
      return lines.length === 0 ? undefined : lines.join('; ')
    },
    explainRefusal: (team, code) =>
      `refuses the token of the workspace ${team} (${code}); ${remedyOf(code) ?? 'somebody has to install the app there again'}`,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...known.values()].map((tokens) => tokens.end()))
    },
  }
}

function explainRenewal(
  {id, name}: Installation,
  {code, endsAtMs}: {code: string; endsAtMs: number},
): string {
  const ends = new Date(endsAtMs).toISOString()
  return `does not renew the token of ${name} (${id}): ${code}. It ends at ${ends}; until then ${ownOf(REMEDIES, code) ?? 'somebody has to install the app there again'}`
}

/** What is wrong with this instance's settings no further install mends. */
const REMEDIES: Readonly<Record<string, string>> = {
  bad_client_secret: 'set SLACK_CLIENT_SECRET to the app’s, and restart',
  invalid_client_id: 'set SLACK_CLIENT_ID to the app’s, and restart',
}
