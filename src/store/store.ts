import type Database from 'better-sqlite3'
import {Kysely, sql} from 'kysely'
import {type Sealer, type SealingKey, createSealer} from '../security/seal.ts'
import type {Secret} from '../security/secret.ts'
import {type AgentPostStore, createAgentPostStore} from './tables/work/agent-posts.ts'
import {type AnnouncementStore, createAnnouncementStore} from './tables/channels/announcements.ts'
import {type AuditStore, createAuditStore} from './tables/audit.ts'
import {type BindingStore, createBindingStore} from './tables/channels/bindings.ts'
import {type ChoiceStore, createChoiceStore} from './tables/choices.ts'
import {type ConnectionUses, createConnectionUses} from './tables/connection-uses.ts'
import {type ConnectionStore, openConnectionStore} from './tables/platform-keys.ts'
import {type Beats, createGuard, startBeats} from './sqlite/one-bot/beats.ts'
import {openBotLock} from './sqlite/one-bot/bot-lock.ts'
import {createCheckpoints} from './sqlite/upkeep/checkpoints.ts'
import {type Checkup, checkUp} from './sqlite/upkeep/checkup.ts'
import {type Condition, createCondition} from './database/condition.ts'
import {examine, explain, openFile} from './sqlite/database-file.ts'
import {PatientSqliteDialect} from './sqlite/dialect.ts'
import {migrateFrom, pendingAfter, refuseNewer} from './database/migrate.ts'
import {copyBefore, dropCopies} from './sqlite/migration-copy.ts'
import {narrowFiles} from './sqlite/own-files.ts'
import type {Schema} from './database/schema.ts'
import {type SealedCounts, checkSealedValues, countSealed} from './database/sealed-values.ts'
import {addSeal, checkSeals} from './database/seals.ts'
import {LOCK_WAIT_MS, unlessLocked} from './database/waits.ts'
import {type Write, createWriter} from './database/writer.ts'
import {type DeliveryStore, createDeliveryStore} from './tables/hooks/deliveries.ts'
import {type FolderStore, createFolderStore} from './tables/channels/folders.ts'
import {type DepartureStore, createDepartureStore} from './forget/departures.ts'
import {type RetentionStore, createRetentionStore} from './forget/retention.ts'
import {type HookStore, openHookStore} from './tables/hooks/hooks.ts'
import {type InboxStore, createInboxStore} from './tables/inbox.ts'
import {type InstallStore, createInstallStore} from './tables/installs.ts'
import {type LinkLists, createLinkLists} from './tables/work/link-lists.ts'
import {type LinkStore, createLinkStore} from './tables/work/links.ts'
import {newestRowMs} from './tables/newest-row.ts'
import {type OriginStore, createOriginStore} from './tables/work/origins.ts'
import {type PeopleStore, createPeopleStore} from './tables/people.ts'
import {type NotificationStore, createNotificationStore} from './tables/work/notifications.ts'
import {type PostStore, createPostStore} from './tables/work/posts.ts'
import {type SendStore, createSendStore} from './tables/work/sends.ts'
import {type SightingStore, createSightingStore} from './tables/channels/sightings.ts'
import {type StartStore, createStartStore} from './tables/work/starts.ts'
import {type MarkStore, createMarkStore} from './tables/work/marks.ts'
import {type StopStore, createStopStore} from './tables/work/stops.ts'
import {type WatchStore, createWatchStore} from './tables/channels/watches.ts'

/** Bosun's tables. One bot per file: a second one is refused while this one lives. */
export interface Store extends AsyncDisposable {
  links: LinkStore
  origins: OriginStore
  posts: PostStore
  inbox: InboxStore
  sends: SendStore
  stops: StopStore
  marks: MarkStore
  people: PeopleStore
  starts: StartStore
  notifications: NotificationStore
  choices: ChoiceStore
  lists: LinkLists
  watches: WatchStore
  sightings: SightingStore
  announcements: AnnouncementStore
  connections: ConnectionStore
  bindings: BindingStore
  installs: InstallStore
  audit: AuditStore
  folders: FolderStore
  agentPosts: AgentPostStore
  retention: RetentionStore
  hooks: HookStore
  deliveries: DeliveryStore
  checkUp: () => Promise<Checkup>
  /** Which sealing keys are in use, and how often. */
  countSealed(): Promise<SealedCounts>
  uses: ConnectionUses
  /** What seals the columns: for what is on its way to them. */
  sealer: Sealer
  departures: DepartureStore
  /** When the newest row was written. */
  newestRowMs: () => Promise<number | undefined>
  /** `undefined` while the database is well, else what is wrong with it and what to do. */
  check(): Promise<string | undefined>
  /** The bot works: what earlier starts have kept to go back to is removed. */
  settle(): void
  /** Aborted with a {@link StoreError} once another bot has the database: this one must do nothing any more. */
  lost: AbortSignal
}

interface StoreOptions {
  path: string
  sealingKeys: readonly SealingKey[]
  /** Hears what an operator should know, a line for each. */
  tell?: (line: string) => void
  /** Ends when the process is asked to stop: what cannot be written then is given up soon, before the store is closed. */
  signal?: AbortSignal
  /** Told every secret that is read or kept. */
  learn?: (secret: Secret) => void
}

