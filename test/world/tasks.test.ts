import {join} from 'node:path'
import Database from 'better-sqlite3'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {ACTIONS, STOP_SIGN} from '../../src/slack/ids.ts'
import {texts} from '../../src/slack/texts.ts'
import {FAULTLESS, verdict} from '../support/verdict.ts'
import {JANE, KIM, type Place, type World} from '../support/world.ts'
import {startInside} from './open-world.ts'

let world: World

beforeAll(async () => {
  world = await startInside({pace: 0.2})
})
afterAll(() => world[Symbol.asyncDispose]())

test('an agent’s tasks stand as a live plan, which can be looked into and followed', async () => {
  const place = await world.say('@Bosun split the rounding into tasks')
  const {id} = await world.until('it has begun', () => world.threadIn(place))
  const held = world.platform.control.holdAt(id, ({kind}) => kind === 'task')
  const first = await world.until('the plan stands', () => planOf(place))
  expect(first.text).toContain('Read the call sites')
  await world.until('it is at work', () => statusesOf(place).includes('in_progress'))
  held[Symbol.dispose]()
  await world.settled(place)
  const done = await world.until('all is done', () => {
    const plan = planOf(place)
    return plan?.text.startsWith('*Tasks · 5 of 5 done*') === true ? plan : undefined
  })
  expect(done.ts).toBe(first.ts)
  expect(statusesOf(place)).toEqual(Array.from({length: 5}, () => 'complete'))
  expect(done.text).toContain('✅ 2.2.1 Look at the templates')
  expect(verdict(world, place)).toEqual(FAULTLESS)

  const refusal = {times: 1, error: 'invalid_arguments', applied: false}
  world.slack.faults.failNext('views.update', refusal)
  await world.press(place, ACTIONS.tasks, KIM)
  await modal(KIM, 'Slack did not show that.')
  await world.press(place, ACTIONS.tasks, KIM)
  const list = await modal(KIM, 'Change the cart')
  expect(list).toMatch(/\*2\.1 Change the cart\* · done · \$\d/)
  await world.slack.people.useView({
    as: KIM,
    actionId: ACTIONS.taskMessages,
    value: '',
    ...blockOf(KIM, 'Change the cart'),
  })
  const said = await modal(KIM, 'rounds once now')
  expect(said).toContain('Move the rounding of src/cart to one place.')

  const before = heads(place.channel).length
  await world.slack.people.useView({as: KIM, actionId: ACTIONS.followTask})
  const head = await world.until('its Slack thread begins', () => heads(place.channel)[before])
  expect(head.text).toMatch(
    /^👀 \*Change the cart\* · a task of the agent’s, followed here for @Kim$/,
  )
  const there = {channel: place.channel, ts: head.ts}
  await world.until('it says what the task said', () =>
    world.ours(there).some(({text}) => text.includes('rounds once now')),
  )
  const card = await world.until('the card says that it is done', () =>
    world.ours(there).find(({text}) => text.startsWith('*Change the cart* · ⚪️ Done\n')),
  )
  expect(JSON.stringify(card.blocks)).not.toContain(ACTIONS.archive)

  const stop = {channel: place.channel, ts: card.ts, name: STOP_SIGN}
  await world.slack.people.react({as: KIM, ...stop})
  const refused = await world.until('Kim is told', () =>
    world.slack
      .ephemerals(place.channel, KIM)
      .find(({text}) => text.startsWith('Tasks can’t be talked to.')),
  )
  expect(refused.text).toContain(`/p${place.ts.replace('.', '')}|`)
  expect(world.requests().filter(({path}) => path.endsWith('/interrupt'))).toEqual([])

  await world.reply(there, 'do it once more')
  const answer = await world.until('Jane is told', () =>
    world.slack
      .ephemerals(place.channel, JANE)
      .find(({text}) => text.startsWith('Tasks can’t be talked to.')),
  )
  expect(answer.text).toContain(`/p${place.ts.replace('.', '')}|`)
})

test('the list of tasks says that the platform is silent, and is read at the next press', async () => {
  const place = await world.say('@Bosun split the walls into tasks')
  await world.until('the plan stands', () => planOf(place))
  await world.settled(place)
  await world.stopPlatform()
  await world.press(place, ACTIONS.tasks, JANE)
  await modal(JANE, texts.tasks.modal.silent)
  await world.startPlatform()
  await world.press(place, ACTIONS.tasks, JANE)
  await modal(JANE, 'Change the cart')
})

