import {offersIn} from '../../markdown/offers.ts'
import {questionIn} from '../../markdown/question.ts'
import type {PlatformClient} from '../../platform/client.ts'
import {PlatformError} from '../../platform/errors.ts'
import {copyOf, excerpt} from '../../platform/excerpt.ts'
import type {Entry} from '../../platform/model.ts'
import type {Frame} from '../../platform/stream/frame.ts'
import type {Link} from '../../store/tables/work/link.ts'

interface LastQuestion {
  text: string
  delivery: string
  offers: readonly string[] | undefined
}

/** What was said and done last in a thread, as far as somebody is called for it. */
export interface LastWords {
  hear(frame: Frame): void
  /** What was said before we listened stands in the transcript alone: it is read, unless this is known. */
  recall(link: Link, what: 'question' | 'mark' | 'reason'): Promise<void>
  /** The end of what the agent said last, the delivery that it stands in, and the answers that it offers there. */
  question(): LastQuestion | undefined
  /** Of what it wrote last where people read: another one, and it has written something since. */
  mark(): string | undefined
  /** Why a run failed, as far as the platform says; else what it did last. */
  reason(): {said: string} | {step: string} | undefined
}

/** Of what the platform says, and of what a tool does: more than is shown. */
const MAX_REASON = 500

export function createLastWords({
  clientOf,
  signal,
}: {
  clientOf: (link: Link) => PlatformClient
  signal: AbortSignal
}): LastWords {
  let question: LastQuestion | undefined
  let mark: string | undefined
  /** Of the run in progress, or the one that ended last. */
  let said: string | undefined
  let step: string | undefined

  const beginRun = (): void => {
    said = undefined
    step = undefined
  }

  const hearEntry = ({id, callId, source, text, tool}: Entry): void => {
    const hasWords = text.trim() !== ''
    switch (source) {
      case 'user':
        beginRun()
        return
      case 'tool':
        step = excerpt(text, MAX_REASON) || tool
        return
      case 'assistant':
        if (!hasWords) return
        mark = callId ?? id
        question = {
          text: copyOf(questionIn(text)),
          delivery: mark,
          offers: offersIn(text)?.map(copyOf),
        }
        return
      default:
        // Whoever else speaks in a transcript is the platform itself.
        if (hasWords) said = excerpt(text, MAX_REASON)
    }
  }

  const hear: LastWords['hear'] = (frame) => {
    switch (frame.type) {
      case 'transcript':
        hearEntry(frame.entry)
        return
      case 'assistant':
        // Also what never settles has been read.
        mark = frame.callId
        return
      case 'tool_call':
        step = frame.text || frame.name
        return
      case 'run':
        if (frame.phase === 'start') beginRun()
        return
      default:
    }
  }

  const isKnown = (what: Parameters<LastWords['recall']>[1]): boolean => {
    switch (what) {
      case 'question':
        return question !== undefined
      case 'mark':
        return mark !== undefined
      case 'reason':
        return said !== undefined || step !== undefined
      default:
        throw new Error(`Unknown memory: ${String(what satisfies never)}`)
    }
  }

  const recall: LastWords['recall'] = async (link, what) => {
    const {threadId, taskId} = link
    if (isKnown(what) || threadId === undefined || taskId !== undefined) return
    try {
      const all = clientOf(link).listMessages(threadId, undefined, signal)
      for await (const entry of all) hearEntry(entry)
    } catch (error) {
      // Whoever is called can read it above.
      if (!(error instanceof PlatformError)) throw error
    }
  }

  return {
    hear,
    recall,
    question: () => question,
    mark: () => mark,
    reason: () => (said === undefined ? (step === undefined ? undefined : {step}) : {said}),
  }
}
