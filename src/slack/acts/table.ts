import {createCatalogue} from '../../inbox/agents/catalogue.ts'
import {createLimits} from '../../inbox/agents/limits.ts'
import {systemClock} from '../../async/clock.ts'
import {createPresence} from '../api/presence.ts'
import {createDoctor} from '../doctor/doctor.ts'
import {createDiscussions} from '../parcels/discussions.ts'
import {createParcels} from '../parcels/parcels.ts'
import {createQuotedReader} from '../parcels/quoted-reader.ts'
import {createFileReader} from '../parcels/shared-files.ts'
import {createOpenings} from '../posts/openings.ts'
import {createDoor} from '../tell/unbound.ts'
import type {ActTableOptions, ActTools} from './act-tools.ts'
import {type Act, createActs, toTable} from './act.ts'
import {createArchiveActs} from './agents/archiving.ts'
import {createBoard} from './agents/board.ts'
import {createFollowUps} from './agents/follow-ups.ts'
import {createListActs} from './agents/lists.ts'
import {createManageActs} from './agents/manage.ts'
import {createMessageActs} from './agents/messages.ts'
import {createOvertaken} from './agents/overtaken.ts'
import {createCallActs} from './agents/pings.ts'
import {createStartFormActs} from './agents/start-forms.ts'
import {createStartActs} from './agents/start.ts'
import {createStarter} from './agents/starter.ts'
import {createStopActs} from './agents/stops.ts'
import {createWorkActs} from './agents/unsure.ts'
import {createWaitingActs} from './agents/waiting.ts'
import {createAuditActs} from './browse/audit.ts'
import {createDoctorActs} from './browse/doctor.ts'
import {createFindActs} from './browse/find.ts'
import {createFolderActs} from './browse/folders.ts'
import {createHomeActs} from './browse/home.ts'
import {createOrganizationActs} from './browse/organization.ts'
import {createUsageActs} from './browse/usage.ts'
import {createCaptainDesk} from './captains/captain-desk.ts'
import {createCaptainFormActs} from './captains/captain-forms.ts'
import {createCaptainCreation} from './captains/captain-new.ts'
import {createCaptainActs} from './captains/captains.ts'
import {createChecks} from './checks.ts'
import {createCommandActs} from './commands.ts'
import {createAskAdminActs} from './connect/ask-admin.ts'
import {createChannelActs} from './connect/channel.ts'
import {createConnectActs} from './connect/connect.ts'
import {createDisconnectActs} from './connect/disconnect.ts'
import {createReplaceKeyActs} from './connect/replace-key.ts'
import {createGuard} from './guard.ts'
import {createAutomateActs} from './hooks/automate.ts'
import {createAutomationFormActs} from './hooks/automation-form.ts'
import {createAutomationActs} from './hooks/automations.ts'
import {createHookActs} from './hooks/hooks.ts'
import {createBillingActs} from './reviews/review-billing.ts'
import {createChangesActs} from './reviews/review-changes.ts'
import {createFilterActs} from './reviews/review-filters.ts'
import {createRuleActs} from './reviews/review-rules.ts'
import {createReviewer} from './reviews/reviewer.ts'
import {createReviewActs, createReviewCommand, createReviewWord} from './reviews/reviews.ts'
import {createAnnouncementActs} from './watch/announcements.ts'
import {createBringing, whereIs} from './bringing.ts'
import {createFollowActs, createWhereAgentIs} from './watch/follow.ts'
import {createTaskActs} from './watch/tasks.ts'
import {createWatchActs} from './watch/watches.ts'

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
