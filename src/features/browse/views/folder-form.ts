import type {ModalView} from '@slack/types'
import type {Folder} from '../../../store/folders.ts'
import type {Link} from '../../../store/link.ts'
import {FOLDER_FORM} from '../../../slack/ids.ts'
import {texts} from '../../../slack/texts.ts'
import {plain, section, toMetadata} from '../../../slack/draw/blocks.ts'
import {menu, option} from '../../../slack/draw/connect-form.ts'
import {listTitle} from '../../../slack/draw/list.ts'

const MAX_ID = 200
const MAX_NAME = 80
/** Slack's limit of what an entry of a menu bears. */
const MAX_VALUE = 150

/** Which folder work is to be filed in: one that is remembered, or another. Ids of blocks and actions are the same words. */
export function drawFolderForm(link: Link, folders: readonly Folder[]): ModalView {
  const {title, submit, close, which, paste, pasteHint, name, nameHint} = texts.around.folders.form
  const options = folders
    .filter(({id}) => id.length <= MAX_VALUE)
    .map((folder) => option(folder.name, folder.id))
  const typed = (id: string, label: string, hint: string, max: number) => ({
    ...{type: 'input' as const, block_id: id, optional: true, label: plain(label)},
    hint: plain(hint),
    element: {type: 'plain_text_input' as const, action_id: id, max_length: max},
  })
  return {
    type: 'modal',
    callback_id: FOLDER_FORM,
    private_metadata: toMetadata(link),
    title: plain(title),
    submit: plain(submit),
    close: plain(close),
    blocks: [
      section(`*${listTitle(link)}*`),
      ...(options.length === 0 ? [] : [menu('folder', which, options, undefined, 'optional')]),
      typed('id', paste, pasteHint, MAX_ID),
      typed('name', name, nameHint, MAX_NAME),
    ],
  }
}
