import {useEffect, useId, useRef, useState, type RefObject} from 'react'
import type {ChannelView} from '../../page-feed/contract.ts'
import {
  completed,
  completionQuery,
  completionsOf,
  type Completion,
  type CompletionQuery,
} from './completion.ts'
import {useSession} from '../live/session.ts'

export interface Completing {
  id: string
  mark: CompletionQuery['mark'] | undefined
  choices: Completion[]
  active: number
  choose: (index: number) => void
  /** Whether the key was meant for the list. */
  take: (key: string) => boolean
  /** After the text or the caret changed. */
  look: (text: string, caret: number) => void
  dismiss: () => void
  /** Ties the text field to the open list. */
  aria: {'aria-controls'?: string; 'aria-activedescendant'?: string}
}

/** The list that `@`, `#`, `:` and `/` open: arrows move in it, Enter and Tab choose, Escape closes it. */
export function useCompletion({
  draft,
  onDraft,
  focus,
  channel,
}: {
  draft: string
  onDraft: (draft: string) => void
  focus: RefObject<HTMLTextAreaElement | null>
  channel: ChannelView | undefined
}): Completing {
  const {workspace} = useSession()
  const id = useId()
  const [query, setQuery] = useState<CompletionQuery>()
  const [active, setActive] = useState(0)
  const caret = useRef<number>(undefined)
  useEffect(() => {
    if (caret.current !== undefined) focus.current?.setSelectionRange(caret.current, caret.current)
    caret.current = undefined
  }, [draft, focus])

  const choices = query ? completionsOf(workspace, query, channel) : []
  const choose = (index: number): void => {
    const choice = choices[index]
    if (!query || !choice) return
    const after = completed(draft, query, choice)
    caret.current = after.caret
    onDraft(after.text)
    setQuery(undefined)
  }
  const take = (key: string): boolean => {
    if (choices.length === 0) return false
    // A command that stands there in full is sent, not completed once more.
    if (key === 'Enter' && query?.mark === '/' && choices[active]?.insert === draft) return false
    if (key === 'ArrowDown') setActive((active + 1) % choices.length)
    else if (key === 'ArrowUp') setActive((active - 1 + choices.length) % choices.length)
    else if (key === 'Enter' || key === 'Tab') choose(active)
    else if (key === 'Escape') setQuery(undefined)
    else return false
    return true
  }
  const look = (text: string, at: number): void => {
    const next = completionQuery(text, at)
    if (next?.words !== query?.words || next?.mark !== query?.mark) setActive(0)
    setQuery(next)
  }
  const dismiss = (): void => setQuery(undefined)
  const isOpen = choices.length > 0
  const aria = isOpen ? {'aria-controls': id, 'aria-activedescendant': `${id}-${active}`} : {}
  return {id, mark: query?.mark, choices, active, choose, take, look, dismiss, aria}
}
