import {expect, test} from 'vitest'
import {MAX_ALIASES, MAX_KNOWN, choiceOf} from '../../src/store/tables/models.ts'
import {newLink, temporaryStore} from './temporary-store.ts'

const of = {team: 'T1', connectionId: undefined}
const alias = (name: string, modelId = 'gpt-5') => ({
  name,
  modelId,
  effort: 'high',
  modes: ['fast'],
})
const by = (sinceMs: number | undefined, user = 'U1', nowMs = 10) => ({user, nowMs, sinceMs})

test('a name is given once, whatever the case of its letters, and is changed by who has seen it', async () => {
  const {models} = await temporaryStore()
  expect(await models.name(of, alias('Best'), by(undefined))).toEqual({outcome: 'done'})
  // Once more after a crash.
  expect(await models.name(of, alias('Best'), by(undefined))).toEqual({outcome: 'done'})
  const stale = {outcome: 'stale', by: 'U1'}
  expect(await models.name(of, alias('best', 'other'), by(undefined, 'U2'))).toEqual(stale)
  const [first] = await models.aliases(of)
  expect(first).toMatchObject({name: 'Best', modelId: 'gpt-5', changedBy: 'U1', changedAtMs: 10})

  // Two admins at once: the second one hears of the first.
  expect(await models.name(of, alias('best', 'a'), by(10, 'U2'))).toEqual({outcome: 'done'})
  expect(await models.name(of, alias('best', 'b'), by(10, 'U3'))).toEqual({
    outcome: 'stale',
    by: 'U2',
  })
  const [second] = await models.aliases(of)
  expect(second).toMatchObject({id: first?.id, name: 'best', modelId: 'a', changedAtMs: 11})
  expect(second && choiceOf(second)).toEqual({
    ...{modelId: 'a', alias: 'best', effort: 'high', modes: ['fast']},
  })

  expect(await models.unname(first?.id ?? '', 10)).toBe(false)
  expect(await models.unname(first?.id ?? '', 11)).toBe(true)
  expect(await models.alias(first?.id ?? '')).toBeUndefined()
  // Who still has it on their screen gives it anew only knowingly.
  expect(await models.name(of, alias('best', 'c'), by(11))).toEqual({
    outcome: 'stale',
    by: undefined,
  })
})

test('names are of a key in a workspace, and so many at most', async () => {
  const {models} = await temporaryStore()
  for (let index = 0; index < MAX_ALIASES; index += 1) {
    await models.name(of, alias(`a${index}`), by(undefined))
  }
  expect(await models.name(of, alias('more'), by(undefined))).toEqual({outcome: 'full'})
  const another = {...of, connectionId: 'c1'}
  expect(await models.name(another, alias('more'), by(undefined))).toEqual({outcome: 'done'})
  expect((await models.aliases(another)).map(({name}) => name)).toEqual(['more'])
})

test('models that were met are remembered, the newest of them', async () => {
  const {models} = await temporaryStore()
  await models.meet(of, [{modelId: 'old', name: 'Old', billingLabel: 'Included'}], 1)
  const many = Array.from({length: MAX_KNOWN - 1}, (_, index) => ({modelId: `m${index}`}))
  await models.meet(of, many, 2)
  await models.meet(of, [{modelId: 'old'}], 3)
  expect((await models.known(of))[0]).toEqual({
    modelId: 'old',
    name: 'Old',
    billingLabel: 'Included',
  })
  await models.meet(of, [{modelId: 'new'}], 4)
  const known = (await models.known(of)).map(({modelId}) => modelId)
  expect(known).toHaveLength(MAX_KNOWN)
  expect(known.slice(0, 2)).toEqual(['new', 'old'])
  expect(known).not.toContain('m98')
  expect(await models.known({...of, team: 'T2'})).toEqual([])
})

test('a message goes with its own model, else with what was chosen for its work', async () => {
  const {links, sends} = await temporaryStore()
  const {id: linkId} = await links.open(newLink, 0)
  const send = (inboxKey: string) => ({
    ...{linkId, inboxKey, messageTs: '1', sender: 'U1', cursor: undefined, inboxId: 1},
    toText: () => 'words',
  })
  expect((await sends.open(send('a'), 0)).send.model).toBeUndefined()
  await links.change(linkId, {model: {modelId: 'standing', alias: 'best'}})
  expect((await links.byId(linkId))?.model).toEqual({modelId: 'standing', alias: 'best'})
  const {send: second} = await sends.open(send('b'), 0)
  expect(second.model).toEqual({modelId: 'standing', alias: 'best'})
  const own = {...send('c'), model: {modelId: 'own', effort: 'high'}}
  expect((await sends.open(own, 0)).send.model).toEqual({modelId: 'own', effort: 'high'})

  const rejected = {modelId: 'standing', candidates: [{modelId: 'swift', name: 'Swift'}]}
  await sends.rejectModel(second.id, rejected)
  const unsent = {state: 'unsent', model: {modelId: 'standing'}, rejected}
  expect(await sends.byId(second.id)).toMatchObject(unsent)
  expect(await sends.remodel(second.id, {modelId: 'swift'}, 5)).toBe(true)
  const now = await sends.byId(second.id)
  expect(now).toMatchObject({model: {modelId: 'swift'}, rejected: undefined, inboxId: 5})
  await sends.move(second.id, ['unsent'], 'open')
  expect(await sends.remodel(second.id, {modelId: 'late'}, 6)).toBe(false)
  // Whatever the work has: also where something was chosen for its messages.
  await sends.rejectModel(second.id, rejected)
  expect(await sends.remodel(second.id, undefined, 7)).toBe(true)
  expect((await sends.byId(second.id))?.model).toBeUndefined()
})
