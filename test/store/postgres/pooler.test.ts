import {expect, test} from 'vitest'
import {openStore} from '../../../src/store/store.ts'
import {isBotRunning, keepBotsOut} from '../../../src/store/tool-store.ts'
import {throughPooler} from '../../support/pooler.ts'
import {barePostgres, temporaryPostgres} from '../../support/postgres.ts'
import {printOf} from '../../support/raw-database.ts'
import {refusalOf} from '../refusal.ts'
import {newLink, place} from '../temporary-store.ts'

test('through a pooler that keeps a session for whoever has it, all is as without one', async () => {
  const url = await throughPooler(await temporaryPostgres(), 'session')
  const told: string[] = []
  {
    await using store = await openStore({
      path: url,
      sealingKeys: [],
      tell: (line) => told.push(line),
    })
    await store.links.open(newLink, 0)
    expect(await store.check()).toBeUndefined()
    expect(await store.links.byPlace(place)).toMatchObject({requestId: newLink.requestId})
    await expect.poll(() => store.notices.isListening()).toBe(true)
    await expect(keepBotsOut(url)).rejects.toMatchObject({code: 'in-use'})
  }
  // The pooler hears at once that somebody goes, and empties the session a moment later.
  await expect.poll(() => isBotRunning(url)).toBe(false)
  await using kept = await keepBotsOut(url)
  expect(kept).toBeDefined()
  expect(told).toEqual([])
})

test('one that gives it away between two transactions is refused, and nothing is changed or held', async () => {
  const direct = await barePostgres()
  const url = await throughPooler(direct, 'transaction')
  const before = await printOf(direct)
  const refusals = [await refusalOf(url), await keepBotsOut(url).catch((error: unknown) => error)]
  for (const refusal of refusals) {
    expect(refusal).toMatchObject({
      code: 'unreadable',
      message: expect.stringMatching(
        /^The database .+ is reached by way of a pooler in transaction mode, .+ session mode\.$/,
      ) as string,
    })
  }
  expect(await printOf(direct)).toEqual(before)
  expect(await isBotRunning(direct)).toBe(false)
  await using kept = await keepBotsOut(direct)
  expect(kept).toBeDefined()
})
