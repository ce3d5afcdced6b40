import {createContext, useContext, useEffect, useState} from 'react'
import type {AgentThreadView} from '../../page-feed/contract.ts'
import {threadKey} from './live.ts'

/** By `threadKey`: what an agent shows around a thread. */
export const AgentThreadsContext = createContext<ReadonlyMap<string, AgentThreadView>>(new Map())

export function useAgentThread(channel: string, threadTs: string): AgentThreadView | undefined {
  return useContext(AgentThreadsContext).get(threadKey(channel, threadTs))
}

/** Slack changes the words this often while an app works. */
const rotationMs = 2500

/** What the app says it is doing; nothing any more once the status has run out. */
export function useStatusWords(thread: AgentThreadView | undefined): string | undefined {
  const [over, setOver] = useState<AgentThreadView>()
  const [turn, setTurn] = useState(0)
  const words = thread && thread !== over ? wordsOf(thread) : []
  const isRotating = words.length > 1
  useEffect(() => {
    if (thread === undefined || thread.status === '') return
    const timer = setTimeout(() => setOver(thread), thread.statusLeftMs)
    return () => clearTimeout(timer)
  }, [thread])
  useEffect(() => {
    if (!isRotating) return
    const timer = setInterval(() => setTurn((before) => before + 1), rotationMs)
    return () => clearInterval(timer)
  }, [isRotating])
  return words[turn % Math.max(1, words.length)]
}

/** https://docs.slack.dev/reference/methods/assistant.threads.setStatus: `loading_messages` stand in for the status. */
function wordsOf({status, loadingMessages}: AgentThreadView): string[] {
  if (status === '') return []
  return loadingMessages.length > 0 ? loadingMessages : [status]
}
