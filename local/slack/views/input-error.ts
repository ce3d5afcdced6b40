type Fields = Record<string, unknown>

/** What Slack itself finds wrong with what was typed, in a sentence. */
export function inputError(element: Fields, value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  switch (element['type']) {
    case 'plain_text_input':
      return lengthError(element, value)
    case 'number_input':
      return numberError(element, value)
    case 'email_text_input':
      return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value)
        ? undefined
        : 'Please enter a valid email address.'
    case 'url_text_input':
      return isWebAddress(value) ? undefined : 'Please enter a valid URL.'
    default:
      return undefined
  }
}

function lengthError(element: Fields, value: string): string | undefined {
  const min = Number(element['min_length'] ?? 0)
  const max = Number(element['max_length'] ?? 3000)
  if (value.length < min) return `Must be at least ${min} characters.`
  return value.length > max ? `Must be no more than ${max} characters.` : undefined
}

/** https://docs.slack.dev/reference/block-kit/block-elements/number-input-element */
function numberError(element: Fields, value: string): string | undefined {
  const isDecimal = element['is_decimal_allowed'] === true
  const pattern = isDecimal ? /^-?\d+(\.\d+)?$/ : /^-?\d+$/
  if (!pattern.test(value)) {
    return isDecimal ? 'Please enter a number.' : 'Please enter a whole number.'
  }
  const [min, max] = [limitIn(element['min_value']), limitIn(element['max_value'])]
  if (min !== undefined && Number(value) < Number(min)) return `Must be ${min} or more.`
  return max !== undefined && Number(value) > Number(max) ? `Must be ${max} or less.` : undefined
}

/** Slack takes them as text. */
function limitIn(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

function isWebAddress(value: string): boolean {
  return URL.canParse(value) && /^https?:\/\/[^/]+\.[^/]+/i.test(value)
}
