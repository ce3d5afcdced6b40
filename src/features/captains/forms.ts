import type {Catalogue} from '../../agents/catalogue.ts'
import type {Start, StartStore} from '../../store/tables/work/starts.ts'
import type {Press} from '../../slack/incoming/press.ts'
import {type CaptainEntry, drawCaptainForm} from './views/forms.ts'
import {ACTIONS, CAPTAIN_FORMS} from '../../slack/ids.ts'
import {toReadable} from '../../slack/markup/markup.ts'
import {texts} from '../../slack/texts.ts'
import {type Act, type Check, type ActResult, Refusal} from '../../slack/gate/act.ts'
import {soon} from '../../slack/gate/soon.ts'
import {createOwnForm, requestIdOf, standingOfStart} from '../../slack/gate/start-request.ts'
import type {CreateCaptain} from './creation.ts'
import {
  type CaptainRequest,
  captainRequestSchema,
  emptyCaptainRequest,
  readEntry,
} from './captain-request.ts'
import {captainTexts} from './texts.ts'
import type {ActTools} from '../../slack/gate/tools.ts'

interface CaptainFormActsOptions extends ActTools<
  'catalogue' | 'unconnected' | 'forms' | 'names' | 'settingsOf'
> {
  deps: {starts: StartStore; nowMs: () => number}
  create: CreateCaptain
}

/** `3fG… swift`, as a button below a refusal bears it. */
const VALUE = /^(\S+)(?: ([^]*))?$/

/** `/captain new`: a form, what was entered in it, and what people make of a refusal. */
export function createCaptainFormActs(options: CaptainFormActsOptions): Act[] {
  const {act, checks, deps, create, catalogue, settingsOf, unconnected, forms, names} = options
  const {starts} = deps
  const words = captainTexts
  const onForm = createOwnForm(starts, words.tooOld)

  /** Opens the form whole, so that one types where it begins; a trigger lives for 3 s, and nothing is waited for that long. */
  const open = async (
    {triggerId, team, user}: {triggerId: string; team: string; user: string},
    channel: string,
    read: () => Promise<{start: Start; entry: CaptainEntry}>,
    signal: AbortSignal,
  ): Promise<ActResult | undefined> => {
    const {values} = await settingsOf(team, channel)
    const [{start, entry}, projects] = await Promise.all([
      read(),
      soon<Awaited<ReturnType<Catalogue['reachable']>> | undefined>(
        catalogue.reachable(values, user, signal),
        undefined,
      ),
    ])
    const project = entry.project || (values.projectId ?? '')
    const metadata = {channel, start: start.id}
    const viewId = await forms.open(
      triggerId,
      drawCaptainForm(metadata, {...entry, project}, projects),
    )
    return viewId === undefined ? {answer: {text: texts.tooLateToOpen}, again: true} : undefined
  }

  /** A button below a refusal: of who asked, in the channel where they did. */
  const onRefusal: Check<Press, {start: Start; rest: string}> = {
    name: 'who asked',
    look: async (press) => {
      const [, id = '', rest = ''] = VALUE.exec(press.value) ?? []
      const start = await starts.byId(id)
      const isHere = start?.team === press.team && standingOfStart(start).channel === press.channel
      if (!isHere) return new Refusal({text: words.tooOld})
      return start.user === press.user
        ? {start, rest}
        : new Refusal({text: texts.talk.notYourQuestion})
    },
    standing: ({start}) => standingOfStart(start),
  }

  const wishOf = ({request}: Start): CaptainRequest | undefined =>
    captainRequestSchema.safeParse(request).data
  const tooOld = {answer: {text: words.tooOld}}

  return [
    act('command', '/captain new', checks.member, async (command, _subject, {row, signal}) => {
      const {team, channel, user, rest} = command
      const {isConnected} = await settingsOf(team, channel)
      if (!isConnected) return {answer: await unconnected.answer(user, 'key')}
      const read = async () => {
        const name = await soon(toReadable(rest, names), rest)
        const requestId = requestIdOf(team, row)
        const entry = {...EMPTY, name: unquoted(name), owner: user}
        const request: CaptainRequest = {...emptyCaptainRequest(requestId, channel), captain: entry}
        return {entry, start: await starts.open({team, user, requestId, request}, deps.nowMs())}
      }
      return open(command, channel, read, signal)
    }),
    act('form', CAPTAIN_FORMS.create, onForm, async (form, start, handling) => {
      const before = wishOf(start)
      if (before === undefined) return tooOld
      const request = {...before, captain: readEntry(form)}
      const settings = await settingsOf(form.team, request.channel)
      if (!settings.isConnected) return {answer: await unconnected.answer(form.user, 'key')}
      // A refusal loses nothing of it.
      await starts.keepRequest(start.id, request)
      return create(start, request, settings, handling)
    }),
    act('press', ACTIONS.captainModel, onRefusal, async ({team}, {start, rest}, handling) => {
      const before = wishOf(start)
      if (before === undefined) return tooOld
      const request = {...before, captain: {...before.captain, model: rest}}
      return create(start, request, await settingsOf(team, request.channel), handling)
    }),
    act('press', ACTIONS.captainPlain, onRefusal, async ({team}, {start}, handling) => {
      const before = wishOf(start)
      if (before === undefined) return tooOld
      const request = {...before, captain: {...before.captain, image: ''}}
      await starts.keepRequest(start.id, request)
      return create(start, request, await settingsOf(team, request.channel), handling)
    }),
    act('press', ACTIONS.captainChange, onRefusal, async (press, {start}, {signal}) => {
      const request = wishOf(start)
      if (request === undefined) return tooOld
      return open(press, request.channel, async () => ({start, entry: request.captain}), signal)
    }),
  ]
}

const EMPTY: CaptainEntry = {
  name: '',
  brief: '',
  project: '',
  model: '',
  effort: '',
  modes: '',
  face: '',
  background: '',
  image: '',
  owner: '',
}

/** `/captain new "Ada Lovelace"` */
function unquoted(name: string): string {
  return name.replace(/^["“”](.*)["“”]$/, '$1')
}
