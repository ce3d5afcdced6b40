import type {TaskStatus} from './task-shape.ts'

const names = {
  pending: 'Not started',
  in_progress: 'In progress',
  complete: 'Complete',
  error: 'Failed',
} as const

const drawings = {
  pending: <circle cx="10" cy="10" r="7" strokeDasharray="2.6 2.9" />,
  in_progress: <path d="M10 3a7 7 0 1 1-7 7" />,
  complete: <path d="M6.2 10.3l2.600 2.600 5-5.400" />,
  error: <path d="M7 7l6 6M13 7l-6 6" />,
} as const

/** How a task stands, as a mark that has a name; a running one turns. */
export function TaskMark({status}: {status: TaskStatus}) {
  return (
    <svg
      className={`task-mark is-${status}`}
      viewBox="0 0 20 20"
      role="img"
      aria-label={names[status]}
    >
      {drawings[status]}
    </svg>
  )
}
