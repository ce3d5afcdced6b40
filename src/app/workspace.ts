import {createBudgets} from '../agents/budgets/budgets.ts'
import {stopSpent} from '../agents/budgets/stop-spent.ts'
import {createAttribution} from '../agents/attribution.ts'
import {createMerges} from '../agents/sends/pull-requests/merges.ts'
import {createModelMemory} from '../agents/models/known-models.ts'
import {isDirect} from '../agents/who-may-know.ts'
import {createCatalogue} from '../agents/catalogue.ts'
import {createStepTrail} from '../agents/steps/step-trail.ts'
import {systemClock} from '../async/clock.ts'
import {createBucket} from '../async/buckets.ts'
import {createKeyedQueue} from '../async/keyed-queue.ts'
import {createGivingUp} from '../features/conversation/starting/giving-up.ts'
import {createSelfFixer} from '../features/pull-requests/fix.ts'
import {TryLater} from '../inbox/try-later.ts'
import {createAccess} from '../slack/access.ts'
import type {Shared} from './shared.ts'
import type {LateCalls} from '../slack/api/late-calls.ts'
import {createActTable} from './act-table.ts'
import {createConfessions} from './confessions.ts'
import {BARRED} from '../once/slack-error.ts'
import {createBar} from '../slack/api/barred.ts'
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
import {createCanvases} from '../slack/posts/canvases.ts'
import {createWriter} from '../slack/posts/writer.ts'
import {createSharing} from '../slack/sharing.ts'
import {createOwnWork} from '../slack/own-work.ts'
import {createAnswers} from '../slack/answers/answers.ts'
import {placedOf} from '../agents/follow.ts'
import type {Link} from '../store/tables/work/link.ts'
import {createDigestReading} from '../features/digests/reading.ts'
import {startDigests} from '../features/digests/teller.ts'
import {createDigestWords} from '../features/digests/words.ts'
import {createPresenter} from '../features/unfurls/details.ts'
import {startUnfurls} from '../features/unfurls/keeper.ts'
import {createLook} from '../features/unfurls/sight.ts'
import {createHome, createHomeFacts} from '../features/home/home.ts'
import {createBlockedTeller} from '../slack/answers/blocked-places.ts'
import {createNotifiedTeller} from '../slack/answers/direct-notifications.ts'
import {createRoomKeeper} from '../features/rooms/keeper.ts'
import {createRoomOpener} from '../features/rooms/opener.ts'
import {createOpening} from '../features/rooms/opening.ts'
import {createRoomSupport} from '../features/rooms/support.ts'
import {knownPullRequests} from '../agents/sends/pull-requests/reading.ts'
import {createReviewHeads} from '../features/reviews/heads.ts'
import {watchTexts} from '../features/watch/texts.ts'
import {endWatches} from '../features/watch/watches.ts'
import {startExecutions} from '../features/workflows/executions.ts'
import {createGreeter} from '../features/welcome/greeter.ts'
import {createWelcomeWords} from '../features/welcome/words.ts'
import {createReplies} from '../slack/answers/replies.ts'
import {createAnnouncementWords} from './announcement-words.ts'
import type {Install, Workspace} from './workspaces.ts'

/** So long a welcome waits for a room that Slack is making; and until it is looked again. */
const ROOM_MADE_WITHIN_MS = 60_000
const LOOK_AGAIN_MS = 500

