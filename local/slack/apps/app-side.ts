import {createAgentThreads} from '../agents/agent-threads.ts'
import {createAgentPeople} from '../agents/people.ts'
import {createEventLimit} from '../delivery/event-limit.ts'
import {createEvents, type Events} from '../delivery/events.ts'
import {createInteractions} from '../delivery/interactions.ts'
import type {NewResponseUrl} from '../delivery/response-urls.ts'
import {createGrants} from '../edge/scopes.ts'
import {createMessageShape} from '../messages/shape.ts'
import type {Desk} from '../methods/method.ts'
import type {AppPeople} from '../people/people.ts'
import {createPressing} from '../people/pressing.ts'
import type {SlackRecord} from '../record.ts'
import type {TeamSide} from '../team-side.ts'
import {createDetailTriggers} from '../unfurls/details.ts'
import {createDrafts} from '../unfurls/drafts.ts'
import {createUnfurlPeople} from '../unfurls/people.ts'
import {openViewDesk} from '../views/desk.ts'
import {createViewPayloads} from '../views/payloads.ts'
import {createViewPeople} from '../views/people.ts'
import {showViews, type ViewsShown} from '../views/views.ts'
import {openStepExecutions} from '../workflows/executions.ts'
import {createStepPeople} from '../workflows/people.ts'
import {createMemberShape} from '../workspace/member-shape.ts'
import {toSlackUsergroup} from '../workspace/usergroup-shape.ts'
import {type Organization, type Team, seenBy} from '../workspace/workspace.ts'
import type {Installation, Installations} from './installations.ts'
import type {AppLine} from './line.ts'
import {isClientOf} from './oauth.ts'

/** An app in a workspace: what its calls work on, what people do with it, and what it hears. */
export interface AppSide {
  line: AppLine
  /** As it stands now. */
  installation: () => Installation
  desk: Desk
  people: AppPeople
  events: Events
  views: (userId: string) => ViewsShown
  /**
   * By an admin, or by the app itself: it hears so, and its tokens are worth nothing any more. Where its organization has let
   * it in, it is taken out of this workspace alone, or as part of the organization.
   */
  uninstall(part?: 'organization'): void
  /** Ends this token, and the app hears so. */
  revoke(token: string): void
}

interface AppSideParts {
  record: SlackRecord
  team: TeamSide
  /** All that there are. */
  teams: readonly TeamSide[]
  line: AppLine
  installations: Installations
  /** As it stands now. */
  installation: () => Installation
  organization: Organization | undefined
}

export function openAppSide(parts: AppSideParts): AppSide {
  const {record, team, line, installation} = parts
  const side = openOwnParts(parts)
  const {workspace, events} = side
  const ends = createEnds(parts, events)
  const {app} = line
  const shared = {...record, ...team, ...side}
  const desk: Desk = {
    ...shared,
    ...ends,
    hasMessagesTab: app.options.messagesTab ?? true,
    steps: app.options.steps,
    hasCommandsUrl: app.options.delivery?.mode !== 'http' || app.options.codeCommands !== 'absent',
    isClient: (id, secret) => isClientOf(app, id, secret),
  }
  const acting = {...shared, deliveries: line.deliveries, tell: events.tell}
  return {
    line,
    installation,
    desk,
    people: {
      ...createPressing({...acting, interactions: createInteractions(acting)}),
      ...createViewPeople({...acting, viewPayloads: createViewPayloads(acting)}),
      ...createAgentPeople(acting),
      ...createStepPeople({...acting, steps: app.options.steps}),
      ...createUnfurlPeople(acting),
    },
    events,
    views: showViews(workspace, side.views),
    ...ends,
  }
}

/** Everything that belongs to this app in this workspace alone. */
function openOwnParts({
  record,
  team,
  teams,
  line,
  installations,
  installation,
  organization,
}: AppSideParts) {
  const {database, messages, timestamps, changes, now, timeFactor, triggerMs} = record
  const {app} = line
  const {botId, userId, id: scope} = installation()
  const workspace = seenBy(team.roster, {
    ...{id: app.id, name: app.name, botId, userId},
    get organization() {
      return installation().organizationId === undefined ? undefined : organization
    },
  })
  const grants = createGrants(() => installation().scopes)
  const memberShape = createMemberShape(workspace, grants)
  const shape = createMessageShape(team.roster, messages, team.filesOf)
  const {homeTab, agent, events: subscribed, unfurlDomains = []} = app.options
  const newResponseUrl: NewResponseUrl = (target) =>
    record.responseUrls.create({...target, author: {botId, userId}})
  const isGranted = ({id}: Team): boolean => {
    const there = installations.of(app.id, id)
    const {organizationId} = installation()
    return there?.isActive === true && there.organizationId === organizationId
  }
  return {
    workspace,
    grantedTeams: () =>
      installation().organizationId === undefined
        ? [team.roster.team]
        : teams.map(({roster}) => roster.team).filter(isGranted),
    grants,
    memberShape,
    shape,
    newResponseUrl,
    unfurlDomains,
    drafts: createDrafts(),
    detailTriggers: createDetailTriggers(),
    ...openViewDesk({options: {homeTab, triggerMs}, database, scope, changes, now}),
    stepExecutions: openStepExecutions(database, scope),
    agentThreads: createAgentThreads({database, botId, changes, options: agent, now, timeFactor}),
    events: createEvents({
      workspace,
      shape,
      timestamps,
      now,
      deliveries: line.deliveries,
      limit: createEventLimit({perHour: () => line.faults.eventsPerHour, now}),
      usergroups: team.usergroups,
      subscribed,
      unfurlDomains: () => (grants.has('links:read') ? unfurlDomains : []),
      isActive: () => installation().isActive,
      toUser: memberShape.user,
      toUsergroup: (usergroup) => toSlackUsergroup(team.roster, usergroup),
    }),
  }
}

function createEnds(
  {installations, installation, team, record}: AppSideParts,
  {tell}: Events,
): Pick<AppSide, 'uninstall' | 'revoke'> {
  const tellRevoked = (): void =>
    tell({type: 'tokens_revoked', tokens: {oauth: [], bot: [installation().userId]}})
  return {
    uninstall: (part) => {
      const {isActive, organizationId, teamId} = installation()
      if (!isActive) return
      if (organizationId !== undefined && part === undefined) {
        tell({type: 'team_access_revoked', team_ids: [teamId]})
      } else {
        tell({type: 'app_uninstalled'})
        tellRevoked()
      }
      installations.uninstall(installation())
      const bot = team.roster.member(installation().userId)
      if (bot === undefined) return
      const member = {...bot, deactivated: true}
      team.roster.saveMember(member)
      record.changes.publish({type: 'member_changed', member})
    },
    revoke: (token) => {
      installations.revoke(installation(), token)
      tellRevoked()
    },
  }
}
