import {useState} from 'react'
import type {AgentThreadView} from '../../page-feed/contract.ts'
import {useAgentThread, useStatusWords} from '../live/agent-threads.ts'
import {agentNameOf} from '../live/membership.ts'
import {useSession} from '../live/session.ts'

/** What an agent shows below a thread: what it is doing, Slack's own stop, and what one could ask next. */
export function AgentFoot({channel, threadTs}: {channel: string; threadTs: string}) {
  const {workspace} = useSession()
  const thread = useAgentThread(channel, threadTs)
  const words = useStatusWords(thread)
  if (!thread) return null
  const isShown = words !== undefined || thread.canStop
  return (
    <div className="agent-foot">
      {isShown && (
        <div className="agent-line">
          <p className="agent-status" role="status">
            <span className="dots" aria-hidden="true">
              <i />
              <i />
              <i />
            </span>
            <span>
              <strong>{agentNameOf(workspace)}</strong> {words ?? 'is working…'}
            </span>
          </p>
          {thread.canStop && <StopButton channel={channel} threadTs={threadTs} />}
        </div>
      )}
      {thread.prompts && !isShown && <Prompts thread={thread} prompts={thread.prompts} />}
    </div>
  )
}

/** Slack’s own: of a thread, or of a code channel. */
export function StopButton({channel, threadTs}: {channel: string; threadTs?: string}) {
  const {act} = useSession()
  const [problem, setProblem] = useState<string>()
  const stop = (): void => {
    setProblem(undefined)
    act('stop', {channel, ...(threadTs !== undefined && {threadTs})}).catch((error: unknown) => {
      setProblem(error instanceof Error ? error.message : String(error))
    })
  }
  return (
    <>
      <button
        type="button"
        className="button stop-button"
        aria-label="Stop the agent"
        onClick={stop}
      >
        <i aria-hidden="true" /> Stop
      </button>
      {problem !== undefined && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
    </>
  )
}

function Prompts({
  thread,
  prompts: {title, prompts},
}: {
  thread: AgentThreadView
  prompts: NonNullable<AgentThreadView['prompts']>
}) {
  const {send} = useSession()
  const {channel, threadTs} = thread
  const [sent, setSent] = useState<AgentThreadView>()
  const [problem, setProblem] = useState<string>()
  if (sent === thread) return null
  return (
    <div className="prompts" role="group" aria-label={title ?? 'Suggested prompts'}>
      {title !== undefined && <p className="muted">{title}</p>}
      {prompts.map((prompt) => (
        <button
          key={prompt.title}
          type="button"
          className="example"
          title={prompt.message}
          onClick={() => {
            setSent(thread)
            send({channel, threadTs, text: prompt.message}).catch((error: unknown) => {
              setSent(undefined)
              setProblem(error instanceof Error ? error.message : String(error))
            })
          }}
        >
          {prompt.title}
        </button>
      ))}
      {problem !== undefined && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}
