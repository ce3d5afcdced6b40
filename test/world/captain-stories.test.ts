import {afterAll, beforeAll, expect, onTestFinished, test} from 'vitest'
import {ACTIONS, KEY_INPUT} from '../../src/slack/ids.ts'
import {type Modals, createModals} from '../support/modals.ts'
import {turnPage} from '../support/pages.ts'
import {JANE, KIM, type World} from '../support/world.ts'
import {startInside} from './open-world.ts'
import {captainTexts} from '../../src/features/captains/texts.ts'
import {conversationTexts} from '../../src/features/conversation/texts.ts'

let world: World
let modals: Modals

beforeAll(async () => {
  world = await startInside({pace: 0.1, settings: {BOSUN_ADMINS: KIM}})
  modals = createModals(world)
})
afterAll(() => world[Symbol.asyncDispose]())

const heard = (channel: string, as: string) => world.slack.ephemerals(channel, as)

/** The next thing that somebody is told. */
async function told(channel: string, as: string, act: () => Promise<unknown>) {
  const before = heard(channel, as).length
  await act()
  return world.until(`${as} is told`, () => heard(channel, as)[before])
}

const ask = (text: string, channel: string, as = JANE) =>
  told(channel, as, () => world.slack.people.command({as, channel, command: '/captain', text}))

/** A captain made elsewhere; its thread. */
async function createElsewhere(name: string, projectId = 'project_web'): Promise<string> {
  const {platform} = world
  const answer = await fetch(`${platform.originUrl}/api/v1/captains`, {
    method: 'POST',
    headers: {authorization: `Bearer ${platform.keys.human}`, 'content-type': 'application/json'},
    body: JSON.stringify({requestId: `made-${name}`, projectId, name, brief: 'a quick word'}),
  })
  expect(answer.status).toBe(200)
  return ((await answer.json()) as {id: string}).id
}

/** Nobody finds this thread on the platform any more, until the test is over. */
function remove(threadId: string): void {
  const {faults} = world.platform.control
  const missing = {status: 404, body: {_tag: 'svc/ThreadNotFound', threadId}, applied: false}
  const rules = [
    faults.add({
      ...{match: {path: `/threads/${threadId}`}, times: null},
      fault: {kind: 'answer', ...missing},
    }),
    faults.add({
      ...{match: {method: 'GET', path: '/threads\\?'}, times: null},
      fault: {kind: 'answer', status: 200, body: {items: [], cursor: null}, applied: false},
    }),
  ]
  onTestFinished(() => rules.forEach((rule) => faults.remove(rule)))
}

function heads(channel: string) {
  return world.slack
    .messages(channel)
    .filter(({botId, threadTs}) => botId !== undefined && threadTs === undefined)
}

/** In the list that somebody was told: the button of this captain. */
function buttonOf(list: {blocks?: unknown[] | undefined}, actionId: string, name: string): string {
  const blocks = (list.blocks ?? []) as {
    block_id?: string
    elements?: {action_id: string; value: string}[]
  }[]
  const found = blocks.find(({elements = []}) =>
    elements.some((one) => one.action_id === actionId && one.value.includes(`"${name}"`)),
  )
  if (found?.block_id === undefined) throw new Error(`${name} has no ${actionId}`)
  return found.block_id
}

test('of a captain that is gone people are told so, wherever they ask for it', async () => {
  const channel = await modals.channel('gone', [JANE])
  const threadId = await createElsewhere('Gone Girl')
  const before = await ask('list', channel)
  const here = await ask('here Gone Girl', channel)
  expect(here.text).toContain('This channel is now *Gone Girl*’s home')
  remove(threadId)
  const list = await ask('list', channel)
  expect(list.text).toMatch(/\*Gone Girl\* · ⚪️ Gone/)
  expect(JSON.stringify(list.blocks)).not.toContain(threadId)
  const gone = captainTexts.gone('Gone Girl')
  expect((await ask('ask Gone Girl a quick word', channel)).text).toContain(gone)
  expect((await ask('here Gone Girl', channel)).text).toContain(gone)
  // A list of before still has its buttons.
  const at = {as: JANE, channel, ts: before.ts}
  const bringing = {...at, actionId: ACTIONS.captainBring}
  const blockId = buttonOf(before, ACTIONS.captainBring, 'Gone Girl')
  const pressed = await told(channel, JANE, () => world.slack.people.press({...bringing, blockId}))
  expect(pressed.text).toContain(gone)
})

