import {ClipIcon} from '../kit/icons.tsx'

/** Over a pane while files hang above it. */
export function DropHint({title}: {title: string}) {
  return (
    <div className="drop-hint" role="status">
      <ClipIcon /> Drop to add to {title}
    </div>
  )
}
