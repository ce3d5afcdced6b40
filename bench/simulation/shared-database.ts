import {Kysely, OperationNodeTransformer, type QueryCompiler, type QueryId} from 'kysely'
import type {RawNode, SelectQueryNode} from 'kysely'
import {createKeyedQueue} from '../../src/async/keyed-queue.ts'
import {createSealer} from '../../src/security/seal.ts'
import {createCondition} from '../../src/store/database/condition.ts'
import {migrateFrom} from '../../src/store/database/migrate.ts'
import type {Schema} from '../../src/store/database/schema.ts'
import {countSealed} from '../../src/store/database/sealed-values.ts'
import {addSeal} from '../../src/store/database/seals.ts'
import {unlessLocked} from '../../src/store/database/waits.ts'
import {type Write, createWriter} from '../../src/store/database/writer.ts'
import type {Notice, Notices} from '../../src/store/notices/notices.ts'
import {createComplaints} from '../../src/store/ownership/complaints.ts'
import type {Owner, Ownership} from '../../src/store/ownership/ownership.ts'
import {createSharing} from '../../src/store/ownership/share.ts'
import {type Tenure, beginTenure} from '../../src/store/ownership/tenure.ts'
import {openFile} from '../../src/store/sqlite/database-file.ts'
import {PatientSqliteDialect} from '../../src/store/sqlite/dialect.ts'
import {checkUp} from '../../src/store/sqlite/upkeep/checkup.ts'
import type {openStore} from '../../src/store/store.ts'
import {createTables, openTables} from '../../src/store/tables.ts'
import {type Program, currentProgram} from './engine/program.ts'
import type {Simulation} from './engine/simulation.ts'

/**
 * A model of the database that instances share: the real tables in one file, to which each has a connection of its own, and
 * beside it who lives, who works for what and what they let each other know. Its server's clock is right.
 */
export interface SharedDatabase {
  open: typeof openStore
  /** For so long the server hears nothing of this instance but its queries, and the instance nothing of the others. */
  isolate: (instance: Program, forMs: number) => void
}

/** As `src/store/ownership` has them: who was silent for so long makes no calls any more, and who for longer has nothing. */
const CALLS_WITHIN_MS = 6000
const SILENCE_MS = 9000
const BEAT_MS = 1000
const LOST_PERCENT = 5

interface Member {
  program: Program
  bornMs: number
  seenMs: number
  isolatedUntilMs: number
  heard: ((notice: Notice) => void)[]
  missed: (() => void)[]
}

/** Of a name that is to be somebody's. */
interface Name {
  owner: Member | undefined
  epoch: number
}

