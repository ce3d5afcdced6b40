import type {AppSide} from '../apps/app-side.ts'
import type {SlackRecord} from '../record.ts'
import type {TeamSide} from '../team-side.ts'
import type {AgentThreadView, ShownViews, WorkspaceView} from './contract.ts'
import {toAgentThreadView, toChannelView, toMemberView} from './shapes.ts'

interface PageSightParts {
  record: SlackRecord
  team: TeamSide
  teams: readonly TeamSide[]
  /** The apps that are in this workspace now, oldest first. */
  sides: () => readonly AppSide[]
}

/** What the page sees of one workspace. */
export function createPageSight({record, team, teams, sides}: PageSightParts) {
  const {roster, usergroups} = team
  const {messages, files, changes, ledgerWriter} = record
  return {
    roster,
    messages,
    files,
    changes,
    ledger: ledgerWriter.ledger,
    workspaceView: (): WorkspaceView => ({
      teamId: roster.team.id,
      teamName: roster.team.name,
      teams: teams.map(({roster: {team: one}}) => ({id: one.id, name: one.name})),
      botUserId: sides()[0]?.desk.workspace.app.userId ?? '',
      apps: sides().map(toAppView),
      members: roster.members().map((member) => {
        const isServed = sides().some(({desk}) => desk.workspace.app.userId === member.id)
        return {...toMemberView(member), ...(isServed && {isServed})}
      }),
      channels: roster.channels().map(toChannelView),
      usergroups: usergroups.all().map(({id, handle, name}) => ({id, handle, name})),
    }),
    views: (userId: string): ShownViews => {
      const shown = sides().map(({views}) => views(userId))
      return {
        modals: shown.flatMap(({modals}) => modals),
        homes: shown.flatMap(({home}) => home ?? []),
      }
    },
    agentThreads: (): AgentThreadView[] =>
      sides().flatMap(({desk}) =>
        desk.agentThreads.places().map((place) => toAgentThreadView(desk.agentThreads, place)),
      ),
    /** As the app shows it that has something to show. */
    agentThread: (place: {channel: string; threadTs: string}): AgentThreadView | undefined => {
      const shown = sides().map(({desk}) => toAgentThreadView(desk.agentThreads, place))
      return shown.find(({status, session}) => status !== '' || session !== undefined) ?? shown[0]
    },
  }
}

export type PageSight = ReturnType<typeof createPageSight>

function toAppView({line, desk}: AppSide): WorkspaceView['apps'][number] {
  const {agent, commands = [], shortcuts = [], steps = []} = line.app.options
  const isOffered = desk.grants.has('commands')
  return {
    ...desk.workspace.app,
    hasHome: desk.hasHomeTab,
    isAgent: agent !== undefined,
    commands: isOffered ? [...commands] : [],
    shortcuts: isOffered ? [...shortcuts] : [],
    steps: [...steps],
  }
}
