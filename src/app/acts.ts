import {createCatalogue} from '../agents/catalogue.ts'
import {createLimits} from '../agents/limits.ts'
import {systemClock} from '../async/clock.ts'
import {createPresence} from '../slack/api/presence.ts'
import {createDoctor} from '../slack/doctor/doctor.ts'
import {createDiscussions} from '../slack/parcels/discussions.ts'
import {createParcels} from '../slack/parcels/parcels.ts'
import {createQuotedReader} from '../slack/parcels/quoted-reader.ts'
import {createFileReader} from '../slack/parcels/shared-files.ts'
import {createOpenings} from '../slack/posts/openings.ts'
import {createDoor} from '../slack/tell/unbound.ts'
import type {ActTableOptions, ActTools} from './act-tools.ts'
import {type Act, createActs, toTable} from '../slack/gate/act.ts'
import {createArchiveActs} from '../features/conversation/archiving.ts'
import {createBoard} from '../features/conversation/board.ts'
import {createFollowUps} from '../features/conversation/follow-ups.ts'
import {createListActs} from '../features/conversation/lists.ts'
import {createManageActs} from '../features/conversation/manage.ts'
import {createMessageActs} from '../features/conversation/messages.ts'
import {createOvertaken} from '../features/conversation/overtaken.ts'
import {createCallActs} from '../features/conversation/pings.ts'
import {createStartFormActs} from '../features/conversation/start-forms.ts'
import {createStartActs} from '../features/conversation/start.ts'
import {createStarter} from '../features/conversation/starter.ts'
import {createStopActs} from '../features/conversation/stops.ts'
import {createWorkActs} from '../features/conversation/unsure.ts'
import {createWaitingActs} from '../features/conversation/waiting.ts'
import {createAuditActs} from '../features/browse/audit.ts'
import {createDoctorActs} from '../features/browse/doctor.ts'
import {createFindActs} from '../features/browse/find.ts'
import {createFolderActs} from '../features/browse/folders.ts'
import {createHomeActs} from '../features/home/acts.ts'
import {createOrganizationActs} from '../features/browse/organization.ts'
import {createUsageActs} from '../features/browse/usage.ts'
import {createCaptainDesk} from '../features/captains/desk.ts'
import {createCaptainFormActs} from '../features/captains/forms.ts'
import {createCaptainCreation} from '../features/captains/creation.ts'
import {createCaptainActs} from '../features/captains/captains.ts'
import {createChecks} from '../slack/gate/checks.ts'
import {createCommandActs} from '../slack/gate/commands.ts'
import {createAskAdminActs} from '../features/connect/ask-admin.ts'
import {createChannelActs} from '../features/connect/channel.ts'
import {createConnectActs} from '../features/connect/connect.ts'
import {createDisconnectActs} from '../features/connect/disconnect.ts'
import {createReplaceKeyActs} from '../features/connect/replace-key.ts'
import {createGuard} from '../slack/gate/guard.ts'
import {createAutomateActs} from '../features/hooks/automate.ts'
import {createAutomationFormActs} from '../features/hooks/automation-form.ts'
import {createAutomationActs} from '../features/hooks/automations.ts'
import {createHookActs} from '../features/hooks/hooks.ts'
import {createBillingActs} from '../features/reviews/billing.ts'
import {createChangesActs} from '../features/reviews/changes.ts'
import {createFilterActs} from '../features/reviews/filters.ts'
import {createRuleActs} from '../features/reviews/rules.ts'
import {createReviewer} from '../features/reviews/reviewer.ts'
import {
  createReviewActs,
  createReviewCommand,
  createReviewWord,
} from '../features/reviews/reviews.ts'
import {createAnnouncementActs} from '../features/watch/announcements.ts'
import {createBringing, whereIs} from '../slack/gate/bringing.ts'
import {createFollowActs, createWhereAgentIs} from '../features/watch/follow.ts'
import {createTaskActs} from '../features/watch/tasks.ts'
import {createWatchActs} from '../features/watch/watches.ts'

