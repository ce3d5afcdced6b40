import type {AutomaticFix} from '../agents/sends/pull-requests/fix-rows.ts'
import type {Poller} from '../async/poller.ts'
import type {Handling} from '../inbox/worker.ts'
import type {Surroundings} from '../agents/who-may-know.ts'
import type {Activity} from '../relay/activity.ts'
import type {PostWriter} from '../relay/ports.ts'
import type {Obstacle} from '../relay/publish/obstacles.ts'
import type {Link} from '../store/tables/work/link.ts'
import type {Notification} from '../store/tables/work/notifications.ts'
import type {Send} from '../store/tables/work/send.ts'
import type {Act} from '../slack/gate/act.ts'
import type {Whoami} from '../slack/api/identity.ts'
import type {DetailsRequest, SharedLinks} from '../slack/incoming/links.ts'
import type {AppMessage} from '../slack/incoming/alert.ts'
import type {Interaction} from '../slack/incoming/interaction.ts'
import type {StepExecution} from '../slack/incoming/execution.ts'
import type {Membership} from '../slack/api/membership.ts'
import type {People} from '../slack/api/people.ts'
import type {TokenOf} from '../slack/api/slack-client.ts'
import type {Deafness} from '../features/watch/watcher.ts'
import {type AgentPoster} from '../features/agent-posts/poster.ts'
import type {RunFollower} from '../features/hooks/runs/run-acts.ts'
import {type Announcer} from '../slack/posts/announcer.ts'
import {type Answers} from '../slack/answers/answers.ts'

/** As whom we are in a workspace, and by which token. */
export interface Install {
  identity: Whoami
  tokenOf: TokenOf
}

/** One Slack workspace: all that its people can see and press. */
export interface Workspace extends AsyncDisposable {
  identity: Whoami
  writer: PostWriter
  acts: ReadonlyMap<string, Act>
  answers: Answers
  announcer: Announcer
  agentPoster: AgentPoster
  /** Brings what a hook began into its channel. */
  followRun: RunFollower
  /** Digests, by when each is wanted. */
  digests: Pick<Poller, 'wake'>
  /** What earlier owners have done too late. */
  confessions: Pick<Poller, 'wake'>
  sureZoneOf: People['sureZoneOf']
  /** A channel can hear no more of a project that it watches by this key. */
  endWatch(
    watch: {channel: string; projectId: string; by: {connectionId: string | undefined}},
    why: Deafness,
  ): Promise<void>
  /** Who may look into one of its channels. */
  membership: Pick<Membership, 'visibilityOf' | 'surelyVisibilityOf'>
  /** What it knows of its people. */
  surroundings: Surroundings
  /** We have come into a channel; `isShared`: people of other companies are there. */
  invited(to: {channel: string; isShared: boolean}): Promise<void>
  /** People of other companies have come to read a channel, or none do any more. */
  shared(of: {channel: string; isShared: boolean}): Promise<void>
  /** Somebody has come into a channel, or left it. */
  moved(channel: string, user: string): void
  /** Slack says that a channel is private. */
  closed: Membership['closed']
  /** Whoever asked for the work hears that it can't be shown where it is. */
  tellBlocked(link: Link, obstacle: Obstacle): void
  /** A message that waited, or that nobody was sure of, has reached the agent. */
  tellArrived(link: Link, send: Send): void
  tellNotified(link: Link, notification: Notification): void
  /** What people see of the link may have changed. */
  onNews(link: Link): void
  /** Something was said of pull requests that the link has named. */
  onSaid(link: Link): void
  /** Somebody has posted links that may lead to something of ours. */
  linked(links: SharedLinks): Promise<void>
  /** Somebody looks into what one of them leads to. */
  detailed(asked: DetailsRequest, signal: AbortSignal): Promise<void>
  /** The agent has said something with this model. */
  onModel(link: Link, modelId: string): void
  /** The agent does something else now; `undefined`: it rests. */
  onActivity(link: Link, activity: Activity | undefined): void
  /** Slack says in this place what the agent is doing. */
  hasStatusLine(link: Link): boolean
  /** An app has written something that a rule may be about. */
  heard(message: AppMessage): Promise<void>
  /** What a rule has decided to begin. */
  beginAlert(alertId: string, handling: Handling): Promise<void>
  /** That is given up. */
  giveUpAlert(alertId: string): Promise<void>
  /** What was to begin by this is given up. */
  giveUpStart(interaction: Interaction): Promise<void>
  /** A step of ours is reached in somebody's workflow. */
  stepReached(execution: StepExecution, handling: Handling): Promise<void>
  /** That is given up. */
  giveUpStep(execution: StepExecution): Promise<void>
  /** Stops work whose budget is used up. */
  stopSpent(noteId: string, handling: Handling): Promise<void>
  /** Tells an agent by itself what its pull request waits for. */
  letFix(fix: AutomaticFix, handling: Handling): Promise<void>
  /** Shows what has changed while nobody served it. */
  recover(): void
}

/** The workspaces that are open here, by their ids. */
interface Workspaces extends AsyncDisposable {
  of: (team: string) => Workspace | undefined
  all(): Iterable<Workspace>
  /** Takes the place of the one that was there. */
  add(workspace: Workspace): Promise<void>
  remove(team: string): Promise<void>
}

export function createWorkspaces(): Workspaces {
  const byTeam = new Map<string, Workspace>()

  const remove = async (team: string): Promise<void> => {
    const workspace = byTeam.get(team)
    byTeam.delete(team)
    await workspace?.[Symbol.asyncDispose]()
  }

  return {
    of: (team) => byTeam.get(team),
    all: () => byTeam.values(),
    add: async (workspace) => {
      const {team} = workspace.identity
      const before = byTeam.get(team)
      byTeam.set(team, workspace)
      await before?.[Symbol.asyncDispose]()
    },
    remove,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...byTeam.keys()].map(remove))
    },
  }
}