test('the steps of an agent stand among the details of its work, newest first', async () => {
  await world.moveOut()
  const tool = (at: number) => ({kind: 'tool' as const, name: 'shell', text: `Step ${at} <!here>`})
  world.platform.control.planScript({
    when: {text: 'many steps'},
    steps: [
      ...Array.from({length: 45}, (_, at) => tool(at + 1)),
      {kind: 'say', fragments: ['All steps are done.']},
    ],
  })
  const place = await world.say('@Bosun take many steps')
  await world.settled(place)
  const use = (actionId: string) => world.slack.people.useView({as: KIM, actionId})
  await world.press(place, ACTIONS.details, KIM)
  await modal(KIM, 'For support')
  await use(ACTIONS.steps)
  const first = await modal(KIM, 'Step 45 &lt;!here&gt;')
  expect(first).toMatch(/<!date\^\d+\^[^>]+> · `Step 45 /)
  expect(first.indexOf('Step 45')).toBeLessThan(first.indexOf('Step 26'))
  expect(first).not.toContain('Step 25 ')
  await use(ACTIONS.stepsPage)
  expect(await modal(KIM, 'Step 25 ')).not.toContain('Step 26 ')
  await use(ACTIONS.stepsPage)
  const last = await modal(KIM, 'Step 1 ')
  expect(last).not.toContain('Earlier')
  await use(`${ACTIONS.stepsPage}:1`)
  await modal(KIM, 'Step 45 ')

  // Else it is done again, beside what is pressed next: presses have no order among themselves.
  await world.until('what was pressed is written down as done', () => openRows() === 0)
  await world.bot.kill()
  await world.startBot()
  await use(ACTIONS.stepsPage)
  await modal(KIM, 'Step 25 ')
  await world.slack.people.closeView({as: KIM})
  await world.slack.people.closeView({as: KIM})

  world.platform.control.planScript({
    when: {text: 'only talk'},
    steps: [{kind: 'say', fragments: ['That was all talk.']}],
  })
  const quiet = await world.say('@Bosun only talk')
  await world.settled(quiet)
  await world.press(quiet, ACTIONS.details, KIM)
  await modal(KIM, 'For support')
  await use(ACTIONS.steps)
  await modal(KIM, 'The agent has used no tools yet.')
})

test('a task that fails says so, and a restart changes nothing', async () => {
  await world.moveOut()
  const place = await world.say('@Bosun split the mails into tasks that fail')
  await world.until('the plan stands', () => planOf(place))
  await world.bot.kill()
  await world.startBot()
  await world.settled(place)
  await world.until('it says what failed', () => statusesOf(place).includes('error'))
  await world.until('and what is done', () =>
    planOf(place)?.text.startsWith('*Tasks · 4 of 5 done*'),
  )
  expect(plansOf(place)).toHaveLength(1)
  expect(planOf(place)?.text).toContain('🔴 2.2.1 Look at the templates')
})

test('more tasks than one sees at once are counted on their first level', async () => {
  const sleep = {kind: 'think' as const, delayMs: 100}
  const tasks = Array.from({length: 8}, (_, index) => ({
    title: `Part ${index + 1} <!channel> & more`,
    steps: [
      sleep,
      {
        kind: 'tasks' as const,
        text: 'Ran tasks',
        tasks: [
          {title: 'A piece', steps: [sleep]},
          {title: 'Another piece', steps: [sleep]},
        ],
      },
    ],
  }))
  world.platform.control.planScript({
    when: {text: 'many parts'},
    steps: [
      {kind: 'tasks', text: 'Ran tasks', tasks},
      {kind: 'say', fragments: ['All parts are done.']},
    ],
  })
  const place = await world.say('@Bosun do the many parts')
  const plan = await world.until('all of it is done', () => {
    const now = planOf(place)
    return now?.text.startsWith('*Tasks · 24 of 24 done*') === true ? now : undefined
  })
  expect(statusesOf(place)).toHaveLength(8)
  expect(plan.text).toContain('2 of 2 subtasks done')
  expect(JSON.stringify(plan)).not.toContain('<!channel>')
  await world.settled(place)
})

test('tasks that came and went before their stream was open stand in the plan', async () => {
  world.platform.control.planScript({
    when: {text: 'quick parts'},
    steps: [
      {kind: 'tasks', text: 'Ran tasks', tasks: [{title: 'A quick part', steps: []}]},
      {kind: 'say', fragments: ['The quick parts are done.']},
    ],
  })
  world.platform.control.faults.add({
    match: {path: '/stream'},
    fault: {kind: 'delay', ms: 3000},
    times: 1,
  })
  const place = await world.say('@Bosun do the quick parts')
  const plan = await world.until('the plan stands', () => planOf(place))
  expect(plan.text).toContain('*Tasks · 1 of 1 done*')
  await world.settled(place)
})

function plansOf(place: Place) {
  return world.ours(place).filter(({text}) => text.startsWith('*Tasks · '))
}

function planOf(place: Place) {
  return plansOf(place)[0]
}

function statusesOf(place: Place): string[] {
  const drawn = JSON.stringify(planOf(place)?.blocks ?? [])
  return [...drawn.matchAll(/"status":"(\w+)"/g)].map(([, status = '']) => status)
}

/** The topmost modal, once it says this. */
function modal(as: string, words: string): Promise<string> {
  return world.until(`a modal that says ${words}`, () => {
    const drawn = JSON.stringify(world.slack.views(as).modals.at(-1) ?? {})
    return drawn.includes(words) && drawn
  })
}

function blockOf(as: string, words: string): {blockId?: string} {
  const view = world.slack.views(as).modals.at(-1)?.view as
    {blocks?: {block_id?: string}[]} | undefined
  const block = view?.blocks?.find((it) => JSON.stringify(it).includes(words))
  return block?.block_id === undefined ? {} : {blockId: block.block_id}
}

function heads(channel: string) {
  return world.slack
    .messages(channel)
    .filter(({botId, threadTs}) => botId !== undefined && threadTs === undefined)
}

function openRows(): unknown {
  const database = new Database(join(world.folder, 'bosun.db'), {readonly: true})
  try {
    return database.prepare(`select count(*) from inbox where state = 'open'`).pluck().get()
  } finally {
    database.close()
  }
}