export function createSharedDatabase({
  agenda,
  lottery: chance,
}: Pick<Simulation, 'agenda' | 'lottery'>): SharedDatabase {
  const lottery = chance.fork('shared database')
  const members = new Set<Member>()
  const names = new Map<string, Name>()
  let epochs = 1000

  const isIsolated = ({isolatedUntilMs}: Member): boolean => agenda.nowMs() < isolatedUntilMs

  const createNotices = (me: Member): Notices => ({
    tell: (notice) => {
      for (const other of members) {
        if (other === me || isIsolated(me) || isIsolated(other)) continue
        if (lottery.percent(LOST_PERCENT)) continue
        const hear = (): void => {
          for (const listener of other.heard) listener(notice)
        }
        agenda.after(lottery.int(1, 20), hear, other.program)
      }
    },
    onHeard: (listener) => void me.heard.push(listener),
    onMissed: (listener) => {
      me.missed.push(listener)
      listener()
    },
    isListening: () => !isIsolated(me),
    [Symbol.asyncDispose]: async () => Promise.resolve(void members.delete(me)),
  })

  /** What nobody has any more whose owner fell silent. */
  const bury = (): void => {
    const nowMs = agenda.nowMs()
    for (const member of members) if (nowMs - member.seenMs > SILENCE_MS) members.delete(member)
    for (const name of names.values()) {
      if (name.owner !== undefined && !members.has(name.owner)) name.owner = undefined
    }
  }

  const createOwnership = (me: Member, write: Write, tell: (line: string) => void): Ownership => {
    const inOrder = createKeyedQueue()
    const failed = createComplaints(tell)
    const share = createSharing()
    const tenures = new Map<string, Tenure>()
    let owner: Owner | undefined
    const isInTime = (): boolean => agenda.nowMs() < me.seenMs + CALLS_WITHIN_MS
    const isMine = ({claim: {name, epoch}}: Tenure): boolean => {
      const known = names.get(name)
      return known?.owner === me && known.epoch === epoch
    }

    const free = (tenure: Tenure): void => {
      const {name} = tenure.claim
      const known = names.get(name)
      if (known !== undefined && isMine(tenure)) known.owner = undefined
      if (tenures.get(name) === tenure) tenures.delete(name)
    }
    const giveBack = async (tenure: Tenure): Promise<void> => {
      await tenure.leave()
      free(tenure)
    }
    const lose = (tenure: Tenure, why: string): void => {
      tenures.delete(tenure.claim.name)
      tenure.lose(why)
    }

    const take = async (name: string, of: Name, by: Owner): Promise<void> => {
      const epoch = (epochs += 1)
      of.owner = me
      of.epoch = epoch
      const row = {name, epoch, owner: me.program.name, claimed_at_ms: agenda.nowMs()}
      await write((transaction) =>
        transaction
          .insertInto('claims')
          .values(row)
          .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
          .execute(),
      )
      if (owner === undefined || of.owner !== me || of.epoch !== epoch) return
      const onRefused = (): void => free(tenure)
      const tenure = beginTenure({name, epoch, owner: by, inOrder, isInTime, failed, onRefused})
      tenures.set(name, tenure)
    }

    const beat = (): void => {
      if (isIsolated(me)) return
      if (!members.has(me)) {
        me.bornMs = agenda.nowMs()
        members.add(me)
      }
      const wasMissing = agenda.nowMs() - me.seenMs > 2 * BEAT_MS
      me.seenMs = agenda.nowMs()
      bury()
      if (wasMissing) for (const listener of me.missed) listener()
      for (const one of [...tenures.values()]) if (!isMine(one)) lose(one, 'it was silent')
      if (owner === undefined) return
      const living = [...members].toSorted((one, other) => one.bornMs - other.bornMs)
      const idle = [...names].filter(([, known]) => known.owner === undefined)
      const working = [...tenures.values()].filter((one) => !one.isLeaving())
      const {give, lack} = share(
        {names: names.size, free: idle.length, living: living.length, rank: living.indexOf(me)},
        {working: working.length, leaving: tenures.size - working.length},
      )
      for (const one of working.slice(working.length - give)) giveBack(one).catch(failed)
      for (const [name, known] of idle.slice(0, lack)) take(name, known, owner).catch(failed)
    }
    const timer = setInterval(beat, BEAT_MS)

    return {
      isShared: true,
      offer: async (offered) => {
        for (const name of offered) {
          if (!names.has(name)) names.set(name, {owner: undefined, epoch: 0})
        }
        beat()
        return Promise.resolve()
      },
      withdraw: async (name) => {
        const tenure = tenures.get(name)
        if (tenure !== undefined) await giveBack(tenure)
        names.delete(name)
      },
      begin: (given) => {
        owner = given
        beat()
      },
      claims: () => [...tenures.values()].map(({claim}) => claim),
      lost: ({name, epoch}) => {
        const tenure = tenures.get(name)
        if (tenure?.claim.epoch === epoch) lose(tenure, 'somebody else has it')
      },
      instances: () => members.size,
      [Symbol.asyncDispose]: async () => {
        owner = undefined
        await Promise.all([...tenures.values()].map(giveBack))
        clearInterval(timer)
        members.delete(me)
      },
    }
  }

  const open: typeof openStore = async ({path, sealingKeys, ...options}) => {
    const {tell = () => undefined, learn = () => undefined, omit = (text) => text} = options
    const program = currentProgram()
    if (program === undefined) throw new Error('Only a program opens a store.')
    const nowMs = agenda.nowMs()
    const me: Member = {
      ...{program, bornMs: nowMs, seenMs: nowMs, isolatedUntilMs: 0, heard: [], missed: []},
    }
    members.add(me)
    const sealer = createSealer(sealingKeys)
    const database = await unlessLocked(() => openFile(path))
    const condition = createCondition()
    const dialect = new SharedDialect({database, condition, omit})
    const db = new Kysely<Schema>({dialect})
    await unlessLocked(() => migrateFrom(db, {path, copy: undefined}))
    const {write, writeFor, stop} = createWriter({
      ...{db, condition, onCommit: options.onCommit},
      onLost: (claim) => ownership.lost(claim),
    })
    const ownership = createOwnership(me, write, tell)
    const seals = await db.selectFrom('seals').selectAll().execute()
    await addSeal(write, sealer, {seals, keys: sealingKeys})
    options.signal?.addEventListener('abort', () => void stop())
    const notices = createNotices(me)
    const tables = await openTables(db, write, {sealer, learn, tell: notices.tell})
    return {
      ...tables,
      ...{kind: 'postgres', ownership, notices, sealer},
      tablesFor: (claim) => createTables(db, writeFor(claim), {...tables, sealer}),
      checkUp: () => checkUp(path),
      countSealed: () => countSealed(db),
      check: async () => Promise.resolve(condition.words()),
      settle: () => undefined,
      lost: new AbortController().signal,
      [Symbol.asyncDispose]: async () => {
        await notices[Symbol.asyncDispose]()
        await stop()
        await db.destroy()
      },
    }
  }

  return {
    open,
    isolate: (instance, forMs) => {
      for (const member of members) {
        if (member.program === instance) member.isolatedUntilMs = agenda.nowMs() + forMs
      }
    },
  }
}

/** SQLite has no locks on rows, as no two transactions write at once, and orders by code points. */
class SharedDialect extends PatientSqliteDialect {
  override createQueryCompiler(): QueryCompiler {
    const inner = super.createQueryCompiler()
    const spelling = new Spelling()
    return {compileQuery: (node, id) => inner.compileQuery(spelling.transformNode(node, id), id)}
  }
}

class Spelling extends OperationNodeTransformer {
  protected override transformSelectQuery(node: SelectQueryNode, id?: QueryId): SelectQueryNode {
    return {...super.transformSelectQuery(node, id), endModifiers: []}
  }

  protected override transformRaw(node: RawNode, id?: QueryId): RawNode {
    const {sqlFragments, ...rest} = super.transformRaw(node, id)
    return {...rest, sqlFragments: sqlFragments.map((one) => one.replace(' collate "C"', ''))}
  }
}
