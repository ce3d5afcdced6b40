import type {Dispatcher} from 'undici'

/** It is not ours any more to make this call: nothing of it went out. */
export class NotOurs extends Error {
  override name = 'NotOurs' as const
}

/** Why a `fetch` failed that was not ours to make. */
export function isNotOurs(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof NotOurs
}

/**
 * A way out for who may call for now only. It is asked directly before the first byte goes out: a process that was stopped
 * anywhere before that makes no call when it goes on.
 */
export function fenced(dispatcher: Dispatcher, mayCall: () => boolean): Dispatcher {
  return dispatcher.compose((dispatch) => (options, handler) => {
    return dispatch(options, {
      onRequestStart: (controller, context) => {
        if (mayCall()) handler.onRequestStart?.(controller, context)
        else controller.abort(new NotOurs('It is not ours any more to make this call'))
      },
      onRequestUpgrade: (...of) => handler.onRequestUpgrade?.(...of),
      onResponseStart: (...of) => handler.onResponseStart?.(...of),
      onResponseData: (...of) => handler.onResponseData?.(...of),
      onResponseEnd: (...of) => handler.onResponseEnd?.(...of),
      onResponseError: (...of) => handler.onResponseError?.(...of),
    })
  })
}
