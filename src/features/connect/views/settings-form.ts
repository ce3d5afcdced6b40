import type {KnownBlock, ModalView, PlainTextOption} from '@slack/types'
import {MACHINE_SIZES, type Project} from '../../../platform/model.ts'
import type {Allowed, Settings} from '../../../store/bindings.ts'
import {NOISES} from '../../../store/choices.ts'
import {KEY_FORMS} from '../../../slack/ids.ts'
import {inBold} from '../../../slack/markup/lines.ts'
import {texts} from '../../../slack/texts.ts'
import {plain, section} from '../../../slack/draw/blocks.ts'
import {menu, option} from '../../../slack/draw/connect-form.ts'

interface SettingsForm {
  /** For `private_metadata`. */
  metadata: object
  scope: 'channel' | 'workspace'
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

const {connect, home} = texts
const words = connect.settings
/** Slack takes so many entries in a menu, and so long a value of one. */
const MAX_OPTIONS = 100
const MAX_VALUE = 150
const MAX_LABEL = 80
const MAX_MODEL = 100
const MAX_PROJECT = 200
const MAX_INSTRUCTIONS = 3000
/** The choice of the project's own size. */
const STANDARD = 'standard'

/** What is done with a key. Ids of blocks and actions are the same words. */
export function drawSettingsForm(form: SettingsForm): ModalView {
  const {metadata, scope, key, values, trouble} = form
  const title = scope === 'channel' ? words.forHere : words.forAll
  return {
    type: 'modal',
    callback_id: KEY_FORMS.settings,
    private_metadata: JSON.stringify(metadata),
    title: plain(connect.title),
    submit: plain(connect.save),
    close: plain(connect.cancel),
    blocks: [
      ...(trouble === undefined ? [] : [section(trouble)]),
      section(`*${title}* · ${words.works(inBold(key, MAX_LABEL))}`),
      projectInput(form),
      field('model', words.model, {
        ...{hint: words.modelHint, value: values.modelId, max: MAX_MODEL},
      }),
      choice('size', words.size, sizes(), values.machineSize ?? STANDARD),
      choice('followUps', words.followUps, followUps(), values.followUps ?? 'everyone'),
      choice('noise', words.noise, noises(), values.noise ?? 'normal'),
      ...doorInputs(form),
      field('instructions', words.instructions, {
        ...{value: values.instructions, max: MAX_INSTRUCTIONS, multiline: true as const},
      }),
      limit('perPerson', words.perPerson, values.startsPerPerson),
      limit('perChannel', words.perChannel, values.startsPerChannel),
    ],
  }
}

function projectInput({projects, values}: SettingsForm): KnownBlock {
  const options = projects.map(({id, name}) => option(name, id))
  const fits = options.every(({value = ''}) => value !== '' && value.length <= MAX_VALUE)
  if (options.length > 0 && options.length <= MAX_OPTIONS && fits) {
    const initial = options.find(({value}) => value === values.projectId)
    const chosen = menu('project', words.project, options, initial, 'optional')
    return {...chosen, hint: plain(words.projectHint)} as KnownBlock
  }
  const named = projects.find(({id}) => id === values.projectId)?.name ?? values.projectId
  return field('project', words.project, {hint: words.projectTyped, value: named, max: MAX_PROJECT})
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
    {
      type: 'input',
      block_id: 'people',
      optional: true,
      label: plain(words.people),
      element: {
        type: 'multi_users_select',
        action_id: 'people',
        ...(allowed.who === 'list' && allowed.users.length > 0 && {initial_users: allowed.users}),
      },
    },
    {
      type: 'input',
      block_id: 'also',
      optional: true,
      label: plain(words.also),
      element: {
        type: 'checkboxes',
        action_id: 'also',
        options: [guests, externals],
        ...(also.length > 0 && {initial_options: also}),
      },
    },
  ]
}

function groupInput(groups: SettingsForm['groups'], allowed: Allowed): KnownBlock {
  const chosen = allowed.who === 'group' ? allowed.group : undefined
  const options = (groups ?? []).map(({id, handle}) => option(`@${handle}`, id))
  if (options.length === 0 || options.length > MAX_OPTIONS) {
    return field('group', words.group, {hint: words.groupTyped, value: chosen, max: MAX_LABEL})
  }
  const initial = options.find(({value}) => value === chosen)
  return menu('group', words.group, options, initial, 'optional')
}

function sizes(): PlainTextOption[] {
  return [option(words.standard, STANDARD), ...MACHINE_SIZES.map((size) => option(size, size))]
}

function followUps(): PlainTextOption[] {
  return [option(words.everyone, 'everyone'), option(words.mention, 'mention')]
}

function noises(): PlainTextOption[] {
  return NOISES.map((noise) => option(home.noises[noise], noise))
}

function choice(id: string, label: string, options: PlainTextOption[], chosen: string): KnownBlock {
  const initial = options.find(({value}) => value === chosen) ?? options[0]
  return menu(id, label, options, initial)
}

function limit(id: string, label: string, value: number | undefined): KnownBlock {
  const shown = value === undefined ? undefined : String(value)
  return field(id, label, {hint: words.limitHint, value: shown, max: 5})
}

function field(
  id: string,
  label: string,
  {
    hint,
    value,
    max,
    multiline,
  }: {hint?: string; value: string | undefined; max: number; multiline?: true},
): KnownBlock {
  return {
    type: 'input',
    block_id: id,
    optional: true,
    label: plain(label),
    ...(hint !== undefined && {hint: plain(hint)}),
    element: {
      type: 'plain_text_input',
      action_id: id,
      max_length: max,
      ...(multiline === true && {multiline}),
      ...(value !== undefined && value !== '' && {initial_value: value.slice(0, max)}),
    },
  }
}
