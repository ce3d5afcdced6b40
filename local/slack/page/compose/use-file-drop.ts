import {useState, type DragEvent, type DragEventHandler} from 'react'
import {filesIn} from '../live/attachment.ts'

/** Files may be dropped anywhere on a pane; `isOver` while they hang above it. */
export function useFileDrop(onFiles: (files: File[]) => void): {
  isOver: boolean
  drop: Record<'onDragOver' | 'onDragLeave' | 'onDrop', DragEventHandler>
} {
  const [isOver, setOver] = useState(false)
  return {
    isOver,
    drop: {
      onDragOver: (event) => {
        if (!hasFiles(event)) return
        event.preventDefault() // otherwise the browser opens the file instead of the page
        setOver(true)
      },
      onDragLeave: ({currentTarget, relatedTarget}) => {
        const isInside = relatedTarget instanceof Node && currentTarget.contains(relatedTarget)
        if (!isInside) setOver(false)
      },
      onDrop: (event) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        setOver(false)
        onFiles(filesIn(event.dataTransfer))
      },
    },
  }
}

function hasFiles({dataTransfer}: DragEvent): boolean {
  return dataTransfer.types.includes('Files')
}
