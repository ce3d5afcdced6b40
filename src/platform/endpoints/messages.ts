import {z} from 'zod'
import type {Calls, Paging} from '../calls.ts'
import {
  type Delivery,
  type Entry,
  type ModelSelection,
  entrySchema,
  flagIfSet,
  textIfSet,
} from '../model.ts'

/** What is said in a thread, section 4.1. */
interface MessageCalls {
  /** Has no idempotency key: after a time-out look into the transcript, don't send it again. */
  sendMessage(
    threadId: string,
    message: NewMessage,
    signal: AbortSignal,
  ): Promise<z.infer<typeof receiptSchema>>
  /** Pages through the transcript behind `after` (everything without it), in order. */
  listMessages(
    threadId: string,
    after: string | undefined,
    signal: AbortSignal,
    paging?: Omit<Paging, 'from'> & {limit?: number},
  ): AsyncGenerator<Entry>
  cancelMessage(
    threadId: string,
    eventId: string,
    signal: AbortSignal,
  ): Promise<z.infer<typeof cancelledSchema>>
  sendNow(
    threadId: string,
    eventId: string,
    signal: AbortSignal,
  ): Promise<z.infer<typeof sentNowSchema>>
}

interface NewMessage {
  text: string
  delivery: Delivery
  model?: ModelSelection
}

/** `id` is what cancel and send-now take. Section 2.8. */
export const receiptSchema = z.looseObject({id: z.string(), deduped: flagIfSet})

/** Whether a queued message was taken back: `cancelled` or `tooLate`. Section 3.3. */
const cancelledSchema = z.looseObject({outcome: z.string()})
/** `sent` with the message's new `id`, or `tooLate`. Section 3.3. */
const sentNowSchema = cancelledSchema.extend({id: textIfSet})

export function createMessageCalls({act, pages, pageSize}: Calls): MessageCalls {
  return {
    sendMessage: (id, body, signal) => act(['threads', id, 'message'], receiptSchema, signal, body),
    listMessages: (id, after, signal, {limit = pageSize, ...paging} = {}) =>
      pages(
        {
          ...paging,
          path: ['threads', id, 'messages'],
          item: entrySchema,
          cursorName: 'after',
          from: after,
          query: {limit},
        },
        signal,
      ),
    cancelMessage: (threadId, eventId, signal) =>
      act(['threads', threadId, 'messages', eventId, 'cancel'], cancelledSchema, signal),
    sendNow: (threadId, eventId, signal) =>
      act(['threads', threadId, 'messages', eventId, 'send-now'], sentNowSchema, signal),
  }
}
