import {useEffect, useRef, useState, type RefObject} from 'react'
import {useSession} from '../live/session.ts'
import type {useViewForm} from './use-view-form.ts'
import type {ShownView} from '../../views/views.ts'

const firstInvalid = '[aria-invalid="true"], [aria-invalid="true"] input'

interface Submission {
  submit: () => void
  close: (how?: {all: true}) => void
  isWaiting: boolean
  /** What kept the form here, when the local Slack has no words for it. */
  problem: string | undefined
}

/**
 * Sends a modal's form, and stays with the person until the app has answered. What is then called
 * wrong takes the focus: the errors come before the answer or after it.
 */
export function useSubmission(
  {shown, form}: {shown: ShownView; form: ReturnType<typeof useViewForm>},
  dialog: RefObject<HTMLDialogElement | null>,
): Submission {
  const {act} = useSession()
  const [isWaiting, setWaiting] = useState(false)
  const [problem, setProblem] = useState<string>()
  // Beside the state, because a second Enter can come before the first one is drawn.
  const isSent = useRef(false)
  const sentWith = useRef<string>(undefined)
  const [answers, setAnswers] = useState(0)
  const errors = JSON.stringify(shown.errors)
  const before = useRef({errors, answers})
  useEffect(() => {
    const isNew = errors !== before.current.errors
    const isSame = errors === sentWith.current && answers !== before.current.answers
    before.current = {errors, answers}
    if (isNew || isSame) dialog.current?.querySelector<HTMLElement>(firstInvalid)?.focus()
  }, [answers, errors, dialog])

  const fail = (error: unknown): void =>
    setProblem(error instanceof Error ? error.message : String(error))
  const submit = (): void => {
    if (isSent.current) return
    isSent.current = true
    sentWith.current = errors
    setWaiting(true)
    setProblem(undefined)
    act<string>('submitView', {values: form.values()})
      .then(() => {
        form.showErrors()
        setAnswers((count) => count + 1)
      })
      .catch(fail)
      .finally(() => {
        isSent.current = false
        setWaiting(false)
      })
  }
  const close: Submission['close'] = (how) => {
    act('closeView', {...how}).catch(fail)
  }
  return {submit, close, isWaiting, problem}
}
