import {z} from 'zod'
import {
  type Declined,
  type WorkDeps,
  declined,
  throwIfPassing,
  toDeclined,
} from '../../agents/lifecycle.ts'
import {nearestOne} from '../../agents/nearest-word.ts'
import {type Folder, type FolderStore, MAX_FOLDERS} from '../../store/tables/channels/folders.ts'
import type {Link} from '../../store/tables/work/link.ts'
import type {Command} from '../../slack/incoming/command.ts'
import type {Form} from '../../slack/incoming/form.ts'
import {declinedMessage} from '../../slack/draw/declined.ts'
import {drawFolderForm} from './views/folder-form.ts'
import {listTitle} from '../../slack/draw/list.ts'
import type {Message} from '../../slack/draw/blocks.ts'
import {ACTIONS, FOLDER_FORM} from '../../slack/ids.ts'
import {MAX_NAME, code, inBold, oneLine} from '../../slack/markup/lines.ts'
import {asTyped, escapeMrkdwn} from '../../slack/markup/markup.ts'
import {parseJson} from '../../security/foreign-json.ts'
import {texts} from '../../slack/texts.ts'
import {type Act, type Check, type ActResult, Refusal} from '../../slack/gate/act.ts'
import {standingOfLink} from '../../slack/gate/checks.ts'
import {type FolderPages, pageOf} from './organization.ts'
import {browseTexts} from './texts.ts'
import type {ActTools} from '../../slack/gate/tools.ts'
import type {PlatformClient} from '../../platform/client.ts'
import {PlatformError, PlatformFolderNotFound} from '../../platform/errors.ts'

interface FolderActsOptions extends ActTools<
  'access' | 'unconnected' | 'forms' | 'nowMs' | 'settingsOf'
> {
  deps: WorkDeps & {folders: FolderStore}
}

const words = browseTexts.folders
const WORDS = ['add', 'forget']
const NOT_FOR_VISITORS = {answer: {text: words.notForVisitors}}

/** Folders by names that people give them, and the form that files work in one. */
export function createFolderActs(options: FolderActsOptions): {acts: Act[]; page: FolderPages} {
  const {act, access, checks, deps, settingsOf, unconnected, forms, nowMs} = options
  const {folders} = deps

  const shelfAt = async (team: string, channel: string) => {
    const {isConnected, values} = await settingsOf(team, channel)
    return isConnected ? {team, connectionId: values.connectionId} : undefined
  }

  const page: FolderPages = async ({team, channel, user}, offset) => {
    const shelf = await shelfAt(team, channel)
    if (shelf === undefined) return {answer: await unconnected.answer(user, 'key')}
    const all = await folders.of(shelf)
    return pageOf(all, {...words, kind: 'folders', offset}, ({id, name}) => ({
      line: `*${inBold(name, MAX_NAME)}* · ${code(oneLine(id, MAX_NAME))}`,
      buttons: [],
    }))
  }

  const keep = async (
    shelf: {team: string; connectionId: string | undefined},
    {id, name}: Folder,
    user: string,
  ): Promise<Message> => {
    if (!isFolderId(id)) return {text: words.wrongId}
    const named = oneLine(name.trim(), MAX_NAME) || id
    const kept = await folders.add(shelf, {id, name: named}, {user, nowMs: nowMs()})
    return {text: kept === 'full' ? words.full(MAX_FOLDERS) : words.added(shown(named))}
  }

  const forget = async (
    shelf: {team: string; connectionId: string | undefined},
    said: string,
  ): Promise<Message> => {
    const found = find(await folders.of(shelf), said)
    const isGone = found !== undefined && (await folders.forget(shelf, found.id))
    return {text: isGone ? words.forgotten(shown(found.name)) : words.unknown(shown(said))}
  }

  const command = async (interaction: Command): Promise<ActResult> => {
    const {team, channel, user} = interaction
    if (await access.isVisitor(user)) return NOT_FOR_VISITORS
    const said = asTyped(interaction.rest)
    const [, verb = '', first = '', more = ''] = /^(\S*)\s*(\S*)\s*([^]*)$/.exec(said) ?? []
    if (verb === '') return page(interaction, 0)
    const shelf = await shelfAt(team, channel)
    if (shelf === undefined) return {answer: await unconnected.answer(user, 'key')}
    const word = verb.toLowerCase()
    if (word === 'add' && first !== '') {
      return {answer: await keep(shelf, {id: first, name: more}, user)}
    }
    if (word === 'forget' && first !== '') {
      return {answer: await forget(shelf, `${first} ${more}`.trim())}
    }
    const near = WORDS.includes(word) ? undefined : nearestOne(WORDS, word)
    const text = near === undefined ? words.usage : `${words.did(near)} ${words.usage}`
    return {answer: {text}}
  }

  /** The work of the form, looked up anew: a form may have stood open for long. */
  const onForm: Check<Form, Link> = {
    name: 'on the work of the form',
    look: async ({team, view}) => {
      const {data} = metadataSchema.safeParse(parseJson(view.metadata))
      const link = data && (await deps.links.byId(data.link))
      const isHere = link?.place.team === team && link.place.channel === data?.channel
      return link === undefined || !isHere ? new Refusal({text: texts.notHere}) : link
    },
    standing: standingOfLink,
  }

  const file = async (form: Form, link: Link, signal: AbortSignal): Promise<ActResult> => {
    const {values, user} = form
    if (await access.isVisitor(user)) return NOT_FOR_VISITORS
    const {place, connectionId} = link
    const shelf = {team: place.team, connectionId}
    const pasted = values.get('id')?.trim() ?? ''
    const known = await folders.of(shelf)
    const chosen = known.find(({id}) => id === (pasted || values.get('folder')))
    if (pasted === '' && chosen === undefined) return {answer: {text: words.gone}}
    const id = chosen?.id ?? pasted
    const said = values.get('name')?.trim() ?? ''
    const name = said || chosen?.name || id
    const filed = await fileWork(() => deps.clientOf(link), link, id, signal)
    // What the platform does not know is not remembered.
    const isNew = pasted !== '' && (chosen === undefined || said !== '')
    if (filed.outcome === 'filed' && isNew && said !== '') await keep(shelf, {id, name}, user)
    return {
      answer: filedMessage(filed, link, name),
      ...(filed.outcome !== 'filed' && {again: true}),
    }
  }

  const acts = [
    act('command', '/bosun folders', checks.member, command),
    act('press', ACTIONS.file, checks.onLink, async ({triggerId, user, view}, link) => {
      if (await access.isVisitor(user)) return NOT_FOR_VISITORS
      if (link.threadId === undefined) return {answer: {text: words.notStarted}}
      const {team} = link.place
      const known = await folders.of({team, connectionId: link.connectionId})
      // Over the details, or by itself.
      const drawn = drawFolderForm(link, known)
      const viewId = await (view === undefined
        ? forms.open(triggerId, drawn)
        : forms.push(triggerId, drawn))
      return viewId !== undefined ? undefined : {answer: {text: texts.tooLateToOpen}, again: true}
    }),
    act('form', FOLDER_FORM, onForm, (form, link, {signal}) => file(form, link, signal)),
  ]
  return {acts, page}
}

