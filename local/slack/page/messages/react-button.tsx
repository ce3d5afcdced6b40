import {useRef, useState} from 'react'
import type {MessageView} from '../../page-feed/contract.ts'
import {EmojiPicker} from '../panels/emoji-picker.tsx'
import {SmileIcon} from '../kit/icons.tsx'
import {useReact} from './use-react.ts'

export function ReactButton({message, className}: {message: MessageView; className: string}) {
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const react = useReact(message)
  return (
    <>
      <button
        ref={opener}
        type="button"
        className={className}
        aria-label="Add reaction"
        title="Add reaction"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <SmileIcon />
      </button>
      {isOpen && <EmojiPicker anchor={opener} onChoose={react} onClose={() => setOpen(false)} />}
    </>
  )
}
