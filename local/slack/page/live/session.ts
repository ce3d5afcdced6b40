import {createContext, useContext} from 'react'
import type {MemberView, WorkspaceView} from '../../page-feed/contract.ts'
import type {Entry} from '../../blocks/elements.ts'
import type {Api} from './api.ts'
import type {PostedFile} from './attachment.ts'
import type {EntryValues} from '../forms/entries.ts'
import type {ElementPlace} from '../forms/surface.ts'

/** A press of a button, or an entry in any other element, of a message. */
interface ElementPress extends ElementPlace {
  channel: string
  ts: string
  value?: Entry
  /** What else was entered in the message. */
  values: EntryValues
}

/** What nearly every part of the page needs to know: who looks at what, and what they may do. */
export interface Session {
  workspace: WorkspaceView
  me: MemberView
  openChannel: (channel: string) => void
  openThread: (ts: string) => void
  /** Sends, and moves to the thread in which the app is going to answer. */
  send: (message: {
    channel: string
    threadTs?: string
    text: string
    files?: PostedFile[]
  }) => Promise<void>
  press: (element: ElementPress) => Promise<void>
  /** Everything else that a person does, by its name in `local/slack/control/acts.ts`. */
  act: Api['act']
}

export const SessionContext = createContext<Session | undefined>(undefined)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('Draw this inside <SessionContext value={session}>.')
  return session
}
