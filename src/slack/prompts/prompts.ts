import {BELOW_WORDS} from '../../platform/own-words.ts'
import {type Leaks, REMOVED} from '../../security/leaks.ts'
import type {NotPassed} from '../../store/tables/work/link.ts'
import type {Forwarded, SharedFile} from '../incoming/message.ts'
import {type Names, firstOf} from '../markup/markup.ts'
import {texts} from '../texts.ts'
import type {Discussions} from './discussions.ts'
import {
  type QuotedMessage,
  type QuotedReader,
  fence,
  fetchLines,
  quote,
  quoteClip,
} from './quoting.ts'
import type {FilesOf} from './file-addresses.ts'
import type {FileReader} from './shared-files.ts'

/** What goes to an agent along with what a person wrote. */
interface Enclosed {
  files: readonly SharedFile[]
  /** What they go along with. */
  work: FilesOf
  forwarded: readonly Forwarded[]
  /** A message that was picked. */
  picked?: QuotedMessage | undefined
  /** What was said before. */
  earlier?: Parameters<Discussions>[0] | undefined
  /** A plan is to come first. */
  plan?: boolean | undefined
  /** What a channel asks of all work. */
  standing?: string | undefined
}

/** A text with all that goes along below it: whoever makes a title of its beginning makes it of what a person wrote. */
export interface Prompt {
  text: string
  /** How many earlier messages are in it. */
  read: number
  /** Slack did not tell them. */
  isUnread: boolean
  /** Names of files. */
  passed: string[]
  notPassed: NotPassed[]
}

export interface Prompts {
  pack(text: string, enclosed: Enclosed, signal: AbortSignal): Promise<Prompt>
  /** Forwarded messages in words that can be read without Slack. */
  toQuoted(forwarded: readonly Forwarded[]): Promise<QuotedMessage[]>
}

export function createPrompts({
  discussions,
  readFiles,
  readQuoted,
  names,
  leaks,
}: {
  discussions: Discussions
  readFiles: FileReader
  readQuoted: QuotedReader
  names: Names
  leaks: Leaks
}): Prompts {
  const toQuoted = (forwarded: readonly Forwarded[]): Promise<QuotedMessage[]> => {
    const few = firstOf(names)
    return Promise.all(
      forwarded.map(async ({author, text}) => ({
        author: author === '' ? texts.quoting.somebody : author,
        text: await readQuoted(text, few),
        files: [],
        forwarded: [],
      })),
    )
  }

  const pack: Prompts['pack'] = async (text, enclosed, signal) => {
    const {files, work, forwarded, picked, earlier, plan, standing} = enclosed
    const [read, quoted, told] = await Promise.all([
      readFiles(files, work, signal),
      toQuoted(forwarded),
      earlier === undefined ? undefined : discussions(earlier, signal),
    ])
    const said = told ?? []
    const {about} = texts.quoting
    const along = [
      ...(plan === true ? [about.plan] : []),
      ...(standing === undefined ? [] : [`${about.standing}\n${standing}`]),
      ...(picked === undefined ? [] : [quote(about.picked, [picked])]),
      ...read.texts.map(fence),
      ...read.said.map(quoteClip),
      ...(read.fetched.length === 0 ? [] : [fetchLines(read.fetched)]),
      ...(quoted.length === 0 ? [] : [quote(about.forwarded, quoted)]),
      ...(said.length === 0 ? [] : [quote(about.earlier, said)]),
    ]
    const parts = [
      ...(text === '' ? [] : [text, ...(along.length === 0 ? [] : [BELOW_WORDS])]),
      ...along,
    ]
    return {
      text: leaks.clean(parts.join('\n\n')).replaceAll(REMOVED, about.removed),
      read: said.length,
      isUnread: earlier !== undefined && told === undefined,
      passed: namesOf(read),
      notPassed: read.notPassed,
    }
  }
  return {pack, toQuoted}
}

/** What went along, in whichever way. */
function namesOf({texts: read, fetched, said}: Awaited<ReturnType<FileReader>>): string[] {
  return [...new Set([...read, ...fetched.map(({file}) => file), ...said].map(({name}) => name))]
}
