import {pathOf} from '../asking.ts'
import {openedOf} from '../probe.ts'
import {expect} from '../verdicts.ts'
import type {Rule} from './rule.ts'

/** Section 3.1: archive and unarchive; the last to be tried, since a thread is not what it was. */
export const closingRules: readonly Rule[] = [
  {
    section: '3.1',
    name: 'archive answers the thread as archived',
    bosun: 'the card says that it could not be archived',
    check: async ({resting, post, shapes}) => {
      const id = await resting()
      const thread = await post(pathOf('threads', id, 'archive'))
      shapes.look('thread', thread)
      expect('archived true', thread['archived'] === true, thread['archived'])
      expect('the status archived', thread['status'] === 'archived', thread['status'])
    },
  },
  {
    section: '3.1',
    name: 'unarchive answers the thread, archived no more',
    bosun: '[Unarchive] says that it failed',
    check: async ({resting, post, shapes}) => {
      const id = await resting()
      await post(pathOf('threads', id, 'archive'))
      const thread = await post(pathOf('threads', id, 'unarchive'))
      shapes.look('thread', thread)
      expect('archived false', thread['archived'] === false, thread['archived'])
      expect('another status than archived', thread['status'] !== 'archived', thread['status'])
    },
  },
  {
    section: '3.1',
    name: 'archive closes the stream with done',
    bosun: 'the card of work that was archived elsewhere does not say so',
    check: async ({resting, post, stream, patienceMs}) => {
      const id = await resting()
      await post(pathOf('threads', id, 'unarchive'))
      using open = openedOf(await stream(pathOf('threads', id, 'stream')))
      await open.until((frames) => frames.length > 0, patienceMs)
      await post(pathOf('threads', id, 'archive'))
      const isEnded = await open.ended(Math.min(patienceMs, 20_000))
      expect('a stream that ends', isEnded, 'it is open')
      expect('done as its last frame', open.frames.at(-1)?.event === 'done', open.frames.at(-1))
    },
  },
]
