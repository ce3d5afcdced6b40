import {z} from 'zod'
import {type Filed, fileWork} from './filing.ts'
import type {SettingsOf} from '../../agents/settings.ts'
import type {Desk} from '../../agents/work.ts'
import {nearestOne} from '../../agents/nearest.ts'
import {type Folder, type FolderStore, MAX_FOLDERS} from '../../store/folders.ts'
import type {Link} from '../../store/link.ts'
import type {Forms} from '../../slack/api/forms.ts'
import type {Command} from '../../slack/deeds/command.ts'
import type {Form} from '../../slack/deeds/form.ts'
import {declinedMessage} from '../../slack/draw/declined-message.ts'
import {drawFolderForm} from './views/folder-form.ts'
import {listTitle} from '../../slack/draw/list.ts'
import type {Message} from '../../slack/draw/message.ts'
import {ACTIONS, FOLDER_FORM} from '../../slack/ids.ts'
import {MAX_NAME, code, inBold, oneLine} from '../../slack/markup/lines.ts'
import {escapeMrkdwn} from '../../slack/markup/markup.ts'
import {parseJson} from '../../slack/tell/answers.ts'
import type {Door} from '../../slack/tell/unbound.ts'
import {texts} from '../../slack/texts.ts'
import {type Act, type Check, type MakeAct, type Outcome, Refusal} from '../../slack/gate/act.ts'
import {type Checks, standingOfLink} from '../../slack/gate/checks.ts'
import {type FolderPages, pageOf} from './organization.ts'

interface FolderActsOptions {
  act: MakeAct
  checks: Checks
  desk: Desk & {folders: FolderStore}
  settingsOf: SettingsOf
  door: Door
  forms: Forms
  nowMs: () => number
}

const words = texts.around.folders
const WORDS = ['add', 'forget']

/** Folders by names that people give them, and the form that files work in one. */
export function createFolderActs(options: FolderActsOptions): {acts: Act[]; page: FolderPages} {
  const {act, checks, desk, settingsOf, door, forms, nowMs} = options
  const {folders} = desk

  const shelfAt = async (team: string, channel: string) => {
    const {isConnected, values} = await settingsOf(team, channel)
    return isConnected ? {team, connectionId: values.connectionId} : undefined
  }

  const page: FolderPages = async ({team, channel, user}, offset) => {
    const shelf = await shelfAt(team, channel)
    if (shelf === undefined) return {answer: await door.unbound(user, 'key')}
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

  const command = async (deed: Command): Promise<Outcome> => {
    const {team, channel, user, rest} = deed
    const [, verb = '', first = '', more = ''] = /^(\S*)\s*(\S*)\s*([^]*)$/.exec(rest) ?? []
    if (verb === '') return page(deed, 0)
    const shelf = await shelfAt(team, channel)
    if (shelf === undefined) return {answer: await door.unbound(user, 'key')}
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
      const link = data && (await desk.links.byId(data.link))
      const isHere = link?.place.team === team && link.place.channel === data?.channel
      return link === undefined || !isHere ? new Refusal({text: texts.notHere}) : link
    },
    standing: standingOfLink,
  }

  const file = async (form: Form, link: Link, signal: AbortSignal): Promise<Outcome> => {
    const {values, user} = form
    const {place, connectionId} = link
    const shelf = {team: place.team, connectionId}
    const pasted = values.get('id')?.trim() ?? ''
    const known = await folders.of(shelf)
    const chosen = known.find(({id}) => id === (pasted || values.get('folder')))
    if (pasted === '' && chosen === undefined) return {answer: {text: words.gone}}
    const id = chosen?.id ?? pasted
    const said = values.get('name')?.trim() ?? ''
    const name = said || chosen?.name || id
    const filed = await fileWork(() => desk.clientOf(link), link, id, signal)
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
    act('press', ACTIONS.file, checks.onLink, async ({triggerId, view}, link) => {
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
