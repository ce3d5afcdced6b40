import {createCatalogue} from '../../inbox/catalogue.ts'
import {createLimits} from '../../inbox/limits.ts'
import {createDiscussions} from '../discussions.ts'
import {createDoctor} from '../doctor/doctor.ts'
import {createDoor} from '../door.ts'
import {createGroups} from '../groups.ts'
import {createOpenings} from '../openings.ts'
import {createParcels} from '../parcels.ts'
import {createPresence} from '../presence.ts'
import {createFileReader} from '../shared-files.ts'
import type {ActTableOptions, ActTools} from './act-tools.ts'
import {type Act, createActs, toTable} from './act.ts'
import {createAnnouncementActs} from './announcements.ts'
import {createArchiveActs} from './archiving.ts'
import {createAskAdminActs} from './ask-admin.ts'
import {createAuditActs} from './audit.ts'
import {createAutomateActs} from './automate.ts'
import {createAutomationFormActs} from './automation-form.ts'
import {createAutomationActs} from './automations.ts'
import {createBoard} from './board.ts'
import {createBringing, whereIs} from './bringing.ts'
import {createCallActs} from './calls.ts'
import {createCaptainDesk} from './captain-desk.ts'
import {createCaptainFormActs} from './captain-forms.ts'
import {createCaptainCreation} from './captain-new.ts'
import {createCaptainActs} from './captains.ts'
import {createChannelActs} from './channel.ts'
import {createChecks} from './checks.ts'
import {createCommandActs} from './commands.ts'
import {createConnectActs} from './connect.ts'
import {createDisconnectActs} from './disconnect.ts'
import {createDoctorActs} from './doctor.ts'
import {createFindActs} from './find.ts'
import {createFolderActs} from './folders.ts'
import {createFollowUps} from './follow-ups.ts'
import {createFollowActs, createWhereAgentIs} from './follow.ts'
import {createGuard} from './guard.ts'
import {createHomeActs} from './home.ts'
import {createHookActs} from './hooks.ts'
import {createListActs} from './lists.ts'
import {createManageActs} from './manage.ts'
import {createMessageActs} from './messages.ts'
import {createOrganizationActs} from './organization.ts'
import {createOvertaken} from './overtaken.ts'
import {createReplaceKeyActs} from './replace-key.ts'
import {createBillingActs} from './review-billing.ts'
import {createChangesActs} from './review-changes.ts'
import {createFilterActs} from './review-filters.ts'
import {createRuleActs} from './review-rules.ts'
import {createReviewer} from './reviewer.ts'
import {createReviewActs, createReviewCommand, createReviewWord} from './reviews.ts'
import {createStartFormActs} from './start-forms.ts'
import {createStartActs} from './start.ts'
import {createStarter} from './starter.ts'
import {createStopActs} from './stops.ts'
import {createTaskActs} from './tasks.ts'
import {createUsageActs} from './usage.ts'
import {createWaitingActs} from './waiting.ts'
import {createWatchActs} from './watches.ts'
import {createWorkActs} from './work.ts'

/** Everything that people of one workspace can do. */
export function createActTable(options: ActTableOptions): ReadonlyMap<string, Act> {
  const {desk, answers, client, clientOf, people, settingsOf} = options
  const nowMs = Date.now
  const whereAgentIs = createWhereAgentIs(desk.lists, options.permalinks)
  const checks = createChecks(desk, whereAgentIs)
  const groups = createGroups(client)
  const guard = createGuard({people, settingsOf, audit: desk.audit, groups, nowMs})
  const presence = createPresence(client)
  const limits = createLimits({uses: desk.uses, nowMs})
  const tools = {
    ...{...options, act: createActs(answers, guard), checks, whereAgentIs, groups, presence},
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
  const {desk, client, settingsOf, pacer, names, team, tokenOf, log, catalogue, nowMs} = tools
  const parcels = createParcels({
    discussions: createDiscussions({client, pacer, team, names, log}),
    readFiles: createFileReader({tokenOf, apiUrl: tools.slackApiUrl}),
    ...{names, leaks: tools.leaks},
  })
  const begin = createStarter({
    ...{desk, catalogue, parcels, names, settingsOf, limits: tools.limits, door: tools.door},
    openings: createOpenings({client, pacer, team, starts: desk.starts, nowMs}),
  })
  const review = createReviewWord(tools.review)
  const followUps = createFollowUps({...tools, parcels, review})
  const board = createBoard(tools)
  return [
    ...createMessageActs({
      ...{...tools, followUps, begin},
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
