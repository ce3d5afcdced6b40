import {isFields} from '../live/block-shape.ts'

const hidden = '[secret]'
/** Names of what nobody should read over a shoulder, also where a person pasted it into a form. */
const secretName = /token|secret|password|authorization|api[_-]?key/i
const secretText = /\b(?:xox[a-z](?:\.xox[a-z])?|xapp|xoxe)-[\w.-]+/g
const secretQuery = /([?&](?:ticket|token|secret|code)=)[^&"\s]+/g

/** The same value without what must not be shown. */
export function withoutSecrets(value: unknown, isSecret = false): unknown {
  if (typeof value === 'string') {
    return isSecret ? hidden : value.replace(secretText, hidden).replace(secretQuery, `$1${hidden}`)
  }
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, isSecret))
  if (!isFields(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      withoutSecrets(field, secretName.test(name) || (isSecret && name !== 'type')),
    ]),
  )
}