export function createWorkspace(
  {identity, tokenOf}: Install,
  {lateCalls, ...shared}: Shared & {lateCalls: LateCalls; stopping: AbortSignal},
): Workspace {
  const opened = new AsyncDisposableStack()
  const stop = new AbortController()
  const {store, rateScale, log} = shared
  const bar = createBar({...store, team: identity.team})
  const client = createSlackClient(tokenOf, {...shared, watch: lateCalls, bar}, identity.team)
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
  const catalogue = createCatalogue({...shared, isVisitor: (user) => access.isVisitor(user), nowMs})
  const welcome = createWelcomeWords({...tools, access, people, catalogue})
  const factsOf = createHomeFacts({...tools, people, catalogue})
  const placed = (links: readonly Link[]): Promise<Link[]> => placedOf(tools, links)
  const ownWork = createOwnWork({...tools, permalinks, placed})
  const reading = {forms, permalinks, zoneOf, access, factsOf, welcomeFor: welcome.atHome, ownWork}
  const home = opened.use(createHome({...tools, ...reading}))
  const digestReading = createDigestReading({
    ...{...tools, permalinks, ownWork, placed, names: people},
    mergedPullRequests: createMerges({...store, settingsOf: shared.settingsOf}),
  })
  const announcer = opened.use(
    createAnnouncer({
      ...tools,
      draw: createAnnouncementWords({
        ...{...tools, names: people, welcome},
        digest: createDigestWords({reading: digestReading, access}),
      }),
      onDigestRefused: async ({channel, words: {askedBy: target = channel, digest}}, code) => {
        await store.digests.refuse({team: identity.team, target}, digest?.date ?? '', code)
      },
      onLost: async (channel, code) => {
        if (code === BARRED) return
        await endWatches({...tools, replies}, {channel}, (where) => watchTexts.lost(where, code))
      },
    }),
  )
  const teller = opened.use(
    startDigests({...tools, reading: digestReading, access, people, announcer, nowMs}),
  )
  const confessions = opened.use(createConfessions({...tools, lateCalls}))
  const roomSupport = createRoomSupport({...tools, nowMs})
  const roomKeeper = opened.use(
    createRoomKeeper({
      ...tools,
      pullRequestsOf: (link) =>
        knownPullRequests({...tools, botUserIn: () => identity.botUserId}, link),
    }),
  )
  const reviewHeads = opened.use(createReviewHeads({...tools, announcer}))
  const canvases = createCanvases({
    ...tools,
    isWanted: async ({team, channel}) =>
      (await shared.settingsOf(team, channel)).values.longReplies === 'canvas',
    nowMs,
  })
  const writer = createWriter({
    ...tools,
    names: people,
    sessions,
    canvases,
    onPosted: (place) => statusLines.posted(place),
  })
  const agentPoster = opened.use(
    createAgentPoster({
      ...{...tools, writer, canvases, access, replies},
      onPosted: (place) => statusLines.posted(place),
      onSettled: (link) => roomKeeper.note(link),
    }),
  )
  const answers = createAnswers(replies, forms)
  const {clientOf, show, inOrder, knowing} = shared
  const greeter = createGreeter({...tools, announcer, nowMs})
  const {emailOf} = people
  const attribute = createAttribution({
    ...{people: store.people, clientOf, emailOf, nowMs},
    isOfCompany: (user) => access.isOfCompany(user),
  })
  const budgets = createBudgets({...tools, nowMs})
  const fixing = {botUserIn: () => identity.botUserId, fixesInOrder: createKeyedQueue()}
  const {settingsOf} = shared
  const deps = {
    ...{...store, ...fixing, clientOf, show, inOrder, attribute, knowing, budgets, settingsOf},
    nowMs,
  }
  const look = createLook({...deps, ...tools, membership})
  const unfurls = opened.use(startUnfurls({...tools, look, permalinks}))
  const present = createPresenter({...tools, look, access})
  const stepTrail = createStepTrail({nowMs})
  const openRoom = createOpening({
    ...tools,
    deps: {...store, show},
    support: roomSupport,
    membership,
    announcer,
    nowMs,
  })
  const roomOpener = opened.use(createRoomOpener({...tools, support: roomSupport, openRoom}))
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
    digestReading,
    roomSupport,
    openRoom,
    onDigests: () => teller.wake(),
  }
  const onWatched = (): void => {
    shared.onWatched()
    announcer.wake()
  }
  const {acts, alerts, begin} = createActTable({...tools, ...seen, deps, onWatched})
  const workflows = opened.use(startExecutions({...tools, membership, permalinks, begin, nowMs}))
  const tellNotified = createNotifiedTeller({
    ...{...tools, permalinks, access, replies},
    signal: stop.signal,
  })

  return {
    identity,
    acts,
    answers,
    announcer,
    agentPoster,
    followRun: createRunFollower({deps, clientOf, announcer}),
    digests: teller,
    confessions,
    writer,
    sureZoneOf: people.sureZoneOf,
    endWatch: (watch, why) => endWatches({...tools, replies, onWatched}, watch, watchTexts[why]),
    membership,
    surroundings: {
      mayKnow: (user, channel) => access.mayKnow(user, channel),
      isFullMember: (user) => access.isFullMember(user),
      isAuthor: async (user, authorId, connectionId) => {
        const found = await attribute({team: identity.team, user}, connectionId, stop.signal)
        return 'authorId' in found && found.authorId === authorId
      },
      isAdmin: (user) => access.isAdmin(user),
      isShared: (channel) => membership.isSurelyShared(channel),
    },
    // A room says itself what it is. That we are in it may be told before which channel it is.
    invited: async (to) => {
      const {team} = identity
      // In this order: what is being made may be made in between.
      if (await store.rooms.isMaking(team, nowMs() - ROOM_MADE_WITHIN_MS)) {
        throw new TryLater(undefined, LOOK_AGAIN_MS, 'order')
      }
      const room = await store.rooms.at({team, channel: to.channel})
      if (room === undefined) await greeter.invited(to)
    },
    shared: createSharing({...tools, membership}),
    moved: (channel, user) => {
      membership.moved(channel, user)
      home.refresh(user)
    },
    closed: (channel) => membership.closed(channel),
    tellBlocked: createBlockedTeller(replies),
    tellArrived: (link, {messageTs}) => replies.admitted(link, messageTs),
    tellNotified: (link, notification) => {
      // Their App Home has something to answer now.
      home.refresh(link.startedBy)
      tellNotified(link, notification).catch((error: unknown) =>
        log.error({err: error}, 'A direct message of a call was lost'),
      )
    },
    onNews: (link) => {
      sessions.show(link)
      marks.show(link)
      home.note(link)
      unfurls.note(link)
      stepTrail.note(link)
      reviewHeads.note(link)
      roomKeeper.note(link)
      roomOpener.note(link)
      modelMemory.note(link, link.lastModelId)
      workflows.note(link)
    },
    onSaid: (link) => unfurls.said(link),
    onModel: (link, modelId) => modelMemory.note(link, modelId),
    onActivity: (link, activity) => statusLines.show(link, activity),
    hasStatusLine: ({place}) => statusLines.isOnAt(place),
    linked: async (links) => {
      const {channel, user, isShared} = links
      // It may have become so a moment ago.
      if (isShared) membership.doubt(channel)
      // In a direct message nobody else reads, and a guest may look into no channel but their own.
      const who = {team: identity.team, user, userTeam: undefined}
      const wanted = {permit: 'use', channel, isFromThere: true} as const
      const mayLook = async (): Promise<boolean> =>
        (await access.isFullMember(user)) && (await access.denialOf(who, wanted)) === undefined
      if (!isDirect(channel) || (await mayLook())) await unfurls.heard(links)
    },
    detailed: (asked, signal) => present(asked, signal),
    heard: (message) => alerts.hear(message),
    beginAlert: (alertId, handling) => alerts.begin(alertId, handling),
    giveUpAlert: (alertId) => alerts.giveUp(alertId),
    giveUpStart: createGivingUp({deps}),
    stepReached: (execution, handling) => workflows.begin(execution, handling),
    giveUpStep: (execution) => workflows.giveUp(execution),
    stopSpent: (noteId, handling) => stopSpent(deps, noteId, handling),
    letFix: createSelfFixer({deps, names: people}),
    recover: () => {
      for (const part of [marks, roomKeeper, roomOpener]) part.recover()
    },
    [Symbol.asyncDispose]: () => {
      // What waits for its turn must not be waited for.
      stop.abort(new Error('The workspace is not served here any more'))
      return opened.disposeAsync()
    },
  }
}
