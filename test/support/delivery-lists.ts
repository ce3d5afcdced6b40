import {workerData} from 'node:worker_threads'
import {Secret} from '../../src/security/secret.ts'
import {openStore} from '../../src/store/store.ts'

/** In a thread of its own, which has little memory: all that lists deliveries. */
const {path, hookId, key} = workerData as {path: string; hookId: string; key: string}
await using store = await openStore({path, sealingKeys: [{id: 'a', key: new Secret(key)}]})
const {deliveries, deadLetters} = store
const page = {limit: 200, beforeId: undefined}
await deliveries.log(hookId, page)
await deliveries.due(Number.MAX_SAFE_INTEGER, ['T1'], {ids: [], hookIds: []})
await deadLetters.list([hookId], page)
