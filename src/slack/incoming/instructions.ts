import {trimmed} from '../../markdown/visible.ts'

/** What somebody who writes in the Slack thread of running work wants. */
export type Instruction =
  /** For the agent; `text` still holds Slack's markup. */
  | {want: 'say'; text: string; delivery: 'queue' | 'steer' | 'interrupt'; isMention: boolean}
  | {want: 'stop' | 'mute' | 'unmute'}
  /** Not for the agent: `!aside`. */
  | {want: 'aside'}
  /** Of a pull request, which `text` may name. */
  | {want: 'review'; text: string}
  /** `!model`: what stands behind it names a model, and may hold words for the agent. */
  | {want: 'model'; text: string; isMention: boolean}
  /** It mentions somebody else, and not us, and no word of ours comes first. */
  | {want: 'people'}
  /** A word that needs a text, without one. */
  | {want: 'nothing'; word: string}

const ASIDE = '!aside'
const DELIVERIES = {'!now': 'interrupt', '!steer': 'steer'} as const
const MENTION = /<@[UW][^<>]*>/g
const ALONE = ['stop', 'mute', 'unmute'] as const
/** A word with nothing around it but what phones put there, and what makes it bold. */
const ONE_WORD = /^[\s.!…*_~`]*([a-z]+)[\s.!…*_~`]*$/i

/** Reads what was written; case and surrounding blanks do not matter. */
export function readInstruction(
  written: string,
  {botUserId, isDirect}: {botUserId: string; isDirect: boolean},
): Instruction {
  const isOurs = (mention: string): boolean =>
    mention === `<@${botUserId}>` || mention.startsWith(`<@${botUserId}|`)
  const mentions = written.match(MENTION) ?? []
  const isMention = mentions.some(isOurs)
  const text = trimmed(written.replaceAll(MENTION, (it) => (isOurs(it) ? ' ' : it)))
  const only = ONE_WORD.exec(text)?.[1]?.toLowerCase()
  const alone = ALONE.find((word) => word === only)
  if (alone !== undefined) return {want: alone}
  const [, first = '', rest = ''] = /^(!\p{L}+)(?!\S)\s*([^]*)$/u.exec(text) ?? []
  const word = first.toLowerCase()
  if (word === ASIDE) return {want: 'aside'}
  // A word of its own is for the agent, whoever is spoken of behind it.
  if (word === '!review') return {want: 'review', text: rest.trim()}
  if (word === '!model') return {want: 'model', text: rest.trim(), isMention}
  if (word !== '!now' && word !== '!steer') {
    const isForPeople = mentions.length > 0 && !isMention && !isDirect
    return isForPeople ? {want: 'people'} : {want: 'say', text, delivery: 'queue', isMention}
  }
  if (rest === '') return {want: 'nothing', word}
  return {want: 'say', text: rest, delivery: DELIVERIES[word], isMention}
}
