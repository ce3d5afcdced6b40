import type {Link, LinkChange} from '../store/link.ts'
import type {LinkStore} from '../store/links.ts'
import type {Log} from './ports.ts'

/** What a relay knows of its link, in our table and in memory, and the writing that nobody waits for. */
export interface Books {
  link(): Link
  change(values: LinkChange): Promise<void>
  /** Only while our own tables say of its state what is known here; else that is what is learnt. */
  changeIfKnown(values: LinkChange): Promise<void>
  /** Our own tables say something new. False: they know the link no more. */
  reload(): Promise<boolean>
  /** The same without waiting. */
  note(values: LinkChange): void
  /** What fails is logged. */
  keep(work: Promise<void>): void
  /** Settles when nothing is being written any more. */
  closed(): Promise<void>
}

interface BooksOptions {
  first: Link
  links: LinkStore
  log: Log
  signal: AbortSignal
  onChanged: () => void
}

export function createBooks({first, links, log, signal, onChanged}: BooksOptions): Books {
  const background = new Set<Promise<void>>()
  let link = first

  const change = async (values: LinkChange): Promise<void> => {
    link = (await links.change(first.id, values)) ?? link
    onChanged()
  }

  const reload = async (): Promise<boolean> => {
    const now = await links.byId(first.id)
    link = now ?? link
    return now !== undefined
  }

  const changeIfKnown = async (values: LinkChange): Promise<void> => {
    const changed = await links.changeIf(first.id, link, values)
    if (changed === undefined) await reload()
    else link = changed
    onChanged()
  }

  const keep = (work: Promise<void>): void => {
    const guarded = work
      .catch((error: unknown) => {
        if (!signal.aborted)
          log.error({err: error, linkId: first.id}, 'A relay could not keep its books')
      })
      .finally(() => background.delete(guarded))
    background.add(guarded)
  }

  return {
    link: () => link,
    change,
    changeIfKnown,
    reload,
    note: (values) => keep(change(values)),
    keep,
    closed: async () => {
      while (background.size > 0) await Promise.all(background)
    },
  }
}
