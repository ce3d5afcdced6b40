import {join} from 'node:path'
import Database from 'better-sqlite3'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {ACTIONS} from '../../src/slack/ids.ts'
import {createModals} from '../support/modals.ts'
import {createRules} from '../support/rules.ts'
import {JANE, KIM, type World} from '../support/world.ts'
import {startInside} from './open-world.ts'

const everybody = [JANE, KIM]
let world: World
let modals: ReturnType<typeof createModals>
let rules: ReturnType<typeof createRules>

beforeAll(async () => {
  world = await startInside({pace: 0.05})
  modals = createModals(world)
  rules = createRules(world, modals)
})
afterAll(() => world[Symbol.asyncDispose]())

test('a rule lets an alert start work once it is on, and nothing else does', async () => {
  const channel = await modals.channel('alerts', everybody)
  await modals.command('rules', {as: KIM, channel})
  await modals.hears(KIM, channel, 'Only')
  await rules.alert(channel, 'Error WEB-1: cart is empty')
  await modals.command('rules', {as: JANE, channel})
  const list = await modals.hears(JANE, channel, 'This channel has no rules')
  await world.slack.people.press({as: JANE, channel, ts: list.ts, actionId: ACTIONS.ruleNew})
  await modals.reads(JANE, 'Messages of (Sentry)')
  const asked = {
    ...{name: 'Sentry errors', pattern: 'error (?P<issue>[a-z]+-\\d+)', does: 'start'},
    ...{task: 'a quick look at {issue}', key: '{issue}', windowMinutes: '60', perHour: '2'},
    ...{perDay: '20', person: KIM},
  }
  await modals.submit(JANE, {...asked, pattern: '(', perDay: '0'})
  await modals.reads(JANE, '! I can’t read that: missing closing ): (.')
  await modals.reads(JANE, '! A whole number from 1 to 200.')
  await modals.submit(JANE, {...asked, task: 'look at {what}'})
  await modals.reads(JANE, '! There is no group {what} in the pattern.')
  await modals.submit(JANE, asked)
  const saved = await modals.hears(JANE, channel, '*Sentry errors* is saved. It is off')
  await rules.alert(channel, 'Error WEB-2: still off')

  await rules.press(saved.ts, channel, ACTIONS.ruleTry)
  const tried = await modals.hears(JANE, channel, 'as if it had been on. Nothing was started.')
  expect(tried.text.match(/▶️/gu)).toHaveLength(2)
  expect(world.platform.threads()).toEqual([])

  await rules.press(saved.ts, channel, ACTIONS.ruleOn)
  await modals.hears(JANE, channel, '*Sentry errors* is on')
  const first = await rules.alert(channel, 'Error WEB-3: price is negative')
  await world.settled(first)
  expect(world.transcriptIn(first)[0]?.text).toContain('a quick look at “WEB-3”')
  expect(world.transcriptIn(first)[0]?.text).toContain('>   Error WEB-3: price is negative')
  expect(world.posts('/api/v1/threads')[0]?.body).not.toHaveProperty('authorId')
  expect(JSON.stringify(world.ours(first)[0]?.blocks)).toContain(
    'started by the rule Sentry errors',
  )

  // The same again, a reply, an edit, another app, and words that it does not fit.
  await rules.alert(channel, 'Error WEB-3: price is negative, again')
  await rules.alert(channel, 'Error WEB-9: in a thread', {threadTs: first.ts})
  const edited = await rules.alert(channel, 'All is well')
  await world.slack.people.editAsApp({channel, ts: edited.ts, text: 'Error WEB-8: by an edit'})
  await rules.alert(channel, 'Error WEB-7: elsewhere', {appId: 'A0OTHER', name: 'Other'})
  const second = await rules.alert(channel, '', {
    attachments: [{title: 'Error WEB-4', text: 'in an attachment'}],
  })
  await world.settled(second)
  expect(world.platform.threads()).toHaveLength(2)

  // The cap of the hour, told once.
  const capped = await rules.alert(channel, 'Error WEB-5: too many')
  await world.until('it is told', () =>
    world.ours(capped)[0]?.text.includes('as much as it may in an hour'),
  )
  const silent = await rules.alert(channel, 'Error WEB-6: too many')
  await modals.command('rules', {as: JANE, channel})
  await modals.hears(JANE, channel, 'In the last 24 hours: 2 starts, 3 passed over')
  expect(world.ours(silent)).toEqual([])
  expect(world.platform.threads()).toHaveLength(2)
})

