import {differs} from '../finding.ts'
import type {Scene} from '../scene.ts'
import {checkTexts} from '../texts.ts'
import {section} from './blocks.ts'

const GONE = 'message_not_found'

/** That a message which was deleted is gone, in Slack's words for it. */
export const deleting: Scene = {
  ids: ['deleted-unlisted', 'deleted-edit', 'deleted-again'],
  play: async ({place, caller, made, attempt, post, thread}) => {
    const {channel} = place
    const ts = await post({text: 'This one goes at once.'})
    const isGone = await attempt('deleted-unlisted', async () => {
      await caller.call('chat.delete', {channel, ts})
      const isListed = (await thread()).some((one) => one.ts === ts)
      if (isListed) return differs('it is listed still')
      made.messages.delete(ts)
      return 'it is gone'
    })
    if (!isGone) return
    const text = 'Too late.'
    const judge = (said: string) =>
      said === GONE ? said : differs(checkTexts.insteadOf(GONE, said))
    await attempt('deleted-edit', async () =>
      judge(await caller.refusal('chat.update', {channel, ts, text, blocks: [section(text)]})),
    )
    await attempt('deleted-again', async () =>
      judge(await caller.refusal('chat.delete', {channel, ts})),
    )
  },
}
