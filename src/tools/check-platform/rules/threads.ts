import {fieldsOf, pathOf} from '../asking.ts'
import {type Probe, QUICK, itemsOf} from '../probe.ts'
import {Untried, expect, expectRefusal} from '../verdicts.ts'
import {type Rule, shared} from './rule.ts'

/** The creation that is looked at: with all the characters that a `requestId` may have, and an author. */
const creation = shared(async (probe) => {
  const {create, newId, projectId, mark, authorId} = probe
  const author = await authorId()
  const order = {
    requestId: newId().padEnd(191, '-'),
    projectId,
    message: QUICK,
    title: `${mark} 1`,
    ...(author !== undefined && {authorId: author}),
  }
  return {order, thread: await create(order)}
})

/** Section 4.1: threads are made, listed, read. */
export const threadRules: readonly Rule[] = [
  {
    section: '4.1',
    name: 'a thread is created in its project, under its title',
    bosun: 'no work can begin',
    check: async (probe) => {
      const {thread} = await creation(probe)
      const {projectId, mark} = probe
      expect(`the project ${projectId}`, thread['projectId'] === projectId, thread['projectId'])
      expect(`the title ${mark} 1`, thread['title'] === `${mark} 1`, thread['title'])
    },
  },
  {
    section: '4.1',
    name: 'a thread is attributed to the member that its creation names',
    bosun: 'work belongs to the key, and nobody finds their own on the platform',
    check: async (probe) => {
      const {order, thread} = await creation(probe)
      if (order.authorId === undefined) throw new Untried('no member is known')
      expect(
        `authorId ${order.authorId}`,
        thread['authorId'] === order.authorId,
        thread['authorId'],
      )
    },
  },
  {
    section: '4.1',
    name: 'a repeated requestId answers the original thread',
    bosun: 'a lost answer makes the same work start twice',
    check: async (probe) => {
      const {order, thread} = await creation(probe)
      const again = await probe.post('/threads', {...order, title: `${probe.mark} 2`})
      probe.litter.thread(again['id'])
      expect(`the id ${String(thread['id'])}`, again['id'] === thread['id'], again['id'])
      expect('its original title', again['title'] === thread['title'], again['title'])
    },
  },
  {
    section: '8',
    name: 'a requestId of 192 characters is refused',
    bosun: 'nothing: its own are shorter',
    check: async ({ask, projectId, mark, litter}) => {
      const body = {requestId: 'x'.repeat(192), projectId, message: QUICK, title: mark}
      const answer = await ask('POST', '/threads', {body})
      litter.thread(fieldsOf(answer.body)['id'])
      expectRefusal(answer, 'InvalidRequest')
    },
  },
  {
    section: '4.1',
    name: 'an author who is no active member is refused',
    bosun: 'nothing: it names active members alone, and goes on without one who is refused',
    check: async ({ask, projectId, mark, newId, litter}) => {
      const authorId = 'check-platform-absent'
      const body = {requestId: newId(), projectId, message: QUICK, title: mark, authorId}
      const answer = await ask('POST', '/threads', {body})
      litter.thread(fieldsOf(answer.body)['id'])
      expectRefusal(answer, 'InvalidRequest')
    },
  },
  {
    section: '4.1',
    name: 'a thread in an absent project is refused',
    bosun: 'work begins where nobody wanted it',
    check: async ({ask, newId}) => {
      const body = {requestId: newId(), projectId: 'check-platform-absent', message: QUICK}
      expectRefusal(await ask('POST', '/threads', {body}), 'ProjectNotFound')
    },
  },
  {
    section: '4.1',
    name: 'a thread reads back',
    bosun: 'cards bear no title and no cost',
    check: async (probe) => {
      const {thread} = await creation(probe)
      const read = await probe.get(pathOf('threads', String(thread['id'])))
      probe.shapes.look('thread', read)
      expect(`the id ${String(thread['id'])}`, read['id'] === thread['id'], read['id'])
      expect('its title', read['title'] === thread['title'], read['title'])
    },
  },
  {
    section: '4.1',
    name: 'the list has the threads of its project',
    bosun: '`/bosun find` and `/bosun watch` do not find what is there',
    check: async (probe) => {
      const id = String((await creation(probe)).thread['id'])
      const items = itemsOf(await probe.get('/threads', {projectId: probe.projectId}))
      for (const item of items) probe.shapes.look('thread', item)
      const others = items.filter(({projectId}) => projectId !== probe.projectId)
      expect('threads of this project alone', others.length === 0, others[0])
      const ids = items.map((item) => item['id'])
      expect(`the new thread ${id} on the first page`, ids.includes(id), ids)
    },
  },
  {
    section: '4.1',
    name: 'the list pages on behind its cursor',
    bosun: '[Look further] shows the same again, or leaves work out',
    check: async (probe) => {
      await creation(probe)
      await probe.resting()
      const read = async (): Promise<{ids: string[]; first: string[]}> => {
        const ids = await idsOfPages(probe, '/threads', {cursor: 'cursor', most: 3})
        const whole = itemsOf(await probe.get('/threads', {projectId: probe.projectId, limit: 3}))
        return {ids, first: whole.map(({id}) => String(id)).slice(0, ids.length)}
      }
      let {ids, first} = await read()
      // Somebody may have begun a thread in between.
      if (ids.join() !== first.join()) ({ids, first} = await read())
      expect('no thread twice', new Set(ids).size === ids.length, ids)
      expect(`the same as on one page: ${first.join(', ')}`, first.join() === ids.join(), ids)
    },
  },
  {
    section: '4.1',
    name: 'regenerate-title answers the thread',
    bosun: '[New title] fails',
    check: async (probe) => {
      const id = await probe.resting()
      const thread = await probe.post(pathOf('threads', id, 'regenerate-title'))
      probe.shapes.look('thread', thread)
      expect(`the thread ${id}`, thread['id'] === id, thread['id'])
    },
  },
  {
    section: '4.1',
    name: 'takeover answers the thread, or Conflict',
    bosun: '[Take over] among the details fails',
    check: async (probe) => {
      const id = await probe.resting()
      const answer = await probe.ask('POST', pathOf('threads', id, 'takeover'))
      if (answer.status >= 300) {
        expectRefusal(answer, 'Conflict')
        return
      }
      probe.shapes.look('thread', answer.body)
      expect(`the thread ${id}`, fieldsOf(answer.body)['id'] === id, answer.body)
    },
  },
]

/** What pages of one item each hold. */
export async function idsOfPages(
  {get, projectId}: Probe,
  path: string,
  {cursor: name, most}: {cursor: 'cursor' | 'after'; most: number},
): Promise<string[]> {
  const ids: string[] = []
  const ofList = name === 'cursor' ? {projectId} : {}
  for (let at: string | undefined, page = 0; page < most; page += 1) {
    const {items, cursor} = await get(path, {...ofList, limit: 1, [name]: at})
    ids.push(...itemsOf({items}).map(({id}) => String(id)))
    expect('a cursor that is a text or null', cursor === null || typeof cursor === 'string', cursor)
    if (cursor === null || cursor === '') return ids
    expect('a page behind a cursor has another cursor', cursor !== at, cursor)
    at = cursor
  }
  return ids
}
