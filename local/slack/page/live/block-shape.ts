/**
 * Block Kit as the page reads it. The blocks come from an app: every field is looked at before it
 * is believed. https://docs.slack.dev/reference/block-kit/blocks
 */
export type Fields = Record<string, unknown>

export interface TextShape {
  type: 'mrkdwn' | 'plain_text'
  text: string
}

export interface ConfirmShape {
  title: string
  text: TextShape
  confirm: string
  deny: string
  isDanger: boolean
}

export interface OptionShape {
  label: string
  value: string
  url: string | undefined
  description: string | undefined
}

export interface OptionGroupShape {
  label: string | undefined
  options: OptionShape[]
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function fieldsIn(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : []
}

export function stringIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function textIn(value: unknown): TextShape | undefined {
  if (!isFields(value) || typeof value.text !== 'string') return undefined
  return {type: value.type === 'mrkdwn' ? 'mrkdwn' : 'plain_text', text: value.text}
}

export function labelIn(value: unknown): string | undefined {
  return textIn(value)?.text
}

export function confirmIn(value: unknown): ConfirmShape | undefined {
  if (!isFields(value)) return undefined
  return {
    title: labelIn(value.title) ?? 'Are you sure?',
    text: textIn(value.text) ?? {type: 'plain_text', text: ''},
    confirm: labelIn(value.confirm) ?? 'Yes',
    deny: labelIn(value.deny) ?? 'Cancel',
    isDanger: value.style === 'danger',
  }
}

/** A menu's options, in groups; a menu without groups is one group without a label. */
export function optionGroupsIn(element: Fields): OptionGroupShape[] {
  const groups = fieldsIn(element.option_groups)
  if (groups.length === 0) return [{label: undefined, options: optionsIn(element.options)}]
  return groups.map((group) => ({label: labelIn(group.label), options: optionsIn(group.options)}))
}

export function optionsIn(value: unknown): OptionShape[] {
  return fieldsIn(value).map((option) => ({
    label: labelIn(option.text) ?? '',
    value: stringIn(option.value) ?? '',
    url: stringIn(option.url),
    description: labelIn(option.description),
  }))
}
