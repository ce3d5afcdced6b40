import type {ModalView} from '@slack/types'
import type {Folder} from '../../../store/tables/channels/folders.ts'
import type {Link} from '../../../store/tables/work/link.ts'
import {FOLDER_FORM} from '../../../slack/ids.ts'
import {section, toMetadata} from '../../../slack/draw/blocks.ts'
import {field, menu, modal, option} from '../../../slack/draw/form.ts'
import {listTitle} from '../../../slack/draw/list.ts'
import {browseTexts} from '../texts.ts'

const MAX_ID = 200
const MAX_NAME = 80
/** Slack's limit of what an entry of a menu bears. */
const MAX_VALUE = 150

/** Which folder work is to be filed in: one that is remembered, or another. Ids of blocks and actions are the same words. */
export function drawFolderForm(link: Link, folders: readonly Folder[]): ModalView {
  const {title, submit, close, which, paste, pasteHint, name, nameHint} = browseTexts.folders.form
  const options = folders
    .filter(({id}) => id.length <= MAX_VALUE)
    .map((folder) => option(folder.name, folder.id))
  const need = 'optional'
  return modal(FOLDER_FORM, toMetadata(link), {title, submit, close}, [
    section(`*${listTitle(link)}*`),
    ...(options.length === 0 ? [] : [menu('folder', which, options, {need})]),
    field('id', paste, {need, hint: pasteHint, max: MAX_ID}),
    field('name', name, {need, hint: nameHint, max: MAX_NAME}),
  ])
}
