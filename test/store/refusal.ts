import {StoreError} from '../../src/store/database/errors.ts'
import {openStore} from '../../src/store/store.ts'

/** Why the database is not opened. */
export async function refusalOf(
  path: string,
  sealingKeys: Parameters<typeof openStore>[0]['sealingKeys'] = [],
): Promise<StoreError> {
  try {
    const store = await openStore({path, sealingKeys})
    await store[Symbol.asyncDispose]()
  } catch (error) {
    if (error instanceof StoreError) return error
    throw error
  }
  throw new Error('It was opened')
}
