import {type Sealer, createSealer} from '../../security/seal.ts'
import type {HookSecrets} from '../../store/hooks.ts'

/** Bodies of deliveries on their way to the table and back, sealed with the key of their hook. */
interface HookBodies {
  seal(json: string): string
  /** @throws {SealError} when it is no body of this hook. */
  open(sealed: string): string
}

export function hookBodies(hookId: string, {bodyKey}: Pick<HookSecrets, 'bodyKey'>): HookBodies {
  const sealer: Sealer = createSealer([{id: 'hook', key: bodyKey}])
  const place = {table: 'deliveries', row: hookId, purpose: 'body'}
  return {
    seal: (json) => sealer.seal(json, place),
    open: (sealed) => sealer.open(sealed, place),
  }
}
