import type {KnownBlock, ModalView, PlainTextOption} from '@slack/types'
import {MACHINE_SIZES, type Project} from '../../../platform/model.ts'
import {BUDGET_NAMES} from '../../../agents/channel-settings.ts'
import type {Allowed, BudgetSettings, Settings} from '../../../store/tables/channels/bindings.ts'
import {NOISES} from '../../../store/tables/choices.ts'
import {KEY_FORMS} from '../../../slack/ids.ts'
import {inBold} from '../../../slack/markup/lines.ts'
import {texts} from '../../../slack/texts.ts'
import {section} from '../../../slack/draw/blocks.ts'
import {field, fitMenu, input, menu, modal, option} from '../../../slack/draw/form.ts'
import {modelInputs} from '../../../slack/draw/model-inputs.ts'
import {connectTexts} from '../texts.ts'

interface SettingsForm {
  /** For `private_metadata`. */
  metadata: object
  scope: 'channel' | 'workspace'
  /** In a room: the channel that is meant, as a mention. */
  origin: string | undefined
  /** People of another company have come to read the channel, and no admin has allowed it. */
  isBarred: boolean
  /** The key's name. */
  key: string
  projects: readonly Project[]
  /** What holds now, or was entered before. */
  values: Settings
  /** `undefined`: Slack does not tell them. */
  groups: readonly {id: string; handle: string}[] | undefined
  /** What is wrong with what was entered. */
  trouble?: string
}

const words = connectTexts.settings
const MAX_LABEL = 80
const MAX_PROJECT = 200
const MAX_INSTRUCTIONS = 3000
const MAX_DOLLARS = 12
const need = 'optional'
/** The choice of the project's own size. */
const STANDARD = 'standard'

/** What is done with a key. Ids of blocks and actions are the same words. */
export function drawSettingsForm(form: SettingsForm): ModalView {
  const {metadata, scope, origin, key, values, trouble} = form
  const title = scope === 'channel' ? words.forHere(origin) : words.forAll
  const heads = {
    title: texts.unconnected.title,
    submit: connectTexts.save,
    close: texts.unconnected.cancel,
  }
  return modal(KEY_FORMS.settings, metadata, heads, [
    ...(trouble === undefined ? [] : [section(trouble)]),
    ...(form.isBarred ? [section(words.barred)] : []),
    section(`*${title}* · ${words.works(inBold(key, MAX_LABEL))}`),
    projectInput(form),
    ...modelInputs(
      {model: values.modelId, effort: values.effort, modes: values.modes},
      {
        model: {label: words.model, hint: words.modelHint},
        effort: {label: words.effort, placeholder: words.ofModel},
        modes: {label: words.modes},
      },
    ),
    choice('size', words.size, sizes(), values.machineSize ?? STANDARD),
    choice('followUps', words.followUps, followUps(), values.followUps ?? 'everyone'),
    choice('noise', words.noise, noises(), values.noise ?? 'normal'),
    choice('planFirst', words.planFirst, planFirst(), values.planFirst === true ? 'yes' : 'no'),
    choice('longReplies', words.longReplies, longReplies(), values.longReplies ?? 'file'),
    choice(
      'fixPullRequests',
      words.fixPullRequests,
      fixing(),
      values.fixPullRequests === true ? 'yes' : 'no',
    ),
    choice('workflows', words.workflows, workflows(), values.workflows === true ? 'yes' : 'no'),
    choice('rooms', words.rooms, rooms(), values.rooms ?? 'asked'),
    ...doorInputs(form),
    field('instructions', words.instructions, {
      need,
      value: values.instructions,
      max: MAX_INSTRUCTIONS,
      multiline: true,
    }),
    limit('perPerson', words.perPerson, values.startsPerPerson),
    limit('perChannel', words.perChannel, values.startsPerChannel),
    ...BUDGET_NAMES.map((name) => budget(name, values[name])),
  ])
}

