import type {Place} from '../../store/tables/work/link.ts'

/** Where in its channel a message of a place stands: below the parent of its Slack thread, or in the room itself. */
export function below({slackThread, isRoom}: Place): {thread_ts?: string} {
  return isRoom === true ? {} : {thread_ts: slackThread}
}
