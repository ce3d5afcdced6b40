import {createAttribution} from '../agents/attribution.ts'
import type {Knowing, Surroundings} from '../agents/knowing.ts'
import type {InTurn} from '../async/keyed-queue.ts'
import {systemClock} from '../async/clock.ts'
import {createBucket} from '../async/buckets.ts'
import type {PostWriter} from '../relay/ports.ts'
import type {Obstacle} from '../relay/publish/obstacles.ts'
import type {Link} from '../store/link.ts'
import type {Ping} from '../store/pings.ts'
import type {Send} from '../store/sends.ts'
import type {Store} from '../store/store.ts'
import {createAccess} from '../slack/access.ts'
import type {SharedActTools} from './act-tools.ts'
import type {Act} from '../slack/gate/act.ts'
import {createActTable} from './acts.ts'
import {type SlackAccess, type TokenOf, createSlackClient} from '../slack/api/calls.ts'
import {createForms} from '../slack/api/forms.ts'
import {createGroups} from '../slack/api/groups.ts'
import type {Whoami} from '../slack/api/identity.ts'
import {createMembership} from '../slack/api/membership.ts'
import {createPeople} from '../slack/api/people.ts'
import {createPermalinks} from '../slack/api/permalinks.ts'
import {nameBudgets} from '../slack/api/rates.ts'
import {type AgentPoster, createAgentPoster} from '../features/agent-posts/poster.ts'
import {type Announcer, createAnnouncer} from '../slack/posts/announcer.ts'
import {createSessions} from '../slack/posts/sessions.ts'
import {createWriter} from '../slack/posts/writer.ts'
import {type Answers, createAnswers} from '../slack/tell/answers.ts'
import {createHomeFacts} from '../features/home/facts.ts'
import {createHome} from '../features/home/home.ts'
import {createBlockedTeller} from '../slack/tell/obstacles.ts'
import {createCalledTeller} from '../slack/tell/pings.ts'
import {createReplies} from '../slack/tell/replies.ts'
import {createAnnouncementWords} from './announcement-words.ts'

/** What all workspaces of this process share. */
interface SharedTools extends SlackAccess, SharedActTools {
  store: Store
  knowing: Knowing
  /** Slack user ids of those who may administer besides admins and owners. */
  admins: readonly string[]
  /** Multiplies Slack's documented rates. */
  rateScale: number
  /** Shows what our tables now say of this link. */
  show: (linkId: string) => Promise<void>
  /** Interrupts of one link go out one after the other. */
  inTurn: InTurn
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
  /** What it knows of its channels and people. */
  surroundings: Surroundings
  /** Somebody has come into a channel, or left it. */
  moved(channel: string, user: string): void
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
  const stop = new AbortController()
  opened.defer(() => stop.abort())
  const {store, clientOf, settingsOf, pacer, slackApiUrl, webUrl, log, discretion} = shared
  const {team, botUserId} = identity
  const client = createSlackClient(tokenOf, shared, team)
  const shares = nameBudgets(shared.rateScale)
  const nameShares = {
    users: createBucket(shares.users, systemClock),
    channels: createBucket(shares.channels, systemClock),
  }
  const people = createPeople({client, team, admins: shared.admins, nameShares})
  const {zoneOf} = people
  const groups = createGroups(client)
  const membership = createMembership(client)
  const access = createAccess({team, people, groups, membership, settingsOf})
  const replies = opened.use(
    createReplies({client, apiUrl: slackApiUrl, pacer, team, log, discretion}),
  )
  const sessions = opened.use(createSessions({client, pacer, team, clock: systemClock, log}))
  const forms = createForms({client, pacer, team, log})
  const permalinks = createPermalinks({client, pacer, team})
  const home = opened.use(
    createHome({
      ...{store, forms, permalinks, zoneOf, access, team, webUrl, log},
      factsOf: createHomeFacts({people, connections: store.connections, team, settingsOf}),
    }),
  )
  const announcer = opened.use(
    createAnnouncer({
      ...{...store, client, pacer, replies, team, botUserId, log},
      draw: createAnnouncementWords({connections: store.connections, names: people, webUrl}),
      clock: systemClock,
      onUnwatched: shared.onWatched,
    }),
  )
  const {botId} = identity
  const writer = createWriter({
    ...{client, names: people, webUrl, botUserId, botId, sessions, discretion},
  })
  const agentPoster = opened.use(
    createAgentPoster({
      ...{...store, client, writer, pacer, replies, team, botUserId, log, discretion},
      clock: systemClock,
    }),
  )
  const answers = createAnswers(replies, forms)
  const attribute = createAttribution({
    ...{people: store.people, clientOf, emailOf: people.emailOf, nowMs: Date.now},
  })
  const {show, inTurn, knowing} = shared
  const desk = {...store, clientOf, show, inTurn, attribute, knowing, nowMs: Date.now}
  const acts = createActTable({
    ...shared,
    ...{desk, client, people, names: people, replies, answers, forms, home, permalinks, announcer},
    ...{tokenOf, zoneOf, team, botUserId, groups, access},
    onWatched: () => {
      shared.onWatched()
      announcer.wake()
    },
  })
  const tellCalled = createCalledTeller({choices: store.choices, permalinks, access, replies})

  return {
    ...{identity, acts, answers, announcer, agentPoster, writer, zoneOf},
    surroundings: {
      visibilityOf: (channel) => membership.visibilityOf(channel),
      mayKnow: (user, channel) => access.mayKnow(user, channel),
      isFullMember: (user) => access.isFullMember(user),
      isAuthor: async (user, authorId, connectionId) => {
        const found = await attribute({team, user}, connectionId, stop.signal)
        return 'authorId' in found && found.authorId === authorId
      },
    },
    moved: (channel, user) => {
      membership.moved(channel, user)
      home.refresh(user)
    },
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
