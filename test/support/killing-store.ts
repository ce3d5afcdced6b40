import type {openStore} from '../../src/store/store.ts'

type Store = Awaited<ReturnType<typeof openStore>>

/** The kinds of commits around which a process may die. */
export const COMMITS = [
  'intend',
  'confirm',
  'forget',
  'endStream',
  'cursor',
  'link',
  'inbox',
  'done',
  'send',
] as const
type Commit = (typeof COMMITS)[number]

/** Die before or after the nth commit of a kind, counted from the time when it is armed. */
export interface DeathWish {
  commit: Commit
  when: 'before' | 'after'
  nth: number
}

/** The bot's store, but the process kills itself around a commit once a wish was made. */
export function mayDie(store: Store, takeWish: () => DeathWish | undefined): Store {
  let request: DeathWish | undefined
  let left = 0
  const around = async <Result>(commit: Commit, run: () => Promise<Result>): Promise<Result> => {
    const next = takeWish()
    if (next !== undefined) {
      request = next
      left = next.nth
    }
    const isMeant = request?.commit === commit && --left === 0
    if (isMeant && request?.when === 'before') process.kill(process.pid, 'SIGKILL')
    const result = await run()
    if (isMeant) process.kill(process.pid, 'SIGKILL')
    return result
  }
  const dying = <Some extends Pick<Store, 'posts' | 'links' | 'inbox' | 'sends'>>(
    tables: Some,
  ): Some => {
    const {posts, links, inbox, sends} = tables
    return {
      ...tables,
      posts: {
        ...posts,
        intend: (...args) => around('intend', () => posts.intend(...args)),
        confirm: (...args) => around('confirm', () => posts.confirm(...args)),
        forget: (...args) => around('forget', () => posts.forget(...args)),
        endStream: (...args) => around('endStream', () => posts.endStream(...args)),
      },
      links: {
        ...links,
        open: (...args) => around('link', () => links.open(...args)),
        change: (id, change) =>
          around('cursor' in change ? 'cursor' : 'link', () => links.change(id, change)),
      },
      inbox: {
        ...inbox,
        add: (...args) => around('inbox', () => inbox.add(...args)),
        done: (...args) => around('done', () => inbox.done(...args)),
      },
      sends: {
        ...sends,
        open: (...args) => around('send', () => sends.open(...args)),
        arrive: (...args) => around('send', () => sends.arrive(...args)),
        move: (...args) => around('send', () => sends.move(...args)),
      },
    }
  }
  return {
    ...dying(store),
    // What is held of a workspace is written through tables of its own.
    tablesFor: (claim) => dying(store.tablesFor(claim)),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
}
