import {useState} from 'react'
import type {ChannelView} from '../../page-feed/contract.ts'
import {maxFileBytes, toPosted} from '../live/attachment.ts'
import {commandIn, failureOf, refusalOf, type TypedCommand} from './command-line.ts'
import {toSlackText} from './mention.ts'
import {absenceOf} from '../live/membership.ts'
import {wordsOf} from '../live/panel.ts'
import {useSession} from '../live/session.ts'
import type {Draft} from './use-drafts.ts'

export interface Place {
  channel: ChannelView
  threadTs?: string
}

/** What Enter does with a draft: a command for an app, or a message with its files. Nothing that was written is lost. */
export function useSending(
  {channel, threadTs}: Place,
  {draft, onDraft, files, onFiles}: Draft,
): {
  send: () => void
  attach: (added: readonly File[]) => void
  /** What went wrong, in words for the person. */
  problem: string | undefined
  dismiss: () => void
} {
  const {workspace, send, act} = useSession()
  const [problem, setProblem] = useState<string>()
  const dismiss = (): void => setProblem(undefined)
  const post = async (): Promise<void> => {
    const posted = await Promise.all(files.map(toPosted))
    const text = toSlackText(draft.trim(), workspace)
    await send({
      channel: channel.id,
      text,
      ...(threadTs !== undefined && {threadTs}),
      ...(posted.length > 0 && {files: posted}),
    })
    setProblem(absenceOf(workspace, channel, text))
  }
  const command = async (typed: TypedCommand): Promise<void> => {
    const outcome = await act<string>('command', {channel: channel.id, ...typed})
    setProblem(failureOf(typed.command, outcome))
  }
  const run = async (): Promise<void> => {
    const typed = commandIn(draft, workspace)
    const refusal =
      typed &&
      refusalOf(typed, workspace, threadTs === undefined ? 'channel' : 'thread', channel.code)
    setProblem(refusal)
    if (refusal !== undefined || (draft.trim() === '' && files.length === 0)) return
    onDraft('')
    if (!typed) onFiles([]) // a command takes none: they wait for the next message
    try {
      await (typed ? command(typed) : post())
    } catch (error) {
      const failed = `Not sent. ${wordsOf(error)} Your text is still here: press Enter to try again.`
      setProblem(typed ? wordsOf(error) : failed)
      onDraft(draft)
      onFiles(files)
    }
  }
  const attach = (added: readonly File[]): void => {
    const large = added.find(({size}) => size > maxFileBytes)
    setProblem(large && `${large.name} is over 50 MB: too large for this page.`)
    const taken = added.filter((file) => file !== large && file.size <= maxFileBytes)
    if (taken.length > 0) onFiles([...files, ...taken])
  }
  return {send: () => void run(), attach, problem, dismiss}
}
