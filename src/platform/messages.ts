import type {Calls, OnPage} from './calls.ts'
import {
  type CancelOutcome,
  type Delivery,
  type Entry,
  type ModelSelection,
  type Receipt,
  type SendNowOutcome,
  cancelOutcomeSchema,
  entrySchema,
  receiptSchema,
  sendNowOutcomeSchema,
} from './model.ts'

/** What is said in a thread, section 4.1. */
export interface MessageCalls {
  /** Has no idempotency key: after a time-out look into the transcript, don't send it again. */
  sendMessage(threadId: string, message: NewMessage, signal: AbortSignal): Promise<Receipt>
  /** Pages through the transcript behind `after` (everything without it), in order. */
  listMessages(
    threadId: string,
    after: string | undefined,
    signal: AbortSignal,
    paging?: {limit?: number; onPage?: OnPage},
  ): AsyncGenerator<Entry>
  cancelMessage(threadId: string, eventId: string, signal: AbortSignal): Promise<CancelOutcome>
  sendNow(threadId: string, eventId: string, signal: AbortSignal): Promise<SendNowOutcome>
}

interface NewMessage {
  text: string
  delivery: Delivery
  model?: ModelSelection
}

export function createMessageCalls({act, pages, pageSize}: Calls): MessageCalls {
  return {
    sendMessage: (id, body, signal) => act(['threads', id, 'message'], receiptSchema, signal, body),
    listMessages: (id, after, signal, {limit = pageSize, onPage} = {}) =>
      pages(
        {
          path: ['threads', id, 'messages'],
          item: entrySchema,
          cursorName: 'after',
          from: after,
          query: {limit},
          onPage,
        },
        signal,
      ),
    cancelMessage: (threadId, eventId, signal) =>
      act(['threads', threadId, 'messages', eventId, 'cancel'], cancelOutcomeSchema, signal),
    sendNow: (threadId, eventId, signal) =>
      act(['threads', threadId, 'messages', eventId, 'send-now'], sendNowOutcomeSchema, signal),
  }
}
