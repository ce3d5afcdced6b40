import {setTimeout as delay} from 'node:timers/promises'
import type {Cluster} from './cluster.ts'
import type {Frame} from './slack-gate.ts'

/** Who showed something: which instance, and which of its processes. */
export interface SeenFrame extends Frame {
  instance: number
  life: number
}

interface Claim {
  name: string
  epoch: number
  owner: string
  /** Of the owner's process. */
  pid: number | undefined
  /** When it was seen first. */
  atMs: number
}

/** What can be told from outside: frames at Slack, and the rows of `claims`. */
export interface Probes extends AsyncDisposable {
  see(frame: SeenFrame): void
  frames: readonly SeenFrame[]
  /** Every change of an epoch, oldest first. */
  claims: readonly Claim[]
  /** The newest claim of each name. */
  current(): ReadonlyMap<string, Claim>
  /** Who worked for this workspace last, as Slack saw it. */
  workerOf(team: string): {instance: number; life: number} | undefined
  teamOf(frame: Frame): string
  /** Slack threads whose next message may stand or not, by workspace. */
  openIntents(): Promise<{team: string; thread: string}[]>
}

const LOOK_MS = 100

export function startProbes(cluster: Cluster, teams: readonly string[]): Probes {
  const frames: SeenFrame[] = []
  const claims: Claim[] = []
  const current = new Map<string, Claim>()
  const workers = new Map<string, {instance: number; life: number}>()
  const byChannel = new Map(teams.map((team) => [`C${team.slice(1)}GENERAL`, team]))
  const teamOf = ({channel}: Frame): string => byChannel.get(channel) ?? ''
  const ending = new AbortController()
  const look = async (): Promise<void> => {
    const rows = await cluster.query(
      `select claims.name, epoch, owner, pid
        from claims left join bosun_jobs.instance on instance.name = claims.owner`,
    )
    for (const row of rows) {
      const [name, epoch, owner] = [String(row['name']), Number(row['epoch']), String(row['owner'])]
      const known = current.get(name)
      if (known?.epoch === epoch) continue
      const pid = row['pid'] === null ? undefined : Number(row['pid'])
      const claim = {name, epoch, owner, pid, atMs: Date.now()}
      current.set(name, claim)
      claims.push(claim)
    }
  }
  const watch = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      await look().catch(() => undefined) // the database may be away, or have no tables yet
      await delay(LOOK_MS)
    }
  }
  const watching = watch()
  return {
    ...{frames, claims, teamOf},
    see: (frame) => {
      frames.push(frame)
      const {instance, life} = frame
      workers.set(teamOf(frame), {instance, life})
    },
    current: () => current,
    workerOf: (team) => workers.get(team),
    openIntents: async () => {
      const rows = await cluster.query(
        `select distinct l.team, l.slack_thread from posts p join links l on l.id = p.link_id
          where p.state = 'intended' and l.channel = any($1)`,
        [[...byChannel.keys()]],
      )
      return rows.map((row) => ({team: String(row['team']), thread: String(row['slack_thread'])}))
    },
    [Symbol.asyncDispose]: async () => {
      ending.abort()
      await watching
    },
  }
}
