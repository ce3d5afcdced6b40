import {createBackground} from '../async/background.ts'
import type {Link, LinkChange} from '../store/tables/work/link.ts'
import type {LinkStore} from '../store/tables/work/links.ts'
import type {Log} from './ports.ts'

/** What a relay knows of its link, in our table and in memory, and the writing that nobody waits for. */
export interface LinkKeeper {
  link(): Link
  change(values: LinkChange): Promise<void>
  /** Only while our own tables say of its state what is known here; else that is what is learnt. */
  changeIfKnown(values: LinkChange): Promise<void>
  /** Our own tables say something new. False: they know the link no more. */
  reload(): Promise<boolean>
  /** The same as a change, without waiting. */
  note(values: LinkChange): void
  /** What fails is logged. */
  keep(work: Promise<void>): void
  /** Settles when nothing is being written any more. */
  closed(): Promise<void>
}

interface LinkKeeperOptions {
  first: Link
  links: LinkStore
  log: Log
  signal: AbortSignal
  onChanged: () => void
}

/** Changes that go into the table together. */
interface Page {
  values: LinkChange
  written: Promise<void>
  /** Its failure is logged. */
  isKept: boolean
}

/**
 * One write is under way at most, and all changes that come meanwhile are the next one, of which the newest values
 * count: a stream that says a thousand things in a moment costs a few writes and the memory of one.
 */
export function createLinkKeeper({
  first,
  links,
  log,
  signal,
  onChanged,
}: LinkKeeperOptions): LinkKeeper {
  const background = createBackground((error) => {
    if (!signal.aborted)
      log.error({err: error, linkId: first.id}, 'A relay could not keep its books')
  })
  let link = first
  let last = Promise.resolve()
  /** Takes changes in until its turn comes. */
  let open: Page | undefined

  const inOrder = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const done = last.then(work)
    last = done.then(
      () => undefined,
      () => undefined,
    )
    return done
  }

  const write = async (page: Page): Promise<void> => {
    if (open === page) open = undefined
    link = (await links.change(first.id, page.values)) ?? link
    onChanged()
  }

  const enter = (values: LinkChange): Page => {
    const page: Page = open ?? {values: {}, written: inOrder(() => write(page)), isKept: false}
    page.values = {...page.values, ...values}
    open = page
    return page
  }

  const read = async (): Promise<boolean> => {
    const now = await links.byId(first.id)
    link = now ?? link
    return now !== undefined
  }

  const changeIfKnown = (values: LinkChange): Promise<void> => {
    open = undefined // what comes after this is written after it
    return inOrder(async () => {
      const changed = await links.changeIf(first.id, link, values)
      if (changed === undefined) await read()
      else link = changed
      onChanged()
    })
  }

  const note = (values: LinkChange): void => {
    const page = enter(values)
    if (!page.isKept) background.keep(page.written)
    page.isKept = true
  }

  return {
    link: () => link,
    change: (values) => enter(values).written,
    changeIfKnown,
    reload: () => inOrder(read),
    note,
    keep: background.keep,
    closed: background.ended,
  }
}
