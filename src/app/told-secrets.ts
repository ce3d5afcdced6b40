import type {Leaks} from '../security/leaks.ts'
import {SealError} from '../security/seal.ts'
import {Secret} from '../security/secret.ts'
import type {Store} from '../store/store.ts'

/** What was sealed for a notice opens nowhere else. */
const PLACE = {table: 'notices', row: 'secret', purpose: 'token'}

/**
 * Whoever works for a workspace has to know a token to keep it out of what people read, and any instance may be the one
 * that it is shown to. It goes to the others sealed, and is kept nowhere; without sealing keys it stays where it is known.
 */
export function createToldSecrets({
  store: {notices, ownership, sealer},
  leaks,
}: {
  store: Pick<Store, 'notices' | 'ownership' | 'sealer'>
  leaks: Pick<Leaks, 'learn'>
}) {
  return {
    learn: (secret: Secret): void => {
      leaks.learn(secret, 'passing')
      if (!ownership.isShared) return
      unlessSealed(() => {
        notices.tell({about: 'secret', sealed: sealer.seal(secret.reveal(), PLACE)})
      })
    },
    heed: (sealed: string): void =>
      unlessSealed(() => leaks.learn(new Secret(sealer.open(sealed, PLACE)), 'passing')),
  }
}

/** There is no key, or not the one that it was sealed with. */
function unlessSealed(act: () => void): void {
  try {
    act()
  } catch (error) {
    if (!(error instanceof SealError)) throw error
  }
}
