import {createContext, useContext, useSyncExternalStore} from 'react'

/** Which message is being edited: one at a time, and only that one is drawn anew. */
interface Editing {
  start: (ts: string | undefined) => void
  end: () => void
  current: () => string | undefined
  subscribe: (listener: () => void) => () => void
}

export function createEditing(): Editing {
  const listeners = new Set<() => void>()
  let current: string | undefined
  const set = (ts: string | undefined): void => {
    current = ts
    for (const listener of listeners) listener()
  }
  return {
    start: set,
    end: () => set(undefined),
    current: () => current,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

export const EditingContext = createContext<Editing>(createEditing())

export function useEditing(): Editing {
  return useContext(EditingContext)
}

export function useIsEdited(ts: string): boolean {
  const editing = useEditing()
  return useSyncExternalStore(editing.subscribe, () => editing.current() === ts)
}