test('a rule that asks first starts nothing until somebody says so, once, and in their name', async () => {
  await world.moveOut()
  const channel = await modals.channel('asked', everybody)
  await rules.make(channel, {name: 'Pages', does: 'ask', task: 'a quick check'})
  const before = world.platform.threads().length
  const alert = await rules.alert(channel, 'Disk full on db-1')
  await world.until('it asks', () =>
    world.ours(alert)[0]?.text.includes('The rule *Pages* asks: start work on this?'),
  )
  // After a crash nobody is asked twice, and what was asked counts.
  await world.bot.kill()
  await world.startBot()
  expect(world.platform.threads()).toHaveLength(before)
  await Promise.all([JANE, KIM].map((as) => world.press(alert, ACTIONS.ruleStart, as)))
  await world.until('it is done', () => world.ours(alert)[1]?.text.includes('Done'))
  expect(world.platform.threads()).toHaveLength(before + 1)
  const [asked, card] = world.ours(alert)
  expect(asked?.text).toMatch(/^Started by @/)
  expect(JSON.stringify(card?.blocks)).toMatch(/rule Pages · asked by @/)

  const other = await rules.alert(channel, 'Disk full on db-2')
  await world.until('it asks', () => world.ours(other)[0]?.text.includes('asks'))
  await world.press(other, ACTIONS.ruleNot, KIM)
  await world.until('it says so', () => world.ours(other)[0]?.text.startsWith('Not started: @'))
  expect(world.platform.threads()).toHaveLength(before + 1)

  // Who turns it off means what it has asked, too.
  const late = await rules.alert(channel, 'Disk full on db-3')
  await world.until('it asks', () => world.ours(late)[0]?.text.includes('asks'))
  const db = new Database(join(world.folder, 'bosun.db'))
  db.prepare('update rules set is_on = 0 where channel = ?').run(channel)
  db.close()
  await world.press(late, ACTIONS.ruleStart, KIM)
  await modals.hears(KIM, channel, 'The rule that asked this is off by now, or deleted.')
  await world.press(late, ACTIONS.ruleNot, KIM)
  await world.until('it says so', () => world.ours(late)[0]?.text.startsWith('Not started: @'))
  expect(world.platform.threads()).toHaveLength(before + 1)
})

test('what speaks of a rule’s work starts no other, by whichever app and rule', async () => {
  const channel = await modals.channel('circles', everybody)
  await rules.make(channel, {name: 'First', task: 'a quick look'})
  await rules.make(channel, {name: 'Second', appId: 'A0GITHUB', task: 'a quick fix'})
  const alert = await rules.alert(channel, 'It broke')
  await world.settled(alert)
  const before = world.platform.threads().length
  const threadId = world.threadIn(alert)?.id ?? ''
  const github = {appId: 'A0GITHUB', name: 'GitHub'}
  const address = `https://acme.slack.com/archives/${channel}/p${alert.ts.replace('.', '')}`
  await rules.alert(channel, `A build of ${threadId} failed`, github)
  await rules.alert(channel, `See <${address}|the alert>`, github)
  await rules.alert(channel, 'It failed', {
    ...github,
    attachments: [{title_link: `https://x/${threadId}`}],
  })
  const fresh = await rules.alert(channel, 'Something else broke', github)
  await world.settled(fresh)
  expect(world.platform.threads()).toHaveLength(before + 1)
})

test('a form of rules tells whoever has left a private channel nothing of them', async () => {
  const {people} = world.slack
  const {id: channel} = await people.createChannel({
    ...{name: 'hidden-alerts', memberIds: [JANE, world.slack.botUserId], isPrivate: true},
  })
  await rules.alert(channel, 'Error WEB-1: cart is empty')
  await modals.command('rules', {as: JANE, channel})
  const list = await modals.hears(JANE, channel, 'This channel has no rules')
  const open = async (ts: string): Promise<void> => {
    await people.press({as: JANE, channel, ts, actionId: ACTIONS.ruleNew})
    await modals.reads(JANE, 'Messages of (Sentry)')
  }
  const asked = {
    ...{pattern: 'error (?P<issue>[a-z]+-\\d+)', does: 'start', task: 'look at {issue}'},
    ...{windowMinutes: '60', perHour: '2', perDay: '20'},
  }
  await open(list.ts)
  await modals.submit(JANE, {...asked, name: 'Kiwi errors'})
  const saved = await modals.hears(JANE, channel, '*Kiwi errors* is saved')
  await open(saved.ts)
  await people.kick(channel, JANE)
  const before = JSON.stringify(world.slack.ephemerals(channel, JANE))
  await modals.submit(JANE, {...asked, name: 'Emu errors'})
  await world.until('she is told why', () =>
    JSON.stringify(world.slack.messages('D0JANE')).includes('You are not in that channel'),
  )
  expect(JSON.stringify(world.slack.ephemerals(channel, JANE))).toBe(before)
  expect(JSON.stringify(world.slack.messages('D0JANE'))).not.toContain('Kiwi')
})
