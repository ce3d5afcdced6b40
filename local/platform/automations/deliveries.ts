import type {Database} from '../database.ts'

/** The idempotency keys of webhook deliveries that started a run. Section 4.9. */
export interface Deliveries {
  has(automationId: string, idempotencyKey: string): boolean
  add(automationId: string, idempotencyKey: string): void
}

export function createDeliveries(database: Database): Deliveries {
  database.exec(SCHEMA)
  const has = database
    .prepare<[string, string], 1>(
      'select 1 from deliveries where automationId = ? and idempotencyKey = ?',
    )
    .pluck()
  const add = database.prepare<[string, string]>('insert into deliveries values (?, ?)')
  return {
    has: (automationId, idempotencyKey) => has.get(automationId, idempotencyKey) === 1,
    add: (automationId, idempotencyKey) => void add.run(automationId, idempotencyKey),
  }
}

const SCHEMA = `
create table if not exists deliveries (
  automationId text not null references automations (id), idempotencyKey text not null,
  primary key (automationId, idempotencyKey)
) strict, without rowid;
`
