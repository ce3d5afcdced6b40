import {newId} from '../new-id.ts'
import {Refusal} from '../edge/refusal.ts'
import type {Triggers} from './triggers.ts'
import type {ViewDefinition} from './definition.ts'
import {newHash, startValues, type StoredView, type Views} from './views.ts'

const maxDepth = 3

/**
 * What happens to views. A modal is `open → updated … → gone`; up to three lie on one another, and
 * only the topmost is seen. A Home view has no end: publishing again replaces what it shows.
 */
export interface Modals {
  /** A new modal in front of whoever caused the trigger; what lay there before is gone. */
  open(triggerId: string, definition: ViewDefinition): StoredView
  /** On the modal in which the trigger was caused. */
  push(triggerId: string, definition: ViewDefinition): StoredView
  pushOn(below: StoredView, definition: ViewDefinition): StoredView
  replace(view: StoredView, definition: ViewDefinition, hash?: string): StoredView
  publish(userId: string, definition: ViewDefinition, hash?: string): StoredView
  clear(userId: string): void
}

export function createModals({
  views,
  triggers,
  now,
}: {
  views: Views
  triggers: Triggers
  now: () => number
}): Modals {
  const add = (userId: string, definition: ViewDefinition, below?: StoredView): StoredView => {
    requireUnused(views, definition)
    const id = newId('V')
    const view: StoredView = {
      id,
      userId,
      hash: newHash(now()),
      rootId: below?.rootId ?? id,
      ...(below === undefined ? {} : {previousId: below.id}),
      definition,
      values: startValues(definition),
      errors: {},
      notice: '',
    }
    views.save(view)
    return view
  }
  const clear = (userId: string): void => {
    for (const view of views.stack(userId)) views.remove(view)
  }
  const pushOn: Modals['pushOn'] = (below, definition) => {
    if (views.stack(below.userId).length >= maxDepth) throw new Refusal('push_limit_reached')
    return add(below.userId, definition, below)
  }
  const replace: Modals['replace'] = (view, definition, hash) => {
    if (hash !== undefined && hash !== view.hash) throw new Refusal('hash_conflict')
    requireUnused(views, definition, view)
    const values = startValues(definition, view.values)
    const unmarked = {errors: {}, notice: ''}
    const replaced = {...view, ...unmarked, definition, values, hash: newHash(now())}
    views.save(replaced)
    return replaced
  }
  return {
    open: (triggerId, definition) => {
      requireUnused(views, definition)
      const {userId} = triggers.exchange(triggerId)
      clear(userId)
      return add(userId, definition)
    },
    push: (triggerId, definition) => {
      requireUnused(views, definition)
      const {viewId} = triggers.exchange(triggerId)
      const below = views.find(viewId ?? '')
      if (below?.definition.type !== 'modal') throw new Refusal('not_found')
      return pushOn(below, definition)
    },
    pushOn,
    replace,
    publish: (userId, definition, hash) => {
      const home = views.home(userId)
      if (home !== undefined) return replace(home, definition, hash)
      if (hash !== undefined) throw new Refusal('hash_conflict')
      return add(userId, definition)
    },
    clear,
  }
}

/** An `external_id` names one view of the whole workspace. */
function requireUnused(views: Views, {externalId}: ViewDefinition, own?: StoredView): void {
  if (externalId === '') return
  const holder = views.byExternalId(externalId)
  if (holder !== undefined && holder.id !== own?.id) throw new Refusal('duplicate_external_id')
}
