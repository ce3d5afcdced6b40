import type {Files} from '../files/files.ts'
import type {FileShape} from '../files/shape.ts'
import {requireMember} from '../people/require.ts'
import type {Workspace} from '../workspace/workspace.ts'
import {findInView} from './entry.ts'
import type {Offers} from './offers.ts'
import {requireView} from './select-search.ts'
import type {Views} from './views.ts'

/** https://docs.slack.dev/reference/block-kit/block-elements/file-input-element */
export interface FileEntry {
  /** Uploads a file for a file input of the topmost view; its id is what is then entered there. */
  attachFile(file: {
    as: string
    actionId: string
    blockId?: string
    viewId?: string
    name: string
    content: Uint8Array
  }): Promise<string>
}

export interface FileEntryParts {
  workspace: Workspace
  views: Views
  offers: Offers
  files: Files
  fileShape: FileShape
}

export function createFileEntry({
  workspace,
  views,
  offers,
  files,
  fileShape,
}: FileEntryParts): FileEntry {
  return {
    attachFile: async ({as, actionId, blockId, name, content}) => {
      const {id: userId} = requireMember(workspace, as)
      const view = requireView(views, as)
      const found = findInView(view, actionId, blockId)
      if (found.element['type'] !== 'file_input') throw new Error(`"${actionId}" takes no files.`)
      const {file, ticket} = files.promise({name, size: content.byteLength, userId})
      files.upload(ticket, content)
      const stored = files.find(file.id) ?? file
      files.save({...stored, state: 'complete'})
      const place = {userId, placeId: view.id, blockId: found.blockId, actionId}
      offers.keep(place, [...offers.of(place), fileShape({...stored, state: 'complete'})])
      return file.id
    },
  }
}