/** Everything that people of one workspace can do. */
export function createActTable(options: ActTableOptions): ReadonlyMap<string, Act> {
  const {desk, answers, client, clientOf, people, access} = options
  const nowMs = Date.now
  const whereAgentIs = createWhereAgentIs(desk.lists, options.permalinks)
  const checks = createChecks(desk, whereAgentIs)
  const guard = createGuard({access, people, audit: desk.audit, nowMs})
  const presence = createPresence(client)
  const limits = createLimits({uses: desk.uses, nowMs})
  const tools = {
    ...{...options, act: createActs(answers, guard), checks, whereAgentIs, presence},
    ...{nowMs, limits, catalogue: createCatalogue({clientOf, nowMs})},
    review: createReviewer({...options, presence, limits}),
    door: createDoor(people),
  }
  const acts = [
    ...createConversationActs(tools),
    ...createListActs(tools),
    ...createWatchingActs(tools),
    ...createCaptainsActs(tools),
    ...createCallActs(tools),
    ...createAroundActs(tools),
    ...createAuditActs({...tools, audit: desk.audit}),
    ...createDoctorActs({...tools, examine: createDoctor({...tools, store: desk})}),
    ...createKeyActs(tools),
    ...createReviewingActs(tools),
    ...createAutomatedActs(tools),
    ...createHomeActs({...tools, choices: desk.choices, show: options.home.show}),
  ]
  const unnamed = {'/review': createReviewCommand(tools)}
  return toTable([...acts, ...createCommandActs({...tools, others: acts, unnamed})])
}

/** Pull requests: their reviews, and what is to change about them. */
function createReviewingActs(tools: ActTools): Act[] {
  return [
    ...createReviewActs({...tools, board: createBoard(tools)}),
    ...createChangesActs(tools),
    ...createRuleActs(tools),
    ...createFilterActs(tools),
    ...createBillingActs(tools),
  ]
}

/** Keys, and what channels have chosen. */
function createKeyActs(tools: ActTools): Act[] {
  return [
    ...createConnectActs(tools),
    ...createDisconnectActs(tools),
    ...createChannelActs(tools),
    ...createReplaceKeyActs(tools),
    ...createAskAdminActs({...tools, audit: tools.desk.audit}),
  ]
}

/** Agents that start by themselves, and the addresses that start them. */
function createAutomatedActs(tools: ActTools): Act[] {
  return [
    ...createAutomationActs(tools),
    ...createAutomationFormActs(tools),
    ...createHookActs(tools),
    ...createAutomateActs(tools),
  ]
}

/** Work from its start to its end, in its own Slack thread. */
function createConversationActs(tools: ActTools): Act[] {
  const {desk, client, settingsOf, pacer, names, team, tokenOf, log, catalogue} = tools
  const readQuoted = createQuotedReader()
  const parcels = createParcels({
    discussions: createDiscussions({client, pacer, team, names, readQuoted, log}),
    readFiles: createFileReader({tokenOf, apiUrl: tools.slackApiUrl}),
    ...{names, readQuoted, leaks: tools.leaks},
  })
  const begin = createStarter({
    ...{desk, catalogue, parcels, names, settingsOf, limits: tools.limits, door: tools.door},
    openings: createOpenings({client, pacer, team, starts: desk.starts, clock: systemClock}),
  })
  const review = createReviewWord(tools.review)
  const followUps = createFollowUps({...tools, parcels, review, inbox: desk.inbox})
  const board = createBoard(tools)
  return [
    ...createMessageActs({
      ...{...tools, followUps, begin, inbox: desk.inbox},
      overtaken: createOvertaken({...tools, inbox: desk.inbox}),
      whereIs: (link) => whereIs(link, tools.permalinks),
    }),
    ...followUps.acts,
    ...createWaitingActs(tools),
    ...createStopActs({...tools, posts: desk.posts}),
    ...createArchiveActs({...tools, board}),
    ...createManageActs({...tools, board}),
    ...createStartActs({...tools, begin}),
    ...createStartFormActs({...tools, begin, parcels}),
    ...createWorkActs(tools),
  ]
}

/** Agents that stay and have a name. */
function createCaptainsActs(tools: ActTools): Act[] {
  const options = {...tools, bring: createBringing(tools)}
  return [
    ...createCaptainFormActs({...options, create: createCaptainCreation(options)}),
    ...createCaptainActs({...options, captains: createCaptainDesk(options)}),
  ]
}

/** What lies around people's work. */
function createAroundActs(tools: ActTools): Act[] {
  const {acts, page} = createFolderActs(tools)
  return [
    ...createFindActs(tools),
    ...createUsageActs(tools),
    ...createOrganizationActs({...tools, folderPage: page}),
    ...acts,
  ]
}

/** Work that was begun elsewhere: watched, followed, looked into. */
function createWatchingActs(tools: ActTools): Act[] {
  const {desk, onWatched} = tools
  return [
    ...createFollowActs(tools),
    ...createWatchActs({...tools, watches: desk.watches, onChanged: onWatched}),
    ...createAnnouncementActs(tools),
    ...createTaskActs(tools),
  ]
}
