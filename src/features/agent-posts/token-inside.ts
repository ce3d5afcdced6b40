import {createLeaks} from '../../security/leaks.ts'
import type {Secret} from '../../security/secret.ts'
import type {PostedFile} from '../../store/tables/work/agent-posts.ts'
import {reportIn} from './report.ts'
import {roomViewOf} from './room-view.ts'

/** What is to be shown of a post. */
interface Shown {
  threadId: string
  text: string
  file?: PostedFile | undefined
  question?: {options: readonly string[]} | undefined
}

/**
 * Whether it shows the token of whoever posts it, as it would be read in Slack, whole or in part: Markdown, HTML and marks
 * that do not show hide nothing. With a token that somebody made up for it the look takes long: it is for those that are
 * proven.
 */
export function holdsToken({threadId, text, file, question}: Shown, token: Secret): boolean {
  const leaks = createLeaks()
  leaks.learn(token)
  const options = question?.options ?? []
  const report = file && (reportIn(file) ?? viewIn(file))
  // Answers stand side by side: what is spread over them is read as one.
  const all = [threadId, text, file?.name ?? '', report ?? '', ...options, options.join('')]
  const value = token.reveal()
  const isDrawn = all.some((shown) => shown.includes(value) || leaks.hide(shown, '') !== shown)
  // Nothing of any other file is drawn: it is its bytes.
  return isDrawn || (file !== undefined && Buffer.from(file.bytes).includes(value))
}

/** The same of files that are declared: their bytes are looked at as they go by. */
export function declaresToken(
  {files, ...asked}: Omit<Shown, 'file'> & {files: readonly {name: string}[]},
  token: Secret,
): boolean {
  return files.some(({name}) => holdsToken({...asked, file: {name, bytes: EMPTY}}, token))
}

const EMPTY = new Uint8Array()

/** What people would read of it in a tab of a room. */
function viewIn(file: PostedFile): string | undefined {
  const view = roomViewOf(file)
  return typeof view === 'object' ? view.content : undefined
}
