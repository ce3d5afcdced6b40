import {stringify} from 'yaml'
import type {Document} from './document.ts'

/** The same documents make the same file, to the letter. */
export function writeDocuments(documents: readonly Document[]): string {
  const options = {lineWidth: 0, aliasDuplicateObjects: false}
  return documents.map((document) => stringify(document, options)).join('---\n')
}
