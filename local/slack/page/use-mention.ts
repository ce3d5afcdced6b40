import {useEffect, useId, useRef, useState, type RefObject} from 'react'
import type {MemberView} from '../page-feed/contract.ts'
import {mentionChoices, mentionQuery, type MentionQuery} from './mention.ts'
import {useSession} from './session.ts'

interface MentionChoosing {
  id: string
  choices: MemberView[]
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

/** The list that `@` opens: arrows move in it, Enter and Tab choose, Escape closes it. */
export function useMention(
  draft: string,
  onDraft: (draft: string) => void,
  focus: RefObject<HTMLTextAreaElement | null>,
): MentionChoosing {
  const {workspace} = useSession()
  const id = useId()
  const [query, setQuery] = useState<MentionQuery>()
  const [active, setActive] = useState(0)
  const caret = useRef<number>(undefined)
  useEffect(() => {
    if (caret.current !== undefined) focus.current?.setSelectionRange(caret.current, caret.current)
    caret.current = undefined
  }, [draft, focus])

  const choices = query ? mentionChoices(workspace.members, query.words) : []
  const choose = (index: number): void => {
    const member = choices[index]
    if (!query || !member) return
    const name = `@${member.realName} `
    const rest = draft.slice(query.at + 1 + query.words.length).replace(/^ /, '')
    caret.current = query.at + name.length
    onDraft(draft.slice(0, query.at) + name + rest)
    setQuery(undefined)
  }
  const take = (key: string): boolean => {
    if (choices.length === 0) return false
    if (key === 'ArrowDown') setActive((active + 1) % choices.length)
    else if (key === 'ArrowUp') setActive((active - 1 + choices.length) % choices.length)
    else if (key === 'Enter' || key === 'Tab') choose(active)
    else if (key === 'Escape') setQuery(undefined)
    else return false
    return true
  }
  const look = (text: string, at: number): void => {
    const next = mentionQuery(text, at)
    if (next?.words !== query?.words) setActive(0)
    setQuery(next)
  }
  const dismiss = (): void => setQuery(undefined)
  const isOpen = choices.length > 0
  const aria = isOpen ? {'aria-controls': id, 'aria-activedescendant': `${id}-${active}`} : {}
  return {id, choices, active, choose, take, look, dismiss, aria}
}
