import {createBudgets} from '../agents/budgets/budgets.ts'
import {stopSpent} from '../agents/budgets/stop-spent.ts'
import {createAttribution} from '../agents/attribution.ts'
import {createModelMemory} from '../agents/models/known-models.ts'
import {createCatalogue} from '../agents/catalogue.ts'
import {createStepTrail} from '../agents/steps/step-trail.ts'
import {systemClock} from '../async/clock.ts'
import {createBucket} from '../async/buckets.ts'
import {createAccess} from '../slack/access.ts'
import type {Shared} from './shared.ts'
import type {LateCalls} from '../slack/api/late-calls.ts'
import {createActTable} from './act-table.ts'
import {createConfessions} from './confessions.ts'
import {createSlackClient} from '../slack/api/slack-client.ts'
import {createForms} from '../slack/api/forms.ts'
import {createGroups} from '../slack/api/groups.ts'
import {createMembership} from '../slack/api/membership.ts'
import {createPeople} from '../slack/api/people.ts'
import {createPermalinks} from '../slack/api/permalinks.ts'
import {nameBudgets} from '../slack/api/budgets.ts'
import {createRunFollower} from '../features/hooks/runs/run-acts.ts'
import {createAgentPoster} from '../features/agent-posts/poster.ts'
import {createAnnouncer} from '../slack/posts/announcer.ts'
import {createMarks} from '../slack/states/marks.ts'
import {createSessions} from '../slack/states/sessions.ts'
import {createStatusLines} from '../slack/states/status-lines.ts'
import {createWriter} from '../slack/posts/writer.ts'
import {createAnswers} from '../slack/answers/answers.ts'
import {createHome, createHomeFacts} from '../features/home/home.ts'
import {createBlockedTeller} from '../slack/answers/blocked-places.ts'
import {createNotifiedTeller} from '../slack/answers/direct-notifications.ts'
import {createReviewHeads} from '../features/reviews/heads.ts'
import {endLostWatches} from '../features/watch/watches.ts'
import {createGreeter} from '../features/welcome/greeter.ts'
import {createWelcomeWords} from '../features/welcome/words.ts'
import {createReplies} from '../slack/answers/replies.ts'
import {createAnnouncementWords} from './announcement-words.ts'
import type {Install, Workspace} from './workspaces.ts'

export function createWorkspace(
  {identity, tokenOf}: Install,
  {lateCalls, ...shared}: Shared & {lateCalls: LateCalls},
): Workspace {
  const opened = new AsyncDisposableStack()
  const stop = new AbortController()
  const {store, rateScale, log} = shared
  const client = createSlackClient(tokenOf, {...shared, watch: lateCalls}, identity.team)
  const tools = {...shared, ...store, ...identity, client, tokenOf, clock: systemClock}
  const shares = nameBudgets(rateScale)
  const people = createPeople({
    ...tools,
    nameShares: {
      users: createBucket(shares.users, systemClock),
      channels: createBucket(shares.channels, systemClock),
    },
  })
  const groups = createGroups(client)
  const membership = createMembership(client)
  const access = createAccess({...tools, people, groups, membership})
  const replies = opened.use(createReplies({...tools, apiUrl: tools.slackApiUrl}))
  const sessions = opened.use(createSessions(tools))
  const statusLines = opened.use(createStatusLines(tools))
  const marks = opened.use(createMarks(tools))
  const forms = createForms({...tools, signal: stop.signal})
  const modelMemory = opened.use(
    createModelMemory({...store, team: identity.team, nowMs: Date.now, log}),
  )
  const permalinks = createPermalinks(tools)
  const {zoneOf} = people
  const nowMs = Date.now
  const catalogue = createCatalogue({...shared, nowMs})
  const welcome = createWelcomeWords({...tools, access, people, catalogue})
  const factsOf = createHomeFacts({...tools, people, catalogue})
  const reading = {forms, permalinks, zoneOf, access, factsOf, welcomeFor: welcome.atHome}
  const home = opened.use(createHome({...tools, ...reading}))
  const announcer = opened.use(
    createAnnouncer({
      ...tools,
      draw: createAnnouncementWords({...tools, names: people, welcome}),
      onLost: (channel, code) => endLostWatches({...tools, replies}, channel, code),
    }),
  )
  const confessions = opened.use(createConfessions({...tools, lateCalls}))
  const reviewHeads = opened.use(createReviewHeads({...tools, announcer}))
  const writer = createWriter({
    ...tools,
    names: people,
    sessions,
    onPosted: (place) => statusLines.posted(place),
  })
  const agentPoster = opened.use(createAgentPoster({...tools, writer, replies}))
  const answers = createAnswers(replies, forms)
  const {clientOf, show, inOrder, knowing} = shared
  const greeter = createGreeter({...tools, announcer, nowMs})
  const {emailOf} = people
  const attribute = createAttribution({people: store.people, clientOf, emailOf, nowMs})
  const budgets = createBudgets({...tools, nowMs})
  const deps = {...store, clientOf, show, inOrder, attribute, knowing, budgets, nowMs}
  const stepTrail = createStepTrail({nowMs})
  const seen = {
    people,
    replies,
    answers,
    forms,
    home,
    permalinks,
    announcer,
    agentPoster,
    catalogue,
    greeter,
    groups,
    access,
    stepTrail,
    zoneOf,
  }
  const onWatched = (): void => {
    shared.onWatched()
    announcer.wake()
  }
  const acts = createActTable({...tools, ...seen, deps, onWatched})
  const tellNotified = createNotifiedTeller({...tools, permalinks, access, replies})

  return {
    identity,
    acts,
    answers,
    announcer,
    agentPoster,
    followRun: createRunFollower({deps, clientOf, announcer}),
    confessions,
    writer,
    zoneOf,
    visibilityOf: (channel) => membership.visibilityOf(channel),
    surroundings: {
      mayKnow: (user, channel) => access.mayKnow(user, channel),
      isFullMember: (user) => access.isFullMember(user),
      isAuthor: async (user, authorId, connectionId) => {
        const found = await attribute({team: identity.team, user}, connectionId, stop.signal)
        return 'authorId' in found && found.authorId === authorId
      },
    },
    invited: (to) => greeter.invited(to),
    moved: (channel, user) => {
      membership.moved(channel, user)
      home.refresh(user)
    },
    tellBlocked: createBlockedTeller(replies),
    tellArrived: (link, {messageTs}) => replies.admitted(link, messageTs),
    tellNotified: (link, notification) => {
      tellNotified(link, notification).catch((error: unknown) =>
        log.error({err: error}, 'A direct message of a call was lost'),
      )
    },
    onNews: (link) => {
      sessions.show(link)
      marks.show(link)
      home.note(link)
      stepTrail.note(link)
      reviewHeads.note(link)
      modelMemory.note(link, link.lastModelId)
    },
    onModel: (link, modelId) => modelMemory.note(link, modelId),
    onActivity: (link, activity) => statusLines.show(link, activity),
    hasStatusLine: ({place}) => statusLines.isOnAt(place),
    stopSpent: (noteId, handling) => stopSpent(deps, noteId, handling),
    recover: () => marks.recover(),
    [Symbol.asyncDispose]: () => {
      // What waits for its turn must not be waited for.
      stop.abort(new Error('The workspace is not served here any more'))
      return opened.disposeAsync()
    },
  }
}