const CHECK_WITHIN_MS = 2000

/**
 * Opens the database, migrates it, and checks that the sealing keys are the ones it knows.
 *
 * @throws {StoreError} when it is in use, missing, damaged, unreadable, of a newer version, or sealed
 * with other keys; nothing was changed then.
 */
export async function openStore({
  path: given,
  sealingKeys,
  tell = () => undefined,
  signal,
  learn = () => undefined,
}: StoreOptions): Promise<Store> {
  const lock = await openBotLock(given)
  const {path} = lock
  let beats: Beats | undefined
  let sqlite: Database.Database | undefined
  try {
    const sealer = createSealer(sealingKeys)
    const found = await unlessLocked(() => examine(path, lock.hasBeen))
    refuseNewer(path, found.migrations)
    checkSeals(found.seals, sealer)
    checkSealedValues(found.sealed, sealer)
    tellNarrowed(path, tell)
    const copy = await keptCopy({path, sealer}, found.migrations, tell)
    const mine = await lock.mark()
    const database = await unlessLocked(() => openFile(path))
    sqlite = database
    const checkpoints = createCheckpoints(database)
    const beating = startBeats({mine, onBeat: checkpoints.look})
    beats = beating
    const condition = createCondition()
    const guard = createGuard(database, mine)
    const db = new Kysely<Schema>({dialect: new PatientSqliteDialect({database, condition, guard})})
    await unlessLocked(() => migrateFrom(db, {path, copy}))
    const {write, stop} = createWriter({db, condition, onCommitted: checkpoints.look})
    const writeSoon: Write = (change) => write(change, AbortSignal.timeout(LOCK_WAIT_MS))
    await addSeal(writeSoon, sealer, {seals: found.seals, keys: sealingKeys})
    signal?.addEventListener('abort', () => void stop())
    const connections = await openConnectionStore(db, write, {sealer, learn})
    return {
      links: createLinkStore(db, write),
      origins: createOriginStore(db, write),
      posts: createPostStore(db, write),
      inbox: createInboxStore(db, write),
      sends: createSendStore(db, write),
      stops: createStopStore(db, write),
      marks: createMarkStore(db, write),
      people: createPeopleStore(db, write),
      starts: createStartStore(db, write),
      notifications: createNotificationStore(db, write),
      choices: createChoiceStore(db, write),
      lists: createLinkLists(db),
      watches: createWatchStore(db, write),
      sightings: createSightingStore(db, write),
      announcements: createAnnouncementStore(db, write),
      connections,
      bindings: createBindingStore(db, write),
      installs: createInstallStore(db, write, sealer),
      audit: createAuditStore(db, write),
      folders: createFolderStore(db, write),
      agentPosts: createAgentPostStore(db, write),
      retention: createRetentionStore(write),
      newestRowMs: () => newestRowMs(db),
      hooks: await openHookStore(db, write, {sealer, learn}),
      deliveries: createDeliveryStore(db, write),
      checkUp: () => checkUp(path),
      countSealed: () => countSealed(db),
      uses: createConnectionUses(db),
      sealer,
      departures: createDepartureStore(write),
      check: () => check(write, condition),
      settle: () => dropCopies(path, copy),
      lost: beating.lost,
      [Symbol.asyncDispose]: async () => {
        await stop()
        beating[Symbol.dispose]()
        await db.destroy()
        await checkpoints[Symbol.asyncDispose]()
        lock[Symbol.dispose]()
      },
    }
  } catch (error) {
    beats?.[Symbol.dispose]()
    sqlite?.close()
    lock[Symbol.dispose]()
    throw explain(path, error)
  }
}

/** A file that holds what is there, when migrations are about to change it. */
async function keptCopy(
  of: {path: string; sealer: Sealer},
  applied: readonly string[],
  tell: (line: string) => void,
): Promise<string | undefined> {
  const [pending] = pendingAfter(applied)
  if (applied.length === 0 || pending === undefined) return undefined
  const copy = await unlessLocked(() => copyBefore(of, pending))
  tell(
    `The database is brought to this version. What it held is kept as ${copy} until the next good start; to go back, stop Bosun and restore it with the earlier version`,
  )
  return copy
}

function tellNarrowed(path: string, tell: (line: string) => void): void {
  const {narrowed, left} = narrowFiles(path)
  if (narrowed.length > 0) {
    tell(`Others on this machine could read ${narrowed.join(', ')}: now only its owner can`)
  }
  if (left.length > 0) {
    tell(`Others on this machine can read ${left.join(', ')}. As its owner: chmod 600`)
  }
}

/** Asks for the right to write, and while something is known to be wrong writes, so that it is seen when it has passed. */
async function check(write: Write, condition: Condition): Promise<string | undefined> {
  const late = AbortSignal.timeout(CHECK_WITHIN_MS)
  // The first dirties a page, though nothing changes: what is not dirty is not written.
  const test = condition.words()
    ? sql`pragma user_version = 0`
    : sql`select key_id from seals limit 1`
  try {
    await write((transaction) => test.execute(transaction), late)
  } catch (error) {
    return (
      condition.words() ??
      `does not answer (${error instanceof Error ? error.message : String(error)})`
    )
  }
  return condition.words()
}
