import type {KnownBlock, ModalView} from '@slack/types'
import {MACHINE_SIZES, type OrganizationUser, type Project} from '../../../platform/model.ts'
import {button, section} from '../../../slack/draw/blocks.ts'
import {field, fitMenu, input, menu, modal, option} from '../../../slack/draw/form.ts'
import {modelInputs, wishIn} from '../../../slack/draw/model-inputs.ts'
import {ACTIONS, HOOK_FORMS} from '../../../slack/ids.ts'
import {listed} from '../../../slack/incoming/entered.ts'
import {oneLine} from '../../../slack/markup/lines.ts'
import type {AutomationEntry} from '../automation-entry.ts'
import {automationTexts} from '../automation-texts.ts'

const words = automationTexts.form
const MAX_NAME = 80
const MAX_PROMPT = 3000
const MAX_LINES = 1000
const MAX_SHORT = 200
/** What Slack takes in a hint. */
const MAX_HINT = 2000
const need = 'optional'
const usual = {placeholder: words.usual}

/** All that the form can ask, beyond what is usual; `undefined`: it could not be read. */
export interface MoreInputs {
  members: readonly OrganizationUser[] | undefined
  repos: Project['repos'] | undefined
}

interface AutomationForm {
  channel: string
  values: AutomationEntry
  /** Without it the form is short, and can grow. */
  more?: MoreInputs | undefined
  /** What is wrong: below the input that it is about, or above all. */
  trouble?: {text: string; block: string | undefined} | undefined
}

/** What stands there at first. */
export function freshEntry(zone: string): AutomationEntry {
  return new Map([
    ['zone', zone],
    ['keep', 'keep'],
  ])
}

/** What is asked of a new automation. Ids of blocks and actions are the same words. */
export function drawAutomationForm({channel, values, more, trouble}: AutomationForm): ModalView {
  const {title, create: submit, cancel: close} = words
  const blocks = [
    ...usualInputs(values),
    ...(more === undefined ? [moreButton()] : moreInputs(values, more)),
  ]
  const metadata = {channel, ...(more !== undefined && {isLong: true})}
  return modal(
    HOOK_FORMS.automation,
    metadata,
    {title, submit, close},
    withTrouble(blocks, trouble),
  )
}

function withTrouble(blocks: KnownBlock[], trouble: AutomationForm['trouble']): KnownBlock[] {
  if (trouble === undefined) return blocks
  const line = section(automationTexts.trouble.at(trouble.text))
  const at = blocks.findIndex(({block_id: id}) => id !== undefined && id === trouble.block)
  return [...blocks.slice(0, at + 1), line, ...blocks.slice(at + 1)]
}

function usualInputs(values: AutomationEntry): KnownBlock[] {
  const called = [option(words.incoming, 'called')]
  return [
    field('name', words.name, {value: values.get('name'), max: MAX_NAME}),
    field('prompt', words.prompt, {
      hint: words.promptHint,
      value: values.get('prompt'),
      max: MAX_PROMPT,
      multiline: true,
    }),
    field('cron', words.cron, {
      need,
      hint: words.cronHint,
      value: values.get('cron'),
      max: MAX_LINES,
      multiline: true,
    }),
    field('zone', words.zone, {
      need,
      hint: words.zoneHint,
      value: values.get('zone'),
      max: MAX_SHORT,
    }),
    boxes('called', words.called, called, values),
    boxes('keep', words.keep, [option(words.keepIt, 'keep')], values, words.keepHint),
  ]
}

function moreButton(): KnownBlock {
  return {type: 'actions', elements: [button(ACTIONS.automationFields, words.more, 'more')]}
}

function moreInputs(values: AutomationEntry, {members, repos = []}: MoreInputs): KnownBlock[] {
  const sizes = MACHINE_SIZES.map((size) => option(size, size))
  const threads = [option(words.threadNew, 'new')]
  const known = repos.map(({repoFullName}) => repoFullName).join(', ')
  const also = [option(words.pin, 'pin'), option(words.disabled, 'disabled')]
  const chosen = (name: string, options: typeof sizes) =>
    options.find(({value}) => value === values.get(name))
  const text = (
    name: 'description' | 'repos' | 'folders' | 'tags' | 'perDay',
    hint: string,
    more: {multiline?: true; max?: number} = {},
  ): KnownBlock =>
    field(name, words[name], {need, hint, value: values.get(name), max: MAX_LINES, ...more})
  return [
    text('description', words.descriptionHint),
    text('repos', oneLine(words.reposHint(known), MAX_HINT), {multiline: true}),
    ...modelInputs(wishIn(values), {model: usual, effort: usual}),
    menu('size', words.size, sizes, {
      need,
      placeholder: words.usual,
      initial: chosen('size', sizes),
    }),
    menu('thread', words.thread, threads, {
      need,
      placeholder: words.usual,
      initial: chosen('thread', threads),
    }),
    runAsInput(values, members),
    text('perDay', words.perDayHint, {max: 5}),
    text('folders', words.foldersHint),
    text('tags', words.tagsHint),
    boxes('also', words.also, also, values),
  ]
}

function runAsInput(
  values: AutomationEntry,
  members: readonly OrganizationUser[] = [],
): KnownBlock {
  const value = values.get('runAs')
  const options = members.map((member) => option(memberName(member), member.id))
  if (!fitMenu(options)) {
    return field('runAs', words.runAs, {need, hint: words.runAsTyped, value, max: MAX_SHORT})
  }
  return menu('runAs', words.runAs, options, {
    need,
    hint: words.runAsHint,
    placeholder: words.runAsUsual,
    initial: options.find((one) => one.value === value),
  })
}

function memberName({firstName = '', lastName = '', email = '', id}: OrganizationUser) {
  return `${firstName} ${lastName}`.trim() || email || id
}

function boxes(
  name: string,
  label: string,
  options: ReturnType<typeof option>[],
  values: AutomationEntry,
  hint?: string,
): KnownBlock {
  const chosen = options.filter(({value = ''}) => listed(values, name).includes(value))
  return input(name, label, {
    need,
    hint,
    element: {type: 'checkboxes', options, ...(chosen.length > 0 && {initial_options: chosen})},
  })
}
