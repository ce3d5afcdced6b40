import type {WebClient} from '@slack/web-api'
import {createCatalogue} from '../../inbox/catalogue.ts'
import {type Act, type MakeAct, createActs, toTable} from './act.ts'
import {checkAnswer, createCallActs} from './calls.ts'
import {checkAnswerWatched, createAnnouncementActs} from './announcements.ts'
import {createArchiveActs} from './archiving.ts'
import {createAuditActs} from './audit.ts'
import {createAutomateActs} from './automate.ts'
import {checkAutomation, createAutomationFormActs} from './automation-form.ts'
import {createAutomationActs} from './automations.ts'
import {createBoard} from './board.ts'
import {createBringing, whereIs} from './bringing.ts'
import {createCaptainDesk} from './captain-desk.ts'
import {createCaptainFormActs} from './captain-forms.ts'
import {createCaptainCreation} from './captain-new.ts'
import {checkCaptain, checkQuestion} from './captain-wish.ts'
import {createCaptainActs} from './captains.ts'
import {type Checks, type WhereAgentIs, createChecks} from './checks.ts'
import {createAskAdminActs} from './ask-admin.ts'
import {createChannelActs} from './channel.ts'
import {createCommandActs} from './commands.ts'
import {checkConnect, createConnectActs} from './connect.ts'
import {checkSettings} from './connect-settings.ts'
import {createDisconnectActs} from './disconnect.ts'
import {createDoctorActs} from './doctor.ts'
import {createFindActs} from './find.ts'
import {checkFolderForm, createFolderActs} from './folders.ts'
import {createFollowActs, createWhereAgentIs} from './follow.ts'
import {createFollowUps} from './follow-ups.ts'
import {createGuard} from './guard.ts'
import {createHomeActs} from './home.ts'
import {checkHook, createHookActs} from './hooks.ts'
import {pause} from './key-forms.ts'
import {createListActs} from './lists.ts'
import {createManageActs} from './manage.ts'
import {createMessageActs} from './messages.ts'
import {createBillingActs} from './review-billing.ts'
import {checkChanges, createChangesActs} from './review-changes.ts'
import {createFilterActs} from './review-filters.ts'
import {checkRule, createRuleActs} from './review-rules.ts'
import {type Reviewer, createReviewer} from './reviewer.ts'
import {createReviewActs, createReviewCommand, createReviewWord} from './reviews.ts'
import {checkReplacement, createReplaceKeyActs} from './replace-key.ts'
import {createOrganizationActs} from './organization.ts'
import {createOvertaken} from './overtaken.ts'
import {createStartActs} from './start.ts'
import {createStartFormActs, startFormChecks} from './start-forms.ts'
import {createStarter} from './starter.ts'
import {createStopActs} from './stops.ts'
import {createTaskActs} from './tasks.ts'
import {createUsageActs} from './usage.ts'
import {createWaitingActs} from './waiting.ts'
import {createWatchActs} from './watches.ts'
import {createWorkActs} from './work.ts'
import {createDiscussions} from '../discussions.ts'
import {type Door, createDoor} from '../door.ts'
import {type Groups, createGroups} from '../groups.ts'
import {createOpenings} from '../openings.ts'
import {createParcels} from '../parcels.ts'
import {type Presence, createPresence} from '../presence.ts'
import {createFileReader} from '../shared-files.ts'
import type {FollowUpDesk} from '../../inbox/follow-up.ts'
import type {Keys} from '../../inbox/keys.ts'
import {type Limits, createLimits} from '../../inbox/limits.ts'
import type {SettingsOf} from '../../inbox/settings.ts'
import type {Connections} from '../../relay/connections.ts'
import type {Pacer} from '../../relay/pacer.ts'
import type {Log} from '../../relay/ports.ts'
import type {Leaks} from '../../security/leaks.ts'
import type {Store} from '../../store/store.ts'
import type {Announcer} from '../announcer.ts'
import type {Answers} from '../answers.ts'
import type {TokenOf} from '../calls.ts'
import {type Vitals, createDoctor} from '../doctor/doctor.ts'
import type {Forms} from '../forms.ts'
import type {Home} from '../home.ts'
import {CAPTAIN_FORMS, FOLDER_FORM, FORMS, HOOK_FORMS, KEY_FORMS, REVIEW_FORMS} from '../ids.ts'
import type {Names} from '../markup.ts'
import type {People} from '../people.ts'
import type {Permalinks} from '../permalinks.ts'
import type {FormChecks, FormPauses} from '../receivers.ts'
import type {Replies} from '../replies.ts'
import {texts} from '../texts.ts'

interface ActTableOptions {
  desk: FollowUpDesk & Store
  clientOf: Connections['clientOf']
  clientWith: Connections['clientWith']
  keys: Keys
  leaks: Leaks
  hasStandard: 'yes' | 'no'
  settingsOf: SettingsOf
  client: WebClient
  tokenOf: TokenOf
  slackApiUrl: string
  pacer: Pacer
  people: People
  names: Names
  replies: Replies
  answers: Answers
  forms: Forms
  home: Home
  permalinks: Permalinks
  announcer: Announcer
  /** The time zone of a Slack user. */
  zoneOf: (user: string) => Promise<string>
  team: string
  botUserId: string
  webUrl: string | undefined
  /** What the process knows of itself. */
  vitals: Vitals
  /** A reminder was moved. */
  onSnoozed: () => void
  /** What is watched has changed. */
  onWatched: () => void
  platformOrigin: string
  publicUrl: string | undefined
  onDelivery: () => void
  log: Log
}

