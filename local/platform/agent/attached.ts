import type {Attached} from './script.ts'

/** The end of the line with which a shell fetches a file: `-o shot.png 'http://…/files/…'`. docs/files.md */
const LINE = /^.* -o ([\w.-]+) '(\S+)'$/gm

/** The files that a message names, and that `bot` has: nobody else is shown the token of a session. */
export function attachedIn(text: string, bot: string | undefined): Attached[] {
  return [...text.matchAll(LINE)]
    .map(([, name = '', url = '']) => ({name, url}))
    .filter(({url}) => bot !== undefined && URL.parse(url)?.origin === bot)
}
