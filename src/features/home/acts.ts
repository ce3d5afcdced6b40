import {z} from 'zod'
import {dueDate} from '../../inbox/digest-dates.ts'
import {MORNING} from '../../inbox/due-times.ts'
import {EFFORTS, MACHINE_SIZES, MODES} from '../../platform/model.ts'
import {namesNone} from '../../agents/models/model-choice.ts'
import {type ChoiceStore, NOISES} from '../../store/tables/choices.ts'
import type {DigestStore, Target} from '../../store/tables/channels/digests.ts'
import type {Press} from '../../slack/incoming/press.ts'
import type {HomeOpened} from '../../slack/incoming/signs.ts'
import type {LinkStore} from '../../store/tables/work/links.ts'
import {GROUPS} from '../../slack/draw/standing.ts'
import type {Home} from './home.ts'
import {readDismissed} from './view.ts'
import {ACTIONS} from '../../slack/ids.ts'
import type {Act, Check} from '../../slack/gate/act.ts'
import type {ActTools} from '../../slack/gate/tools.ts'

interface HomeActsOptions extends ActTools<'access' | 'nowMs' | 'zoneOf'> {
  choices: ChoiceStore
  digests: Pick<DigestStore, 'of' | 'choose' | 'end'>
  /** Who is told when has changed. */
  onDigests: () => void
  links: LinkStore
  home: Pick<Home, 'open' | 'show'>
}

type Change = Parameters<ChoiceStore['change']>[1]

/** Looking at App Home, turning its pages, and the choices in it, which count at once. */
export function createHomeActs(options: HomeActsOptions): Act[] {
  const {act, checks, access, choices, digests, links, home, nowMs, zoneOf, onDigests} = options
  const anybody: Check<HomeOpened, undefined> = {name: 'member', look: async () => undefined}

  const choosing = (name: string, toChange: (value: string) => Change | undefined): Act =>
    act('press', name, checks.atHome, async ({team, user, value}: Press) => {
      const change = toChange(value)
      if (change !== undefined) await choices.change({team, user}, change)
      await home.show(user)
      return undefined
    })

  const wakeEarly = async (person: Target): Promise<void> => {
    if (!(await access.isFullMember(person.target))) return
    const standing = await digests.of(person)
    if (standing !== undefined) return
    const zone = await zoneOf(person.target)
    const schedule = {every: 'workday', minute: MORNING, zone} as const
    const from = {untilMs: nowMs(), dayMicros: 0}
    const passed = dueDate(schedule, () => false, from.untilMs)
    await digests.choose(person, schedule, {sinceMs: undefined, from, passed})
  }

  return [
    act('home opened', '', anybody, async ({user}) => {
      await home.open(user)
      return undefined
    }),
    act('press', ACTIONS.homeMore, checks.atHome, async ({user, value}) => {
      const [section = '', from = ''] = value.split('.')
      const {data} = pageSchema.safeParse({section, from: Number(from)})
      await home.show(user, data)
      return undefined
    }),
    // What is no work of theirs stands in nobody's App Home but its own.
    act('press', ACTIONS.homeDismiss, checks.atHome, async ({team, user, value}) => {
      const {linkId, mark} = readDismissed(value) ?? {}
      const link = linkId === undefined ? undefined : await links.byId(linkId)
      const isTheirs = link?.place.team === team && link.startedBy === user
      if (isTheirs) await links.change(link.id, {dismissed: mark})
      await home.show(user)
      return undefined
    }),
    choosing(ACTIONS.homeNoise, (value) => {
      const {data: noise} = z.enum(NOISES).safeParse(value)
      return noise && {noise}
    }),
    choosing(ACTIONS.homeDm, (value) => {
      const {data: dm} = z.enum(['yes', 'no']).safeParse(value)
      return dm && {dm}
    }),
    act('press', ACTIONS.homeMorning, checks.atHome, async ({team, user, value}) => {
      const person = {team, target: user}
      if (value === 'yes') await wakeEarly(person)
      if (value === 'no') await digests.end(person)
      onDigests()
      await home.show(user)
      return undefined
    }),
    choosing(ACTIONS.homeModel, (value) => {
      const model = value.replaceAll(/\s+/g, ' ').trim()
      return {model: model === '' || namesNone(model) ? undefined : model}
    }),
    // Whatever is no effort is the model's own, and whatever is no size the project's.
    choosing(ACTIONS.homeEffort, (value) => ({effort: z.enum(EFFORTS).safeParse(value).data})),
    choosing(ACTIONS.homeModes, (value) => {
      const modes = MODES.filter((mode) => value.split(',').includes(mode))
      return {modes: modes.length === 0 ? undefined : modes}
    }),
    choosing(ACTIONS.homeSize, (value) => ({size: z.enum(MACHINE_SIZES).safeParse(value).data})),
  ]
}

const pageSchema = z.object({section: z.enum(GROUPS), from: z.int().min(0)})
