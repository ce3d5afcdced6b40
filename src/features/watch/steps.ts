import type {StepTrail} from '../../agents/steps/step-trail.ts'
import {type Spot, createStepsReader} from '../../agents/steps/steps.ts'
import {ACTIONS} from '../../slack/ids.ts'
import {texts} from '../../slack/texts.ts'
import type {Act} from '../../slack/gate/act.ts'
import type {ActTools} from '../../slack/gate/tools.ts'
import type {Link} from '../../store/tables/work/link.ts'
import type {SendStore} from '../../store/tables/work/sends.ts'
import {createFilling} from './filling.ts'
import {watchTexts} from './texts.ts'
import {readStepsValue, stepsNoteView, stepsView} from './views/steps.ts'

interface StepActsOptions extends ActTools<'clientOf' | 'forms'> {
  deps: {sends: SendStore}
  stepTrail: StepTrail
}

/** A look at what an agent did with its tools, over the details of its work. */
export function createStepActs(options: StepActsOptions): Act[] {
  const {act, checks, deps, clientOf, forms, stepTrail} = options
  const filling = createFilling(options)
  const read = createStepsReader({trail: stepTrail, sends: deps.sends})

  const fill = (
    link: Link,
    viewId: string,
    before: Spot | undefined,
    signal: AbortSignal,
  ): Promise<undefined> => {
    const readPage = async () => {
      const {threadId, state} = link
      // It may be shown here no more: what ends work may be that it is private elsewhere.
      if (state === 'ended') return stepsNoteView(link, watchTexts.workIsOver)
      if (threadId === undefined) return stepsNoteView(link, watchTexts.steps.none)
      const page = await read({link: {...link, threadId}, before, client: clientOf(link)}, signal)
      return stepsView(link, page, before)
    }
    return filling(viewId, readPage, (words) => stepsNoteView(link, words))
  }

  return [
    act('press', ACTIONS.steps, checks.onLink, async ({triggerId, view}, link, {signal}) => {
      const reading = stepsNoteView(link, texts.tasks.modal.reading)
      const viewId = await (view === undefined
        ? forms.open(triggerId, reading)
        : forms.push(triggerId, reading))
      if (viewId === undefined) return {answer: {text: texts.tooLateToOpen}}
      return fill(link, viewId, undefined, signal)
    }),
    act('press', ACTIONS.stepsPage, checks.onLink, async ({view, value}, link, {signal}) =>
      fill(link, view?.id ?? '', readStepsValue(value), signal),
    ),
  ]
}