/** What is wrong with what was entered, as far as it can be said at once; by callback id. */
export const formChecks: FormChecks = new Map([
  ...startFormChecks,
  [FORMS.answer, checkAnswer],
  [FORMS.answerWatched, checkAnswerWatched],
  [REVIEW_FORMS.changes, checkChanges],
  [REVIEW_FORMS.rule, checkRule],
  [CAPTAIN_FORMS.create, checkCaptain],
  [CAPTAIN_FORMS.ask, checkQuestion],
  [FOLDER_FORM, checkFolderForm],
  [KEY_FORMS.connect, checkConnect],
  [KEY_FORMS.settings, checkSettings],
  [KEY_FORMS.replace, checkReplacement],
  [HOOK_FORMS.hook, checkHook],
  [HOOK_FORMS.automation, checkAutomation],
])

/** Forms that stay open until it is known what came of them, and what they show meanwhile. */
export const formPauses: FormPauses = new Map([
  [KEY_FORMS.connect, pause(texts.connect.form.checking)],
  [KEY_FORMS.settings, pause(texts.connect.form.saving)],
  [KEY_FORMS.replace, pause(texts.connect.form.checking)],
])

/** Everything that people of one workspace can do. */
export function createActTable(options: ActTableOptions): ReadonlyMap<string, Act> {
  const {desk, answers, client, people, settingsOf} = options
  const whereAgentIs = createWhereAgentIs(desk.lists, options.permalinks)
  const checks = createChecks(desk, whereAgentIs)
  const groups = createGroups(client)
  const guard = createGuard({people, settingsOf, audit: desk.audit, groups, nowMs: Date.now})
  const presence = createPresence(client)
  const limits = createLimits({uses: desk.uses, nowMs: Date.now})
  const tools = {
    ...{...options, act: createActs(answers, guard), checks, whereAgentIs, groups, presence},
    ...{limits, review: createReviewer({...options, presence, limits})},
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

interface Tools extends ActTableOptions {
  act: MakeAct
  checks: Checks
  whereAgentIs: WhereAgentIs
  groups: Groups
  door: Door
  limits: Limits
  presence: Presence
  review: Reviewer
}

/** Pull requests: their reviews, and what is to change about them. */
function createReviewingActs(tools: Tools): Act[] {
  return [
    ...createReviewActs({...tools, board: createBoard(tools)}),
    ...createChangesActs(tools),
    ...createRuleActs(tools),
    ...createFilterActs(tools),
    ...createBillingActs(tools),
  ]
}

/** Keys, and what channels have chosen. */
function createKeyActs(tools: Tools): Act[] {
  const options = {...tools, nowMs: Date.now}
  return [
    ...createConnectActs(options),
    ...createDisconnectActs(options),
    ...createChannelActs(options),
    ...createReplaceKeyActs(options),
    ...createAskAdminActs({...options, audit: tools.desk.audit}),
  ]
}

/** Agents that start by themselves, and the addresses that start them. */
function createAutomatedActs(tools: Tools): Act[] {
  const options = {...tools, presence: createPresence(tools.client), nowMs: Date.now}
  return [
    ...createAutomationActs(options),
    ...createAutomationFormActs(options),
    ...createHookActs(options),
    ...createAutomateActs(options),
  ]
}

/** Work from its start to its end, in its own Slack thread. */
function createConversationActs(tools: Tools): Act[] {
  const {desk, client, clientOf, settingsOf, pacer, names, team, tokenOf, log} = tools
  const catalogue = createCatalogue({clientOf, nowMs: Date.now})
  const parcels = createParcels({
    discussions: createDiscussions({client, pacer, team, names, log}),
    readFiles: createFileReader({tokenOf, apiUrl: tools.slackApiUrl}),
    ...{names, leaks: tools.leaks},
  })
  const begin = createStarter({
    ...{desk, catalogue, parcels, names, settingsOf, limits: tools.limits, door: tools.door},
    openings: createOpenings({client, pacer, team, starts: desk.starts, nowMs: Date.now}),
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
    ...createStartFormActs({...tools, begin, catalogue, parcels}),
    ...createWorkActs(tools),
  ]
}

/** Agents that stay and have a name. */
function createCaptainsActs(tools: Tools): Act[] {
  const catalogue = createCatalogue({clientOf: tools.clientOf, nowMs: Date.now})
  const options = {...tools, catalogue, bring: createBringing(tools)}
  return [
    ...createCaptainFormActs({...options, create: createCaptainCreation(options)}),
    ...createCaptainActs({...options, captains: createCaptainDesk(options)}),
  ]
}

/** What lies around people's work. */
function createAroundActs(tools: Tools): Act[] {
  const options = {...tools, nowMs: Date.now}
  const {acts, page} = createFolderActs(options)
  return [
    ...createFindActs(options),
    ...createUsageActs(options),
    ...createOrganizationActs({...options, folderPage: page}),
    ...acts,
  ]
}

/** Work that was begun elsewhere: watched, followed, looked into. */
function createWatchingActs(tools: Tools): Act[] {
  const {desk, onWatched} = tools
  return [
    ...createFollowActs(tools),
    ...createWatchActs({
      ...{...tools, watches: desk.watches},
      ...{onChanged: onWatched, nowMs: Date.now},
    }),
    ...createAnnouncementActs(tools),
    ...createTaskActs(tools),
  ]
}
