export type TaskStatus = 'pending' | 'in_progress' | 'complete' | 'error'

export function taskStatus(value: unknown): TaskStatus {
  return value === 'in_progress' || value === 'complete' || value === 'error' ? value : 'pending'
}

/** How a plan stands as a whole: a failed step shows once nothing runs any more. */
export function planStatus(tasks: readonly TaskStatus[]): TaskStatus {
  if (tasks.includes('in_progress')) return 'in_progress'
  if (tasks.includes('error')) return 'error'
  if (tasks.length > 0 && tasks.every((status) => status === 'complete')) return 'complete'
  return tasks.includes('complete') ? 'in_progress' : 'pending'
}
