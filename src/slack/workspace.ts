import {createAttribution} from '../inbox/agents/attribution.ts'
import {systemClock} from '../relay/clock.ts'
import type {PostWriter} from '../relay/ports.ts'
import type {Obstacle} from '../relay/publish/obstacles.ts'
import type {Link} from '../store/link.ts'
import type {Ping} from '../store/pings.ts'
import type {Send} from '../store/sends.ts'
import type {Store} from '../store/store.ts'
import type {SharedActTools} from './acts/act-tools.ts'
import type {Act} from './acts/act.ts'
import {createActTable} from './acts/table.ts'
import {type SlackAccess, type TokenOf, createSlackClient} from './api/calls.ts'
import {createForms} from './api/forms.ts'
import type {Whoami} from './api/identity.ts'
import {createPeople} from './api/people.ts'
import {createPermalinks} from './api/permalinks.ts'
import {type AgentPoster, createAgentPoster} from './posts/agent-poster.ts'
import {type Announcer, createAnnouncer} from './posts/announcer.ts'
import {createSessions} from './posts/sessions.ts'
import {createWriter} from './posts/writer.ts'
import {type Answers, createAnswers} from './tell/answers.ts'
import {createHomeFacts} from './tell/home-facts.ts'
import {createHome} from './tell/home.ts'
import {createBlockedTeller} from './tell/obstacles.ts'
import {createCalledTeller} from './tell/pings.ts'
import {createReplies} from './tell/replies.ts'

/** What all workspaces of this process share. */
interface SharedTools extends SlackAccess, SharedActTools {
  store: Store
  /** Slack user ids of those who may administer besides admins and owners. */
  admins: readonly string[]
  /** Shows what our tables now say of this link. */
  show: (linkId: string) => Promise<void>
}

/** One Slack workspace: all that its people can see and press. */
export interface Workspace extends AsyncDisposable {
  identity: Whoami
  writer: PostWriter
  acts: ReadonlyMap<string, Act>
  answers: Answers
  announcer: Announcer
  agentPoster: AgentPoster
  zoneOf: (user: string) => Promise<string>
  /** Whoever asked for the work hears that it can't be shown where it is. */
  tellBlocked(link: Link, obstacle: Obstacle): void
  /** A message that waited, or that nobody was sure of, has reached the agent. */
  tellArrived(link: Link, send: Send): void
  tellCalled(link: Link, ping: Ping): void
  /** What people see of the link may have changed. */
  onNews(link: Link): void
}

export function createWorkspace(
  {identity, tokenOf}: {identity: Whoami; tokenOf: TokenOf},
  shared: SharedTools,
): Workspace {
  const opened = new AsyncDisposableStack()
  const {store, clientOf, settingsOf, pacer, slackApiUrl, webUrl, log} = shared
  const {team, botUserId} = identity
  const client = createSlackClient(tokenOf, shared, team)
  const people = createPeople({client, team, admins: shared.admins})
  const {zoneOf} = people
  const replies = opened.use(createReplies({client, apiUrl: slackApiUrl, pacer, team, log}))
  const sessions = opened.use(createSessions({client, pacer, team, clock: systemClock, log}))
  const forms = createForms({client, pacer, team, log})
  const permalinks = createPermalinks({client, pacer, team})
  const home = opened.use(
    createHome({
      ...{store, forms, permalinks, zoneOf, team, webUrl, log},
      factsOf: createHomeFacts({people, connections: store.connections, team, settingsOf}),
    }),
  )
  const announcer = opened.use(
    createAnnouncer({
      ...{...store, client, pacer, names: people, replies, webUrl, team, botUserId, log},
      onUnwatched: shared.onWatched,
    }),
  )
  const {botId} = identity
  const writer = createWriter({client, names: people, webUrl, botUserId, botId, sessions})
  const agentPoster = opened.use(
    createAgentPoster({...store, client, writer, pacer, replies, team, botUserId, log}),
  )
  const answers = createAnswers(replies, forms)
  const desk = {
    ...store,
    clientOf,
    show: shared.show,
    attribute: createAttribution({
      ...{people: store.people, clientOf, emailOf: people.emailOf, nowMs: Date.now},
    }),
    nowMs: Date.now,
  }
  const acts = createActTable({
    ...shared,
    ...{desk, client, people, names: people, replies, answers, forms, home, permalinks, announcer},
    ...{tokenOf, zoneOf, team, botUserId},
    onWatched: () => {
      shared.onWatched()
      announcer.wake()
    },
  })
  const tellCalled = createCalledTeller({choices: store.choices, permalinks, replies})

  return {
    ...{identity, acts, answers, announcer, agentPoster, writer, zoneOf},
    tellBlocked: createBlockedTeller(replies),
    tellArrived: ({place}, {messageTs}) => replies.admitted(place.channel, messageTs),
    tellCalled: (link, ping) => {
      tellCalled(link, ping).catch((error: unknown) =>
        log.error({err: error}, 'A direct message of a call was lost'),
      )
    },
    onNews: (link) => {
      sessions.show(link)
      home.note(link)
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
