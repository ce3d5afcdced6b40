import {isRecord} from '../edge/arguments.ts'

/** The kinds of things that a work object may be: https://docs.slack.dev/messaging/work-objects-overview */
const types = ['task', 'file', 'item', 'incident', 'content_item'].map(
  (name) => `slack#/entities/${name}`,
)
const maxPrimary = 2
const maxOverflow = 5

/** A work object as it was sent. */
export interface Entity extends Record<string, unknown> {
  external_ref: {id: string; type?: string}
}

/** What is wrong with a work object, each by where it stands: https://docs.slack.dev/messaging/work-objects-implementation */
export function mistakesIn(value: unknown, pointer = ''): string[] {
  if (!isRecord(value)) return [`${pointer || '/'} must be an object`]
  const {entity_type: type, external_ref: ref, entity_payload: payload, url} = value
  const attributes = isRecord(payload) ? payload['attributes'] : undefined
  const title = isRecord(attributes) ? attributes['title'] : undefined
  return [
    ...(types.includes(String(type)) ? [] : [`${pointer}/entity_type is none of Slack's`]),
    ...(isAddress(url) ? [] : [`${pointer}/url must be an address`]),
    ...(isRecord(ref) && isText(ref['id']) ? [] : [`${pointer}/external_ref/id is missing`]),
    ...(isRecord(title) && isText(title['text'])
      ? []
      : [`${pointer}/entity_payload/attributes/title/text is missing`]),
    ...(isRecord(payload)
      ? [...fieldMistakes(payload, pointer), ...actionMistakes(payload['actions'], pointer)]
      : []),
  ]
}

/** Each field has a value, and each of the app's own a name besides. */
function fieldMistakes(
  {fields = {}, custom_fields: own = []}: Record<string, unknown>,
  pointer: string,
): string[] {
  const at = `${pointer}/entity_payload`
  if (!isRecord(fields)) return [`${at}/fields must be an object`]
  if (!Array.isArray(own)) return [`${at}/custom_fields must be a list`]
  const named = Object.entries(fields).flatMap(([name, field]) =>
    isRecord(field) && ('value' in field || 'user' in field || 'entity_ref' in field)
      ? []
      : [`${at}/fields/${name} has no value`],
  )
  const custom = own.flatMap((field: unknown, index) =>
    isRecord(field) && [field['key'], field['label'], field['type']].every(isText)
      ? []
      : [`${at}/custom_fields/${index} needs key, label and type`],
  )
  return [...named, ...custom]
}

function actionMistakes(actions: unknown, pointer: string): string[] {
  if (actions === undefined) return []
  const at = `${pointer}/entity_payload/actions`
  if (!isRecord(actions)) return [`${at} must be an object`]
  const {primary_actions: primary = [], overflow_actions: overflow = []} = actions
  if (!Array.isArray(primary) || !Array.isArray(overflow)) return [`${at} must hold lists`]
  const all = [primary, overflow].flatMap((some): unknown[] => some)
  return [
    ...(primary.length > maxPrimary ? [`${at}/primary_actions has more than ${maxPrimary}`] : []),
    ...(overflow.length > maxOverflow
      ? [`${at}/overflow_actions has more than ${maxOverflow}`]
      : []),
    ...(all.every((one) => isRecord(one) && isText(one['text']) && isText(one['action_id']))
      ? []
      : [`${at} needs text and action_id of each`]),
  ]
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function isAddress(value: unknown): boolean {
  return typeof value === 'string' && URL.canParse(value)
}
