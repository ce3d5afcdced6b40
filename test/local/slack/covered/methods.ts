import {APP_METHODS} from './app-methods.ts'
import {CHAT_METHODS} from './chat-methods.ts'
import {LINK_METHODS} from './link-methods.ts'
import {PLACE_METHODS} from './place-methods.ts'
import type {MethodCoverage} from './row.ts'

/** The errors that every method knows stand in `surfaces.ts`. */
export const METHODS: readonly MethodCoverage[] = [
  ...APP_METHODS,
  ...CHAT_METHODS,
  ...LINK_METHODS,
  ...PLACE_METHODS,
]