/** What is wrong with what was entered, as far as it can be said at once. */
export function checkFolderForm({values}: Form): Record<string, string> | undefined {
  const {needsOne, needsId} = words.form
  const pasted = values.get('id')?.trim() ?? ''
  if (pasted === '') return values.has('folder') ? undefined : {id: needsOne}
  return isFolderId(pasted) ? undefined : {id: needsId}
}

const metadataSchema = z.object({link: z.string(), channel: z.string()})

function filedMessage(filed: Filed, link: Link, folder: string): Message {
  switch (filed.outcome) {
    case 'filed':
      return {text: words.filed(listTitle(link), shown(folder))}
    case 'not-started':
      return {text: words.notStarted}
    case 'no-folder':
      return {text: words.noFolder(shown(folder))}
    case 'not-found':
      return {text: words.notFound}
    case 'not-allowed':
      return {text: words.notAllowed}
    case 'otherwise':
      return {text: words.otherwise(shown(filed.word))}
    case 'declined':
      return declinedMessage(filed)
    default:
      throw new Error(`Unknown outcome: ${JSON.stringify(filed satisfies never)}`)
  }
}

function isFolderId(id: string): boolean {
  return /^\S{1,200}$/.test(id)
}

function find(folders: readonly Folder[], said: string): Folder | undefined {
  return (
    folders.find(({id}) => id === said) ??
    folders.find(({name}) => name.toLowerCase() === said.toLowerCase())
  )
}

function shown(name: string): string {
  return escapeMrkdwn(oneLine(name.replaceAll('*', '∗'), MAX_NAME))
}

/** `otherwise`: the platform's own word for what became of it. */
type Filed =
  | {outcome: 'filed' | 'not-started' | 'no-folder' | 'not-found' | 'not-allowed'}
  | {outcome: 'otherwise'; word: string}
  | Declined

/**
 * Files work in a folder (section 4.6); to file it there once more changes nothing.
 *
 * @throws {TryLater} while the platform cannot be reached.
 */
async function fileWork(
  client: () => Pick<PlatformClient, 'fileThreads'>,
  {threadId, state}: Link,
  folderId: string,
  signal: AbortSignal,
): Promise<Filed> {
  if (threadId === undefined) return {outcome: 'not-started'}
  if (state === 'ended') return declined('not-running')
  try {
    const outcomes = await client().fileThreads(folderId, [threadId], signal)
    const word = outcomes.find((it) => it.threadId === threadId)?.outcome ?? ''
    return OUTCOMES.get(word) ?? {outcome: 'otherwise', word}
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    throwIfPassing(error)
    // The work would have been told in its own outcome: what is absent is the folder.
    if (error instanceof PlatformFolderNotFound || error.status === 404) {
      return {outcome: 'no-folder'}
    }
    return toDeclined(error)
  }
}

const OUTCOMES: ReadonlyMap<string, Filed> = new Map<string, Filed>([
  ['ok', {outcome: 'filed'}],
  ['not_found', {outcome: 'not-found'}],
  ['not_allowed', {outcome: 'not-allowed'}],
])
