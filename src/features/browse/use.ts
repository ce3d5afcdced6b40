import {type Effective, standardProject} from '../../agents/channel-settings.ts'
import {resolve} from '../../agents/resolve-options.ts'
import type {Project} from '../../platform/model.ts'
import type {ChoiceStore} from '../../store/tables/choices.ts'
import {ACTIONS} from '../../slack/ids.ts'
import {asTyped} from '../../slack/markup/markup.ts'
import {texts} from '../../slack/texts.ts'
import type {Act, ActResult} from '../../slack/gate/act.ts'
import {telling} from '../../slack/gate/asking.ts'
import type {ActTools} from '../../slack/gate/tools.ts'
import {browseTexts} from './texts.ts'
import {drawChosen, drawUnknownProject, drawUse} from './views/use.ts'

interface UseActsOptions extends ActTools<'catalogue' | 'people' | 'settingsOf' | 'unconnected'> {
  deps: {choices: ChoiceStore}
}

/** Somebody, where they ask. */
interface Asker {
  team: string
  user: string
  channel: string
}

/** What holds there, and what its key reaches. */
interface Here {
  settings: Effective
  projects: readonly Project[]
}

/** Takes the choice back, unless a project is called so. */
const NONE = 'none'
/** One that is not among those that we remember may be a new one. */
const FRESH_MS = 5000

/** `/bosun use`: a project of one's own, so that nobody has to name it each time. */
export function createUseActs(options: UseActsOptions): Act[] {
  const {act, checks, deps, catalogue, people, settingsOf, unconnected} = options
  const {choices} = deps

  const lookAround = (
    {team, channel, user}: Asker,
    signal: AbortSignal,
    answer: (here: Here) => Promise<ActResult>,
  ): Promise<ActResult> =>
    telling(async () => {
      const settings = await settingsOf(team, channel)
      if (!settings.isConnected) return {answer: await unconnected.answer(user, 'key')}
      return answer({
        settings,
        projects: await catalogue.reachable(settings.values, user, signal, FRESH_MS),
      })
    })

  const show = async (
    {team, user, channel}: Asker,
    {settings, projects}: Here,
    news?: string,
  ): Promise<ActResult> => {
    const [{project: chosen}, isAdmin] = await Promise.all([
      choices.of({team, user}),
      people.seemsAdmin(user),
    ])
    const own = projects.find(({id}) => id === chosen)
    return {
      answer: drawUse({
        news,
        standard: standardProject(settings, own?.id),
        own: chosen === undefined ? 'none' : (own ?? 'out of reach'),
        projects,
        // A direct message is no channel that could have one.
        mayChange: isAdmin && /^[CG]/.test(channel) ? 'yes' : 'no',
      }),
    }
  }

  const choose = async (
    {team, user}: Asker,
    {id, name}: Project,
    {settings, projects}: Here,
  ): Promise<ActResult> => {
    await choices.change({team, user}, {project: id})
    const standard = standardProject(settings, id)
    const bound = standard?.by === 'channel' && standard.projectId !== id ? standard : undefined
    const kept =
      bound && (projects.find((one) => one.id === bound.projectId)?.name ?? bound.projectId)
    return {answer: drawChosen(name, kept)}
  }

  const forget = async (asker: Asker, here: Here): Promise<ActResult> => {
    const {team, user} = asker
    await choices.change({team, user}, {project: undefined})
    return show(asker, here, browseTexts.use.cleared)
  }

  return [
    act('command', '/bosun use', checks.member, async (asker, _subject, {signal}) =>
      lookAround(asker, signal, async (here) => {
        const rest = asTyped(asker.rest)
        if (rest === '') return show(asker, here)
        const found = resolve({project: rest}, here.projects, undefined)
        if (!('why' in found)) return choose(asker, named(found.projectId, here), here)
        if (rest.toLowerCase() === NONE) return forget(asker, here)
        return {answer: drawUnknownProject(found)}
      }),
    ),
    act('press', ACTIONS.useMine, checks.member, async (press, _subject, {signal}) => {
      const {channel, value} = press
      if (channel === undefined) return {answer: {text: texts.notHere}}
      const asker = {...press, channel}
      return lookAround(asker, signal, async (here) => {
        const project = here.projects.find(({id}) => id === value)
        return project === undefined
          ? show(asker, here, browseTexts.use.gone)
          : choose(asker, project, here)
      })
    }),
    act('press', ACTIONS.useNone, checks.member, async (press, _subject, {signal}) => {
      const {channel} = press
      if (channel === undefined) return {answer: {text: texts.notHere}}
      const asker = {...press, channel}
      return lookAround(asker, signal, (here) => forget(asker, here))
    }),
  ]
}

/** @throws when it is none of them: it was found among them. */
function named(id: string, {projects}: Here): Project {
  const project = projects.find((one) => one.id === id)
  if (project === undefined) throw new Error(`Project ${id} was found, and is not there.`)
  return project
}
