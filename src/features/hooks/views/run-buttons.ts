import type {KnownBlock} from '@slack/types'
import {type DrawRules, button, openButtons} from '../../../slack/draw/blocks.ts'
import {ACTIONS} from '../../../slack/ids.ts'
import {hookTexts} from '../texts.ts'

/** To where the agent runs, and to bring it here. */
export function runButtons(
  {id, threadId}: {id: string; threadId?: string | undefined},
  {webUrl}: Pick<DrawRules, 'webUrl'>,
): KnownBlock {
  const follow = button(ACTIONS.runFollow, hookTexts.run.followHere, id)
  const open = openButtons(threadId, id, {webUrl, nameOf: (name) => name})
  return {type: 'actions', elements: [...open, follow]}
}