test('a home whose captain is gone is home no more: a mention starts work, and says so', async () => {
  const channel = await modals.channel('void', [JANE])
  const threadId = await createElsewhere('Void')
  await ask('here Void', channel)
  remove(threadId)
  const task = {channel, ts: ''}
  const answer = await told(channel, JANE, async () => {
    task.ts = (await world.say('@Bosun a quick look', {channel})).ts
  })
  expect(answer.text).toContain(conversationTexts.captainGone('Void'))
  await world.settled(task)
  expect((await ask('here nobody', channel)).text).toContain('no longer *Void*’s home')
})

test('a home whose channel works with another key by now starts work, and says so', async () => {
  const channel = await modals.channel('switched', [JANE, KIM])
  await createElsewhere('Switched')
  await ask('here Switched', channel)
  const {key, settings} = {
    key: {[KEY_INPUT]: world.platform.keys.human, label: 'Switched'},
    settings: {project: 'project_web'},
  }
  await modals.connect(channel, {key, settings}, KIM)
  const task = {channel, ts: ''}
  const answer = await told(channel, JANE, async () => {
    task.ts = (await world.say('@Bosun a quick look', {channel})).ts
  })
  expect(answer.text).toContain(conversationTexts.captainGone('Switched'))
  await world.settled(task)
})

test('a home in a channel that was archived goes on when the channel is back', async () => {
  const channel = await modals.channel('attic', [JANE])
  await createElsewhere('Attic')
  await ask('here Attic', channel)
  await world.slack.people.archive(channel)
  await world.slack.people.unarchive(channel)
  await world.slack.people.inviteBot(channel)
  const mention = await world.say('@Bosun a quick question', {channel})
  const answer = await world.until('all read who answers', () => world.ours(mention)[0])
  expect(answer.text).toMatch(/^\*Attic\* answers here: <http/)
})

/** What says that this captain, and no other, was asked: at rest, or still at work on the question before. */
const toldBy = (name: string) =>
  new RegExp(`^(Asked\\. \\*${name}\\* answers here|\\*${name}\\* is at work and gets this)`)

test('names that share a beginning, or differ in the size of letters, are told apart or asked about', async () => {
  const channel = await modals.channel('names', [JANE])
  for (const name of ['Eve', 'Eve Adams', 'eVE', 'Mary', 'mARY']) await createElsewhere(name)
  const asked = async (text: string) => (await ask(`ask ${text}`, channel)).text
  expect(await asked('Eve a quick word')).toMatch(toldBy('Eve'))
  expect(await asked('Eve Adams a quick word')).toMatch(toldBy('Eve Adams'))
  expect(await asked('eve adams a quick word')).toMatch(toldBy('Eve Adams'))
  expect(await asked('"Eve" Adams is who?')).toMatch(toldBy('Eve'))
  expect(await asked('eVE a quick word')).toMatch(toldBy('eVE'))
  const unsure = await ask('ask mary a quick word', channel)
  expect(unsure.text).toMatch(/^More than one captain is named \*[mM]\w+\*\. Which one is it\?/)
  expect(unsure.text).toContain('*Mary*')
  expect(unsure.text).toContain('*mARY*')
  const press = {as: JANE, channel, ts: unsure.ts, actionId: ACTIONS.captainAsk}
  await world.slack.people.press({...press, blockId: buttonOf(unsure, press.actionId, 'mARY')})
  await modals.reads(JANE, 'What do you want to ask mARY?')
  const answer = await told(channel, JANE, () => modals.submit(JANE, {text: 'a quick word'}))
  expect(answer.text).toMatch(/^Asked\. \*mARY\* answers here/)
  expect((await ask('here EVE', channel)).text).toContain('More than one captain is named')
  expect(heads(channel).map(({text}) => text)).toEqual(
    ['Eve', 'Eve Adams', 'eVE', 'mARY'].map((name) => `👤 *${name}* · asked by @Jane`),
  )
})

