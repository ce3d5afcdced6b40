import {oneLine} from '../../slack/markup/lines.ts'
import {ownOf} from '../../security/foreign-json.ts'

/** Places that every task has, whatever its pattern finds. */
export const PLACES = ['text', 'link', 'app'] as const

const PLACE = /\{([A-Za-z_]\w{0,39})\}/g
/** Of what stands in one place. */
const MAX_VALUE = 200

/** The places in a text, each once. */
export function placesIn(template: string): string[] {
  return [...new Set([...template.matchAll(PLACE)].map(([, name = '']) => name))]
}

/**
 * Puts what an app wrote into the places of a text. It is one short line in quotation marks, which it cannot end: whoever reads the
 * task sees what an admin wrote and what the app did.
 */
export function fillTask(
  template: string,
  values: Readonly<Record<string, string>>,
  link: string,
): string {
  return template.replaceAll(PLACE, (place, name: string) => {
    if (name === 'link') return link
    const value = ownOf(values, name)
    return value === undefined
      ? place
      : `“${oneLine(value, MAX_VALUE)
          .replaceAll(/[“”„‟"]/g, "'")
          .trim()}”`
  })
}

/** The same for what two messages have in common. */
export function fillKey(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(PLACE, (place, name: string) => ownOf(values, name) ?? place)
}
