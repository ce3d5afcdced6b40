import type {StoredMessage} from '../../local/slack/messages/messages.ts'
import {kindOf} from './verdict.ts'

/** A conversation when nothing is left to happen. */
interface Standing {
  /** Stands in all that is said in it. */
  name: string
  /** Of its work on the platform; `undefined`: there is none. */
  status: string | undefined
  /** Our messages in its place. */
  ours: readonly StoredMessage[]
}

/** One line for each message that asks people for something in work that is put away, or tells of a state that it has not. */
export function wrongIn({name, status, ours}: Standing): string[] {
  if (status === undefined) return []
  const card = ours.find((message) => kindOf(message) === 'card')
  const saysArchived = JSON.stringify(card ?? {}).includes('📦 Archived')
  if (status !== 'archived') {
    return saysArchived ? [`${name} is ${status}, and its card says that it is archived`] : []
  }
  const asking = ours.filter((message) => isCall(message) && hasButtons(message))
  return [
    ...(saysArchived ? [] : [`${name} is archived, and its card does not say so`]),
    ...asking.map(({text}) => `${name} is archived, and a call stands: ${text.slice(0, 120)}`),
  ]
}

/** One line for each conversation whose words stand in the place of another. */
export function strayWords(all: readonly Standing[]): string[] {
  const drawn = all.map(({name, ours}) => ({name, shown: JSON.stringify(ours)}))
  return all.flatMap(({name}) => {
    // No name is the beginning of another one's word.
    const own = new RegExp(`\\b${name}(?!\\w)`)
    return drawn
      .filter((other) => other.name !== name && own.test(other.shown))
      .map((other) => `words of ${name} stand in the place of ${other.name}`)
  })
}

function isCall(message: StoredMessage): boolean {
  return ['call', 'question'].includes(kindOf(message))
}

function hasButtons({blocks = []}: StoredMessage): boolean {
  return blocks.some(({type}) => type === 'actions')
}
