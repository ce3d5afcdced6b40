import {type SealPlace, type Sealer, createSealer} from '../../security/seal.ts'
import type {HookSecrets} from '../../store/tables/hooks/hook-secrets.ts'

/** Bodies of deliveries on their way to the table and back, sealed with the key of their hook. */
interface HookBodies {
  /** `sentKey`: the delivery's, as the platform is told it: the body opens for no other one. */
  seal(json: string, sentKey: string): string
  /** @throws {SealError} when it is no body of this delivery. */
  open(sealed: string, sentKey: string): string
}

/** About how many bytes a body has that takes so many as it is sealed: base64 of an IV, a tag and the body. */
export function bodyBytes(sealedBytes: number): number {
  return Math.max(0, Math.floor(((sealedBytes - 'hook:'.length) * 3) / 4) - 28)
}

export function hookBodies(hookId: string, {bodyKey}: Pick<HookSecrets, 'bodyKey'>): HookBodies {
  const sealer: Sealer = createSealer([{id: 'hook', key: bodyKey}])
  // An id of a hook holds no blank, so no other hook and key read the same.
  const placeOf = (row: string): SealPlace => ({table: 'deliveries', row, purpose: 'body'})
  return {
    seal: (json, sentKey) => sealer.seal(json, placeOf(`${hookId} ${sentKey}`)),
    open: (sealed, sentKey) => {
      try {
        return sealer.open(sealed, placeOf(`${hookId} ${sentKey}`))
      } catch {
        // Until deliveries were named, a body was sealed for its hook alone; those that wait are still wanted.
        return sealer.open(sealed, placeOf(hookId))
      }
    },
  }
}
