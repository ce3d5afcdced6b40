import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {type Instruction, readInstruction} from '../../../src/slack/incoming/instructions.ts'

const read = (text: string, isDirect = false) =>
  readInstruction(text, {botUserId: 'UBOT', isDirect})
const say = (text: string, more: Partial<Instruction> = {}) => ({
  ...{want: 'say', text, delivery: 'queue', isMention: false},
  ...more,
})

describe('what somebody writes to running work', () => {
  test.each<[string, unknown]>([
    ['use the staging database', say('use the staging database')],
    ['<@UBOT> and a test', say('and a test', {isMention: true})],
    ['<@UBOT|Bosun> and a test', say('and a test', {isMention: true})],
    ['!now use the staging database', say('use the staging database', {delivery: 'interrupt'})],
    ['  !NOW\nuse it ', say('use it', {delivery: 'interrupt'})],
    ['<@UBOT> !steer a bit', say('a bit', {delivery: 'steer', isMention: true})],
    ['!now', {want: 'nothing', word: '!now'}],
    ['!steer  ', {want: 'nothing', word: '!steer'}],
    ['!aside what do you think, <@U2>?', {want: 'aside'}],
    ['!Aside', {want: 'aside'}],
    ['stop', {want: 'stop'}],
    [' STOP\n', {want: 'stop'}],
    ['<@UBOT> stop', {want: 'stop'}],
    ['Stop.', {want: 'stop'}],
    ['stop!!', {want: 'stop'}],
    ['…stop…', {want: 'stop'}],
    ['*stop*', {want: 'stop'}],
    ['<@UBOT> _*Stop!*_ ', {want: 'stop'}],
    ['`stop` .', {want: 'stop'}],
    ['~stop~', {want: 'stop'}],
    ['*<@UBOT> stop*', {want: 'stop'}],
    ['\u200Estop\u200B', {want: 'stop'}],
    [
      '<@UBOT>\u2060 !now\u00A0use it\u200F',
      say('use it', {delivery: 'interrupt', isMention: true}),
    ],
    ['\u200B', say('')],
    ['❤\uFE0F 👩\u200D🚀', say('❤\uFE0F 👩\u200D🚀')],
    ['stop it', say('stop it')],
    ['*stop* it', say('*stop* it')],
    ['stop?', say('stop?')],
    ['stop. mute', say('stop. mute')],
    ['st*o*p', say('st*o*p')],
    ['...', say('...')],
    ['mute', {want: 'mute'}],
    ['Mute.', {want: 'mute'}],
    ['*unmute*!', {want: 'unmute'}],
    ['Unmute ', {want: 'unmute'}],
    ['unmute the speaker', say('unmute the speaker')],
    ['!nowhere', say('!nowhere')],
    ['!asides', say('!asides')],
    ['!important', say('!important')],
    ['<@U2> what do you think?', {want: 'people'}],
    ['<@W2|kim> !now do it', {want: 'people'}],
    [
      '!now keep off the branch of <@U2>',
      say('keep off the branch of <@U2>', {delivery: 'interrupt'}),
    ],
    ['!steer ask <@U2>', say('ask <@U2>', {delivery: 'steer'})],
    ['!model best ask <@U2>', {want: 'model', text: 'best ask <@U2>', isMention: false}],
    ['!review acme/web#12 of <@U2>', {want: 'review', text: 'acme/web#12 of <@U2>'}],
    ['!important <@U2>', {want: 'people'}],
    ['<@UBOT> ask <@U2>', say('ask <@U2>', {isMention: true})],
    [
      'look at <#C2|web> and <https://a.example|this>',
      say('look at <#C2|web> and <https://a.example|this>'),
    ],
    ['', say('')],
  ])('%j', (text, words) => {
    expect(read(text)).toEqual(words)
  })

  test('is for the agent in a direct message, whoever is mentioned', () => {
    expect(read('ask <@U2>', true)).toEqual(say('ask <@U2>'))
  })

  test('keeps every word of it, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({unit: 'binary'}), (text) => {
        const words = read(text)
        if (words.want === 'say')
          expect(text.endsWith(words.text) || text.includes(words.text)).toBe(true)
      }),
    )
  })
})