function projectInput({projects, values}: SettingsForm): KnownBlock {
  const options = projects.map(({id, name}) => option(name, id))
  if (fitMenu(options)) {
    const initial = options.find(({value}) => value === values.projectId)
    return menu('project', words.project, options, {need, hint: words.projectHint, initial})
  }
  const named = projects.find(({id}) => id === values.projectId)?.name ?? values.projectId
  return field('project', words.project, {
    need,
    hint: words.projectTyped,
    value: named,
    max: MAX_PROJECT,
  })
}

function doorInputs({values, groups}: SettingsForm): KnownBlock[] {
  const allowed: Allowed = values.allowed ?? {who: 'everyone'}
  const who = [
    option(words.whoAll, 'everyone'),
    option(words.whoGroup, 'group'),
    option(words.whoList, 'list'),
  ]
  const guests = option(words.guests, 'guests')
  const externals = option(words.externals, 'externals')
  const also = [
    ...(values.guests === true ? [guests] : []),
    ...(values.externals === true ? [externals] : []),
  ]
  return [
    choice('who', words.who, who, allowed.who),
    groupInput(groups, allowed),
    input('people', words.people, {
      need,
      element: {
        type: 'multi_users_select',
        ...(allowed.who === 'list' && allowed.users.length > 0 && {initial_users: allowed.users}),
      },
    }),
    input('also', words.also, {
      need,
      element: {
        type: 'checkboxes',
        options: [guests, externals],
        ...(also.length > 0 && {initial_options: also}),
      },
    }),
  ]
}

function groupInput(groups: SettingsForm['groups'], allowed: Allowed): KnownBlock {
  const chosen = allowed.who === 'group' ? allowed.group : undefined
  const options = (groups ?? []).map(({id, handle}) => option(`@${handle}`, id))
  if (!fitMenu(options)) {
    return field('group', words.group, {
      need,
      hint: words.groupTyped,
      value: chosen,
      max: MAX_LABEL,
    })
  }
  const initial = options.find(({value}) => value === chosen)
  return menu('group', words.group, options, {need, initial})
}

function sizes(): PlainTextOption[] {
  return [option(words.standard, STANDARD), ...MACHINE_SIZES.map((size) => option(size, size))]
}

function followUps(): PlainTextOption[] {
  return [option(words.everyone, 'everyone'), option(words.mention, 'mention')]
}

function planFirst(): PlainTextOption[] {
  return [option(words.noPlan, 'no'), option(words.withPlan, 'yes')]
}

function longReplies(): PlainTextOption[] {
  return [option(words.asFile, 'file'), option(words.asCanvas, 'canvas')]
}

function fixing(): PlainTextOption[] {
  return [option(words.askToFix, 'no'), option(words.fixByItself, 'yes')]
}

function workflows(): PlainTextOption[] {
  return [option(words.noWorkflows, 'no'), option(words.letWorkflows, 'yes')]
}

function rooms(): PlainTextOption[] {
  const {asked, long, always} = words.roomsOpen
  return [option(asked, 'asked'), option(long, 'long'), option(always, 'always')]
}

function noises(): PlainTextOption[] {
  return NOISES.map((noise) => option(texts.talk.noises[noise], noise))
}

function choice(id: string, label: string, options: PlainTextOption[], chosen: string): KnownBlock {
  const initial = options.find(({value}) => value === chosen) ?? options[0]
  return menu(id, label, options, {initial})
}

function limit(id: string, label: string, value: number | undefined): KnownBlock {
  const shown = value === undefined ? undefined : String(value)
  return field(id, label, {need, hint: words.limitHint, value: shown, max: 5})
}

/** In dollars; nothing is an amount, too. */
function budget(name: keyof BudgetSettings, dollars: number | null | undefined): KnownBlock {
  const value = typeof dollars === 'number' ? String(dollars) : undefined
  const {[name]: label} = words.budgets
  return field(name, label, {need, hint: words.budgetHint, value, max: MAX_DOLLARS})
}
