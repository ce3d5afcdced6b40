import type {Catalogue} from '../../agents/catalogue.ts'
import type {SettingsOf} from '../../agents/settings.ts'
import type {Start, StartStore} from '../../store/starts.ts'
import type {Forms} from '../../slack/api/forms.ts'
import type {Press} from '../../slack/deeds/press.ts'
import {
  type CaptainEntry,
  MAX_CAPTAIN_NAME,
  drawCaptainForm,
  drawCaptainNote,
} from './views/forms.ts'
import {ACTIONS, CAPTAIN_FORMS} from '../../slack/ids.ts'
import {type Names, toReadable} from '../../slack/markup/markup.ts'
import type {Door} from '../../slack/tell/unbound.ts'
import {texts} from '../../slack/texts.ts'
import {type Act, type Check, type MakeAct, type Outcome, Refusal} from '../../slack/gate/act.ts'
import type {Checks} from '../../slack/gate/checks.ts'
import {soon} from '../../slack/gate/soon.ts'
import {createOwnForm, requestIdOf, standingOfStart} from '../../slack/gate/wish.ts'
import type {CreateCaptain} from './creation.ts'
import {type CaptainWish, captainWishSchema, emptyWish, readEntry} from './wish.ts'

interface CaptainFormActsOptions {
  act: MakeAct
  checks: Checks
  desk: {starts: StartStore; nowMs: () => number}
  create: CreateCaptain
  catalogue: Catalogue
  settingsOf: SettingsOf
  door: Door
  forms: Forms
  names: Names
}

/** `3fG… swift`, as a button below a refusal bears it. */
const VALUE = /^(\S+)(?: ([^]*))?$/

/** `/captain new`: a form, what was entered in it, and what people make of a refusal. */
export function createCaptainFormActs(options: CaptainFormActsOptions): Act[] {
  const {act, checks, desk, create, catalogue, settingsOf, door, forms, names} = options
  const {starts} = desk
  const words = texts.captains
  const onForm = createOwnForm(starts, words.tooOld)

  /** Opens the form at once, since a trigger lives for 3 s, and fills it in. */
  const open = async (
    {triggerId, team}: {triggerId: string; team: string},
    channel: string,
    read: () => Promise<{start: Start; entry: CaptainEntry}>,
    signal: AbortSignal,
  ): Promise<Outcome | undefined> => {
    const viewId = await forms.open(triggerId, drawCaptainNote({channel}, 'loading'))
    if (viewId === undefined) return {answer: {text: texts.tooLateToOpen}, again: true}
    const {values} = await settingsOf(team, channel)
    const [{start, entry}, projects] = await Promise.all([
      read(),
      soon<Awaited<ReturnType<Catalogue['projects']>> | undefined>(
        catalogue.projects(values, signal),
        undefined,
      ),
    ])
    const project = entry.project || (values.projectId ?? '')
    const metadata = {channel, start: start.id}
    const isShown = await forms.update(
      viewId,
      drawCaptainForm(metadata, {...entry, project}, projects),
    )
    if (!isShown) await forms.update(viewId, drawCaptainNote(metadata, 'notShown'))
    return undefined
  }

  /** A button below a refusal: of who asked, in the channel where they did. */
  const onRefusal: Check<Press, {start: Start; rest: string}> = {
    name: 'who asked',
    look: async (press) => {
      const [, id = '', rest = ''] = VALUE.exec(press.value) ?? []
      const start = await starts.byId(id)
      const isHere = start?.team === press.team && standingOfStart(start).channel === press.channel
      if (!isHere) return new Refusal({text: words.tooOld})
      return start.user === press.user ? {start, rest} : new Refusal({text: texts.start.notYours})
    },
    standing: ({start}) => standingOfStart(start),
  }

  const wishOf = ({wish}: Start): CaptainWish | undefined => captainWishSchema.safeParse(wish).data
  const tooOld = {answer: {text: words.tooOld}}

  return [
    act('command', '/captain new', checks.member, async (command, _subject, {row, signal}) => {
      const {team, channel, user, rest} = command
      const {isConnected} = await settingsOf(team, channel)
      if (!isConnected) return {answer: await door.unbound(user, 'key')}
      const read = async () => {
        const name = (await soon(toReadable(rest, names), rest)).slice(0, MAX_CAPTAIN_NAME)
        const requestId = requestIdOf(team, row)
        const entry = {...EMPTY, name: unquoted(name), owner: user}
        const wish: CaptainWish = {...emptyWish(requestId, channel), captain: entry}
        return {entry, start: await starts.open({team, user, requestId, wish}, desk.nowMs())}
      }
      return open(command, channel, read, signal)
    }),
    act('form', CAPTAIN_FORMS.create, onForm, async (form, start, handling) => {
      const before = wishOf(start)
      if (before === undefined) return tooOld
      const wish = {...before, captain: readEntry(form)}
      const settings = await settingsOf(form.team, wish.channel)
      if (!settings.isConnected) return {answer: await door.unbound(form.user, 'key')}
      // A refusal loses nothing of it.
      await starts.keepWish(start.id, wish)
      return create(start, wish, settings, handling)
    }),
    act('press', ACTIONS.captainModel, onRefusal, async ({team}, {start, rest}, handling) => {
      const before = wishOf(start)
      if (before === undefined) return tooOld
      const wish = {...before, captain: {...before.captain, model: rest}}
      return create(start, wish, await settingsOf(team, wish.channel), handling)
    }),
    act('press', ACTIONS.captainChange, onRefusal, async (press, {start}, {signal}) => {
      const wish = wishOf(start)
      if (wish === undefined) return tooOld
      return open(press, wish.channel, async () => ({start, entry: wish.captain}), signal)
    }),
  ]
}

const EMPTY: CaptainEntry = {
  ...{name: '', brief: '', project: '', model: '', face: '', background: '', owner: ''},
}

/** `/captain new "Ada Lovelace"` */
function unquoted(name: string): string {
  return name.replace(/^["“”](.*)["“”]$/, '$1')
}
