import type {Knowing} from '../../src/agents/who-may-know.ts'

/** Nothing is private. */
export const openHouse: Knowing = {
  hiddenFrom: async () => new Set(),
  automationsHiddenFrom: () => Promise.resolve(new Set<string>()),
  isHiddenFrom: async () => false,
  isPrivate: async () => false,
  isSurelyClosed: async () => Promise.resolve(false),
  isClosed: async () => false,
  isMisplaced: async () => false,
  mayBring: async () => true,
}