test('a long list pages, and its buttons ask a captain and bring it here', async () => {
  const channel = await modals.channel('paging', [JANE, KIM])
  const names = Array.from({length: 11}, (_, index) => `Zed ${String(index).padStart(2, '0')}`)
  for (const name of names) await createElsewhere(name)
  const seen: string[] = []
  let page = await ask('list', channel)
  for (;;) {
    seen.push(...[...page.text.matchAll(/\*(Zed \d\d)\*/g)].map(([, name = '']) => name))
    expect(page.text.split('\n').length).toBeLessThanOrEqual(11)
    if (!JSON.stringify(page.blocks).includes(`"${ACTIONS.captainMore}"`)) break
    page = await turnPage(world, {as: JANE, channel, ts: page.ts}, ACTIONS.captainMore)
  }
  expect(seen).toEqual(names)
  const press = (actionId: string, name: string) =>
    world.slack.people.press({
      ...{as: JANE, channel, ts: page.ts, actionId},
      blockId: buttonOf(page, actionId, name),
    })
  const before = heard(channel, JANE).length
  await Promise.all([press(ACTIONS.captainBring, 'Zed 10'), press(ACTIONS.captainBring, 'Zed 10')])
  const second = await world.until('both are told', () => heard(channel, JANE)[before + 1])
  expect(second.text).toContain('Slack thread>')
  await press(ACTIONS.captainAsk, 'Zed 10')
  await modals.reads(JANE, 'What do you want to ask Zed 10?')
  const answer = await told(channel, JANE, () => modals.submit(JANE, {text: 'a quick word'}))
  expect(answer.text).toMatch(/^Asked\. \*Zed 10\* answers here/)
  expect(heads(channel)).toHaveLength(1)
})

test('what the plan lacks is named, whatever it is', async () => {
  const channel = await modals.channel('plan', [JANE])
  const cases: readonly (readonly [object, string])[] = [
    [{feature: 'byok'}, captainTexts.feature('byok')],
    [{feature: 'hyper'}, 'does not include machines of size *hyper*'],
    [{feature: 'bigguy'}, 'does not include machines of size *bigguy*'],
    [{feature: 'captain_image'}, 'Your plan has no pictures for captains'],
    [{feature: 'teleport <!channel>'}, 'a feature that the plan does not include'],
    [{}, 'a feature that the plan does not include'],
    [{feature: 7}, 'a feature that the plan does not include'],
  ]
  for (const [fields, words] of cases) {
    world.platform.control.faults.add({
      match: {method: 'POST', path: '/captains$'},
      fault: {
        ...{kind: 'answer', status: 402, applied: false},
        body: {_tag: 'svc/PaidFeatureUnavailable', ...fields},
      },
    })
    await world.slack.people.command({as: JANE, channel, command: '/captain', text: 'new'})
    await modals.reads(JANE, 'What is it for?')
    const refusal = await told(channel, JANE, () =>
      modals.submit(JANE, {name: 'Planless', owner: JANE, model: 'fast'}),
    )
    expect(refusal.text).toContain(words)
    expect(refusal.text).not.toContain('<!channel>')
    const at = {as: JANE, channel, ts: refusal.ts, actionId: ACTIONS.captainChange}
    await world.slack.people.press(at)
    expect(await modals.reads(JANE, 'What is it for?')).toContain('(Planless)')
    await world.slack.people.closeView({as: JANE})
  }
  expect(heads(channel)).toEqual([])
})
