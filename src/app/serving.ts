import {isEndingLane} from '../slack/incoming/arrival.ts'
import {openEntrance} from '../slack/installs/entrance.ts'
import type {Owner} from '../store/ownership/ownership.ts'
import type {Worker} from '../inbox/worker.ts'
import type {Core} from './core.ts'
import type {Services} from './services.ts'
import {type Duties, withDuties} from './duties.ts'
import {inheritPace, isShared, leavePace} from './handover.ts'
import type {Holding} from './holdings.ts'
import {createOffers} from './offers.ts'
import {createShared} from './shared.ts'
import type {Install} from './workspaces.ts'
import {systemClock} from '../async/clock.ts'
import {createKeyedQueue} from '../async/keyed-queue.ts'
import {pause} from '../async/pause.ts'
import {type LateCall, createLateCalls} from '../slack/api/late-calls.ts'
import {createWorkspace} from './workspace.ts'

/** So long what is in hand may take before a workspace that is given away is closed. */
const IN_HAND_MS = 500

/**
 * The third stage: the workspaces that the bot is installed in, each with all that its people can do. They come and go
 * while it runs. All of them are known here; those that this instance has a claim on are open.
 *
 * @throws {SlackStartError}
 */
export async function serveWorkspaces(
  core: Core,
  services: Services,
  signal: AbortSignal,
  opened: AsyncDisposableStack,
) {
  const {
    config,
    log,
    store,
    slackAccess,
    outlet,
    pacer,
    obstacles,
    holdings,
    workspaces,
    known,
    vitals,
  } = core
  const {fleet, wakeAll, watcher} = services
  const {ownership} = store
  const {slack, http} = config
  const shared = createShared(core, services)
  let worker: Worker | undefined

  const offers = createOffers({ownership, signal, log})
  const inTurn = createKeyedQueue()
  /** What has been opened here is what this holding may do. */
  const openBy = new Map<string, {install: Install; holding: Holding}>()

  /** Whoever owned it before, and whatever was missed meanwhile: it begins with what the tables say. */
  const openHere = async (team: string): Promise<void> => {
    const install = known.get(team)
    const holding = holdings.of(team)
    if (install === undefined || holding === undefined) return
    // It may have been claimed while it was made known.
    const before = openBy.get(team)
    if (before?.holding === holding && before.install.identity === install.identity) return
    await fleet.leave(team)
    // Meanwhile it may have become somebody else's.
    if (holdings.of(team) !== holding) return
    const {tables, clientOf, claim, lateCalls} = holding
    const workspace = createWorkspace(install, {
      ...{...shared, store: {...store, ...tables}, clientOf, lateCalls, stopping: signal},
      fetch: outlet.fetchWhile(claim.mayCall),
    })
    openBy.set(team, {install, holding})
    await workspaces.add(workspace)
    fleet.recover(team)
    wakeAll(team)
    worker?.wake()
    workspace.recover()
  }

  /** Whoever works for the workspace now has to know; this instance may not write for it any more. */
  const confess = (team: string, call: LateCall): void => {
    store.handovers
      .confess(team, call, Date.now())
      .then(() => {
        store.notices.tell({about: 'confessions', team})
        // It may have come back meanwhile.
        workspaces.of(team)?.confessions.wake()
      })
      .catch((error: unknown) =>
        log.error({err: error, team, ...call}, 'A late call was not noted'),
      )
  }

  const closeHere = async (team: string): Promise<void> => {
    openBy.delete(team)
    await workspaces.remove(team)
    await fleet.leave(team)
  }

  const {installs, pages} = await openEntrance(
    {
      serving: {
        ...slackAccess,
        fetchOnce: outlet.fetchOnce,
        log,
        open: async (identity, tokenOf) => {
          const {team} = identity
          known.set(team, {identity, tokenOf})
          await offers.add(team)
          await inTurn(team, () => openHere(team))
        },
        forget: async (team) => {
          known.delete(team)
          offers.forget(team)
          await inTurn(team, () => closeHere(team))
          // What is in hand writes nothing behind its end; the row that says so is in hand, too.
          await worker?.leave(team, isEndingLane)
          obstacles.retry({team})
        },
        offer: offers.add,
        release: async (name) => {
          // The row that said so may still be in hand.
          void offers.remove(name, async () => worker?.leave(name))
          await Promise.all([store.connections.reload(), store.hooks.reload()])
          store.notices.tell({about: 'keys'})
        },
        mayRenew: (id) => holdings.of(id)?.claim.mayCall() === true,
        // Whoever works for it is kept from it, and hears when that is over.
        onRefused: (team, code) => {
          if (holdings.of(team) !== undefined) obstacles.meet({scope: {team}, code})
        },
        onRenewed: (team) => obstacles.retry({team}),
      },
      store: store.installs,
      usedStates: store.usedStates,
      tell: store.notices.tell,
      botToken: slack.botToken,
      credentials: slack.installs,
      publicUrl: http.publicUrl,
    },
    signal,
  )
  opened.use(installs)

  /** Whoever ended it may have died before it was withdrawn, or another one have offered it again as it started. */
  const refuseEnded = async (name: string): Promise<void> => {
    if (installs.has(name)) return
    await installs.refresh()
    if (!installs.has(name)) void offers.remove(name, async () => undefined)
  }

  await installs.recover()
  vitals.haveInstalls(installs)
  return {
    installs,
    pages,
    /** From now on something may be written to Slack. */
    begin: async (begun: Worker, duties: Duties): Promise<void> => {
      worker = begun
      const owner: Owner = {
        take: async (claim) => {
          const {name} = claim
          const lateCalls = createLateCalls({
            claim,
            isShared: isShared(claim),
            confess: (call) => confess(name, call),
            clock: systemClock,
          })
          const holding = holdings.make(claim, lateCalls)
          // Whoever is alone begins as they ended. Who could not read it leaves it to the next one as it is.
          if (isShared(claim)) await inheritPace({...holding, ...holding.tables, pacer})
          holdings.add(holding)
          services.keys.doubt()
          await inTurn(name, () => openHere(name))
          begun.wake()
          await refuseEnded(name)
        },
        leave: async (claim) => {
          const holding = holdings.of(claim.name)
          if (holding?.claim !== claim) return
          const {name} = claim
          holdings.remove(claim)
          const left = begun.leave(name)
          // Most are done by then, and what they have to say is said while the workspace is open.
          await Promise.race([left, pause(IN_HAND_MS, claim.over)])
          await Promise.all([left, inTurn(name, () => closeHere(name))])
          obstacles.forget(name)
          watcher.look()
          if (isShared(claim)) await leavePace({...holding, ...holding.tables, pacer})
        },
      }
      await offers.all(Object.keys(duties))
      ownership.begin(withDuties(duties, owner))
    },
  }
}
