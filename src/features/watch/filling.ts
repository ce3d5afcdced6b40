import type {ModalView} from '@slack/types'
import {toDeclined} from '../../agents/lifecycle.ts'
import {PlatformError, PlatformRateLimited, PlatformUnreachable} from '../../platform/errors.ts'
import type {Forms} from '../../slack/api/forms.ts'
import {declinedText, texts} from '../../slack/texts.ts'

/** Shows in an open modal what the platform says: it takes its time, and what it refuses is told where the person is looking. */
export function createFilling({forms}: {forms: Pick<Forms, 'update'>}) {
  return async (
    viewId: string,
    read: () => Promise<ModalView>,
    noteView: (words: string) => ModalView,
  ): Promise<undefined> => {
    const {failed, silent, notShown} = texts.tasks.modal
    try {
      const isShown = await forms.update(viewId, await read())
      if (!isShown) await forms.update(viewId, noteView(notShown))
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error
      const isPassing = error instanceof PlatformUnreachable || error instanceof PlatformRateLimited
      const words = isPassing ? silent : failed(declinedText(toDeclined(error)))
      await forms.update(viewId, noteView(words))
    }
    return undefined
  }
}
