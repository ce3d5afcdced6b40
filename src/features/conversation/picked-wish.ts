import type {Shortcut} from '../../slack/deeds/shortcut.ts'
import {type Names, toReadable} from '../../slack/markup/markup.ts'
import type {Parcels} from '../../slack/parcels/parcels.ts'
import {texts} from '../../slack/texts.ts'
import {soon} from '../../slack/gate/soon.ts'
import type {Wish} from '../../slack/gate/wish.ts'

export type NewWish = Omit<Wish, 'requestId'>

/** What can be asked about the message that was picked. */
export async function toPickedWish(
  {channel, message}: Shortcut,
  {names, parcels}: {names: Names; parcels: Parcels},
): Promise<NewWish> {
  const {ts, threadTs, user, text: written, files, forwarded: quoted} = message
  const slackThread = threadTs ?? ts
  const [author, text, forwarded] = await Promise.all([
    user === '' ? texts.start.anApp : soon(names.user(user), user),
    soon(toReadable(written, names), written),
    soon(parcels.toQuoted(quoted), []),
  ])
  const picked = {author, text, files: files.map(({name}) => name), forwarded}
  const asked = {task: '', options: {}, files, forwarded: []}
  return {channel, slackThread, ...asked, picked, pickedTs: ts, earlier: {channel, slackThread}}
}
