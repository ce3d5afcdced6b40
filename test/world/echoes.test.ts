import {expect, test} from 'vitest'
import {findCanaries} from '../support/canaries.ts'
import {type World} from '../support/world.ts'
import {startInside} from './open-world.ts'

const OPTIONS = {pace: 0.1, settings: {LOG_LEVEL: 'trace'}}
const WORDS = 'zanzibar-marmalade-tuesday'

/** All ways to write a secret that somebody who quotes it may use. */
function writings(key: string): string[] {
  const codes = Array.from(key).map((letter) => letter.charCodeAt(0))
  return [
    key,
    key.replaceAll('_', String.raw`\_`),
    Array.from(key).join('\u200b'),
    `${key.slice(0, -12)}**${key.slice(-12)}`,
    codes.map((code) => `%${code.toString(16)}`).join(''),
    codes.map((code) => `\\u${code.toString(16).padStart(4, '0')}`).join(''),
    codes.map((code) => `&#${code};`).join(''),
    Buffer.from(`Bearer ${key}`).toString('base64'),
    key.slice(0, -4),
  ]
}

/** The key as a search for it would find it: escapes undone, and nothing but letters and digits. */
function bare(text: string): string {
  return text
    .replaceAll(/%([0-9a-f]{2})/gi, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)))
    .replaceAll(/(?:\\u|&#x?)([0-9a-f]{2,4});?/gi, (all, code: string) =>
      String.fromCharCode(parseInt(code, all.startsWith('&#') ? 10 : 16)),
    )
    .replaceAll(/[^A-Za-z0-9]/g, '')
}

function expectNoKey(key: string, text: string): void {
  const tail = bare(key).slice(-20, -4)
  expect(bare(text)).not.toContain(tail)
  expect(findCanaries({key}, [{where: 'it', bytes: text}])).toEqual([])
}

function heardBySlack({slack}: World): string {
  const calls = slack.ledger.calls.map(({method, args}) => ({method, args}))
  return JSON.stringify([calls, slack.whispers()])
}

test.each([400, 403, 422, 500])(
  'an answer of %i that quotes the request reaches neither the log nor, with the key, Slack',
  async (status) => {
    await using world = await startInside({...OPTIONS})
    const {platform} = world
    const {human: key} = platform.keys
    const {faults} = platform.control
    const echoes = writings(key).map((one) => `${WORDS} ${one}`)
    const [plain = ''] = echoes
    const body = {
      _tag: status === 422 ? 'svc/ReviewRefused' : 'svc/InvalidRequest',
      message: `no ${echoes.join(' ')}`,
      reason: plain,
      error: {message: plain, details: {headers: {authorization: `Bearer ${key}`}, body: plain}},
      traceId: 'trace-0123456789',
    }
    const answer = {kind: 'answer', status, body, applied: false} as const

    faults.add({match: {method: 'POST', path: '/threads'}, fault: answer, times: 1})
    const refused = await world.say(`@Bosun ${WORDS}`)
    await world.until('it is told', () => {
      const [card] = world.ours(refused)
      return card !== undefined && !/Starting/.test(card.text)
    })

    const place = await world.say('@Bosun a quick check')
    await world.settled(place)
    faults.add({match: {method: 'POST', path: '/messages?$'}, fault: answer, times: null})
    await world.reply(place, `and ${WORDS}`)
    await world.until('it is refused', () => faults.list().at(-1)?.hits !== 0)
    faults.clear()
    faults.add({match: {path: '/stream'}, fault: answer, times: 1})
    await world.say('@Bosun another quick check')
    await world.until('streams are refused', () => faults.list()[0]?.hits === 1)
    faults.clear()
    for (const [path, text] of [
      ['/projects', 'projects'],
      ['/automations', 'automations'],
      ['/reviews', 'review https://github.com/org/repo/pull/1'],
    ] as const) {
      faults.add({match: {path}, fault: answer, times: 4})
      const command = text.startsWith('review') ? '/review' : '/bosun'
      const said = text.replace('review ', '')
      await world.slack.people.command({as: 'U0JANE', channel: 'C0WEB', command, text: said})
      await world.until(`${path} is refused`, () => faults.list()[0]?.hits !== 0)
      faults.clear()
    }
    const last = await world.say('@Bosun a last quick check')
    await world.settled(last)

    const output = world.bot.output()
    expect(output).not.toContain(WORDS)
    expect(output).toContain(`"status":${status}`)
    expect(output).toContain('"trace":"trace-0123456789"')
    expectNoKey(key, output)
    expectNoKey(key, heardBySlack(world))
  },
)

test('an agent that knows the key tells nobody, however it writes it', async () => {
  await using world = await startInside({...OPTIONS})
  const {human: key} = world.platform.keys
  const echoes = writings(key)
  world.platform.control.planScript({
    when: {text: 'tell me'},
    steps: [
      {kind: 'tool', name: 'Bash', text: `curl -H "Authorization: Bearer ${key}"`, delayMs: 300},
      {kind: 'say', fragments: [`It is ${key}`, ' and so on.'], delayMs: 10},
      // In pieces, as models write.
      {kind: 'say', fragments: `So: ${key} it is`.match(/.{1,5}/g) ?? [], delayMs: 60},
      {kind: 'say', fragments: [echoes.join('\n\n'), '\n\nEnd.'], delayMs: 10},
      {kind: 'say', fragments: [`${'word '.repeat(715)}${key} behind the fold`], delayMs: 10},
      {kind: 'say', fragments: [`${'many lines\n'.repeat(2000)}${key} `, 'the end'], delayMs: 1},
    ],
  })
  const place = await world.say('@Bosun tell me')
  await world.until('it rests', () => /Done/.test(world.ours(place)[0]?.text ?? ''))
  await world.until('all of it stands', () => heardBySlack(world).includes('behind the fold'))
  const files = world.ours(place).flatMap(({fileIds}) => fileIds ?? [])
  expect(files).toHaveLength(1)
  expectNoKey(key, files.map((id) => world.slack.fileText(id)).join('\n'))
  expectNoKey(key, heardBySlack(world))
  expectNoKey(key, world.bot.output())
})
