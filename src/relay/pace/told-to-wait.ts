import {NOT_OURS, type SlackError} from '../../once/slack-error.ts'
import type {Scope} from './lanes.ts'
import type {Pacer} from './pacer.ts'

/** A call is to be made later: where Slack said so, its rates are other than was thought. */
export function toldToWait(
  pacer: Pick<Pacer, 'hold' | 'pause'>,
  scope: Scope,
  {code, retryAfterMs}: SlackError,
): void {
  if (code === NOT_OURS) pacer.hold(scope, retryAfterMs)
  else pacer.pause(scope, retryAfterMs)
}
