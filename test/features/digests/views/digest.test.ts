import {expect, test} from 'vitest'
import {acceptBlocks} from '../../../../local/slack/blocks/blocks.ts'
import type {DigestRow} from '../../../../src/features/digests/reading.ts'
import {drawChannelDigest, drawOwnDigest} from '../../../../src/features/digests/views/digest.ts'
import type {Link} from '../../../../src/store/tables/work/link.ts'
import {FRESH_LINK} from '../../../support/fresh-link.ts'

const hostile = `<!channel> <@U1> *x* \`y\` & ${'long '.repeat(100)}`
const permalink = 'https://acme.slack.com/archives/C1/p1?a=1&b=2'
const nothing = {waiting: [], failed: [], stopped: [], done: [], running: []}

function rows(count: number, of: Partial<Link>, who?: string): DigestRow[] {
  return Array.from({length: count}, (_, at) => {
    return {link: {...FRESH_LINK, id: `l${at}`, title: hostile, ...of}, permalink, who}
  })
}

test('a digest fits into one message and calls nobody, whatever titles and names say', () => {
  const sections = {
    waiting: rows(300, {status: 'pending_user'}, '<!here> <@U2>'),
    failed: rows(300, {status: 'failed'}),
    stopped: rows(300, {stoppedBy: 'U1'}),
    done: rows(300, {state: 'archived'}),
    running: rows(300, {status: 'active'}),
  }
  const merged = Array.from({length: 14}, (_, at) => `https://github.com/acme/web/pull/${at + 1}`)
  const {text, blocks} = drawChannelDigest({sections, merged, micros: 3_200_000}, 1000)
  acceptBlocks(JSON.parse(JSON.stringify(blocks)))
  expect(JSON.stringify([text, blocks])).not.toMatch(/<@|<!(?!date\^)|<#/)
  expect(text.length).toBeLessThan(40_000)
  expect(text.match(/and 29\d more/g)).toHaveLength(5)
  expect(text).toContain('🟣 *Merged* (14)\n• <https://github.com/acme/web/pull/1|acme/web#1>')
  expect(text).toContain('and 4 more')
  expect(text).toContain('💰 It cost $3.20.')
  expect(text).toContain('📦 archived')
})

test('who has to do what is said by name, and what nobody began waits for somebody', () => {
  const waiting = [
    ...rows(1, {title: 'Answer', status: 'idle', needsYou: true}, 'Jane'),
    ...rows(1, {title: 'Look', status: 'ready_for_review'}),
  ]
  const content = {sections: {...nothing, waiting}, merged: [], micros: undefined}
  const {text} = drawChannelDigest(content, 1000)
  expect(text).toContain('• *Answer* · @Jane has to answer, since <!date^')
  expect(text).toContain('• *Look* · somebody has to review it, since <!date^')
  expect(text).not.toContain('It cost')
})

test('of a list that is too long for Slack whole rows are left out, and counted', () => {
  const link = `https://acme.slack.com/archives/C1/p1?thread_ts=1700000000.123456&cid=${'C'.repeat(80)}`
  const of = {title: 'A title of usual length'.repeat(4), status: 'pending_user'}
  const waiting = rows(12, of, 'Jane').map((row) => ({...row, permalink: link}))
  const content = {sections: {...nothing, waiting}, merged: [], micros: undefined}
  for (const {text, blocks} of [
    drawChannelDigest(content, 1000),
    drawOwnDigest(waiting.map((row) => ({...row, notification: undefined}))),
  ]) {
    const shown = JSON.stringify(blocks)
    expect(shown).not.toContain('…')
    const [, more] = /and (\d+) more/.exec(shown) ?? []
    expect(shown.match(/• \*A title/g)).toHaveLength(12 - Number(more))
    expect(text).toContain(`and ${more} more`)
  }
})

test('all lists together fit into one message, however long their addresses are', () => {
  const address = (at: number) => `https://git.example.com/${'w'.repeat(240)}/pull/${at}`
  const of = (status: string) => rows(12, {status, pullRequest: address(7)}, 'Jane')
  const sections = {
    ...{waiting: of('pending_user'), failed: of('failed'), stopped: of('idle')},
    ...{done: of('idle'), running: of('active')},
  }
  const merged = Array.from({length: 12}, (_, at) => address(at))
  for (const lists of [
    {sections, merged},
    {sections, merged: []},
  ]) {
    const {text, blocks} = drawChannelDigest({...lists, micros: 3_200_000}, 1000)
    acceptBlocks(JSON.parse(JSON.stringify(blocks)))
    const shown = text.match(/^• /gm)?.length ?? 0
    const left = [...text.matchAll(/^and (\d+) more$/gm)].map(([, more]) => Number(more))
    expect(shown + left.reduce((sum, more) => sum + more, 0)).toBe(60 + lists.merged.length)
  }
})

test('where nothing happened a line says so, and what was spent all the same is told', () => {
  const quiet = drawChannelDigest({sections: nothing, merged: [], micros: 0}, 1000)
  expect(quiet.text).toMatch(/^📋 Nothing happened in this channel since /)
  const spent = drawChannelDigest({sections: nothing, merged: [], micros: 10_000}, 1000)
  expect(spent.text).toMatch(/^📋 \*In this channel since .*\n💰 It cost \$0\.01\.$/)
})

test('what waits on somebody fits too, and says where it is', () => {
  const own = rows(200, {status: 'failed'}).map(({link}) => ({
    ...{link, permalink, notification: undefined},
  }))
  const {text, blocks} = drawOwnDigest(own)
  acceptBlocks(JSON.parse(JSON.stringify(blocks)))
  expect(text).toMatch(/^☀️ \*200 things wait on you\*\n/)
  expect(text).toContain('and 190 more')
  expect(text).toContain('🔴 Failed')
  expect(JSON.stringify(blocks)).not.toMatch(/<@|<!(?!date\^)/)
  const place = {...FRESH_LINK.place, channel: 'D1'}
  const [direct] = rows(1, {status: 'pending_user', place})
  const one = drawOwnDigest(direct === undefined ? [] : [{...direct, notification: undefined}])
  expect(one.text).toContain('One thing waits on you')
  expect(one.text).toContain('in a direct message')
  expect(drawOwnDigest([]).text).toBe('☀️ Nothing waits on you any more.')
})
