import {expect, test} from 'vitest'
import {emojiIn, isEmoji} from '../../../src/slack/draw/emoji.ts'
import {createWriteAs, faceMark, toPersona} from '../../../src/slack/draw/persona.ts'
import {SlackError} from '../../../src/once/slack-error.ts'

const emoji = (value: string) => ({name: 'Ada', avatar: {kind: 'emoji', value}})

test('a face becomes a name and a picture that Slack takes', () => {
  expect(toPersona(emoji('🦊'))).toEqual({username: 'Ada', icon_emoji: ':fox_face:'})
  expect(toPersona(emoji(':party-parrot:')).icon_emoji).toBe(':party-parrot:')
  const unlisted = {username: '🩻 Ada', icon_emoji: ':bust_in_silhouette:'}
  expect(toPersona(emoji('🩻'))).toEqual(unlisted)
  const preset = {kind: 'preset', value: 'face-1', background: 'blue'}
  const blue = {username: 'Ada', icon_emoji: ':large_blue_circle:'}
  expect(toPersona({name: 'Ada', avatar: preset})).toEqual(blue)
  expect(faceMark({name: 'Ada', avatar: preset})).toBe('🔵')
  const odd = {name: 'Ada', avatar: {...preset, background: 'Constructor'}}
  expect(toPersona(odd).icon_emoji).toBe(':bust_in_silhouette:')
  const image = 'https://faces.example/a.png'
  const picture = {name: 'Ada', avatar: {...preset, image}}
  expect(toPersona(picture)).toEqual({username: 'Ada', icon_url: image})
  const unsafe = {name: 'Ada', avatar: {...preset, image: 'javascript:alert(1)'}}
  expect(toPersona(unsafe)).toEqual(blue)
  expect(toPersona({name: 'A\n\u202Eda'}).username).toBe('A da')
})

test('a text is an emoji, as it looks or by its name, or none', () => {
  expect(emojiIn(':owl:')).toEqual({emoji: '🦉', name: 'owl'})
  expect(emojiIn('🛰')).toEqual({emoji: '🛰️', name: 'satellite'})
  expect(['🦊', ':fox_face:', '🧑‍🚀', '👍🏽'].map(isEmoji)).toEqual([true, true, true, true])
  expect(['face-1', '', '🦊🦊', ':)', '7'].map(isEmoji)).toEqual([
    false,
    false,
    false,
    false,
    false,
  ])
})

test('what Slack does not let us sign goes out unsigned, and is tried again later', async () => {
  let nowMs = 0
  const writeAs = createWriteAs({nowMs: () => nowMs})
  const signed: boolean[] = []
  const write = async (persona: object) => {
    const isSigned = Object.keys(persona).length > 0
    signed.push(isSigned)
    if (isSigned) throw new SlackError('mistake', 'missing_scope')
    return Promise.resolve('1.0')
  }
  expect(await writeAs(emoji('🦊'), write)).toBe('1.0')
  expect(await writeAs(emoji('🦊'), write)).toBe('1.0')
  expect(signed).toEqual([true, false, false])
  nowMs += 3_600_000
  await writeAs(emoji('🦊'), write)
  expect(signed.slice(3)).toEqual([true, false])
  const lost = async () => Promise.reject(new SlackError('retry', 'no_answer'))
  await expect(writeAs(emoji('🦊'), lost)).rejects.toMatchObject({kind: 'retry'})
})
