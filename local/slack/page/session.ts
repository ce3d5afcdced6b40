import {createContext, useContext} from 'react'
import type {MemberView, PressElement, WorkspaceView} from '../view.ts'

/** What nearly every part of the page needs to know: who looks at what, and what they may do. */
export interface Session {
  workspace: WorkspaceView
  me: MemberView
  openChannel: (channel: string) => void
  openThread: (ts: string) => void
  /** Sends, and moves to the thread in which the app is going to answer. */
  send: (message: {channel: string; threadTs?: string; text: string}) => Promise<void>
  press: (element: Omit<PressElement, 'as'>) => Promise<void>
}

export const SessionContext = createContext<Session | undefined>(undefined)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('Draw this inside <SessionContext value={session}>.')
  return session
}
