import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {ACTIONS} from '../../src/slack/ids.ts'
import {buttonOf, createStartSight} from '../support/start-sight.ts'
import {JANE, KIM, type Place, type World} from '../support/world.ts'
import {startInside} from './open-world.ts'

const GENERAL = 'C0GENERAL'
const SAM = 'U0SAM'
const ROBOT = 'robot_face'

let world: World

beforeAll(async () => {
  world = await startInside({pace: 0.05})
  // Whatever Slack tells, it tells again.
  world.slack.faults.deliveries = 3
})
afterAll(() => world[Symbol.asyncDispose]())

const {told, cardSays, creationIn, formOf, openingOf} = createStartSight(() => world)

/** What the threads were created with whose message has these words. */
function creations(words: string) {
  return world.posts('/api/v1/threads').filter(({body}) => JSON.stringify(body).includes(words))
}

function put(place: Place, as: string, name = ROBOT) {
  return world.slack.people.react({as, ...place, name})
}

function whispers(as: string, words: string, channel = GENERAL) {
  return world.slack.ephemerals(channel, as).filter(({text}) => text.includes(words))
}

/** It has nothing to ask any more. */
async function gone({ts, channel}: {ts: string; channel: string}, as: string): Promise<void> {
  await world.until('the offer is gone', () =>
    world.slack.ephemerals(channel, as).every((whisper) => whisper.ts !== ts),
  )
}

async function press(whisper: {ts: string; channel: string}, actionId: string, as: string) {
  const {channel, ts} = whisper
  await world.slack.people.press({as, channel, ts, actionId})
}

/** Something that is handled behind all that came before it. */
async function settled(as: string): Promise<void> {
  const before = whispers(as, 'don’t know', 'C0WEB').length
  const {people} = world.slack
  await people.command({as, channel: 'C0WEB', command: '/bosun', text: 'sandwich'})
  await world.until('it is answered', () => whispers(as, 'don’t know', 'C0WEB').length > before)
}

describe('the emoji on a message', () => {
  test('offers to start from it, and starts it once, for whoever presses, with the message as context', async () => {
    const place = await world.say('the basket forgets its coupons\nsince Monday', {
      ...{as: KIM, channel: GENERAL},
    })
    await put(place, JANE)
    const offer = await told(JANE, GENERAL, 'Start work from this message?')
    expect(offer.text).toContain('> *Kim:* the basket forgets its coupons\n')
    expect(offer.text).not.toContain('Monday')
    expect(offer.threadTs).toBeUndefined()
    expect(whispers(KIM, 'Start work')).toEqual([])
    expect(creations('coupons')).toEqual([])

    await Promise.all([1, 2].map(() => press(offer, ACTIONS.offerStart, JANE)))
    await cardSays(place, 'asked by @Jane')
    await cardSays(place, '*the basket forgets its coupons*')
    const [first, ...others] = creations('coupons')
    expect(others).toEqual([])
    const body = first?.body as Record<string, unknown>
    expect(body['authorId']).toBe('user_jane')
    const lines = String(body['message']).split('\n')
    expect(lines[0]).toBe('Look at the Slack message below, and do what it takes.')
    expect(String(body['message'])).toContain('untrusted context')
    expect(lines.slice(-3)).toEqual([
      '> Kim:',
      '>   the basket forgets its coupons',
      '>   since Monday',
    ])
    await gone(offer, JANE)
    expect(creations('coupons')).toHaveLength(1)
  })

  test('has Slack asked nothing for a guest, who is told why', async () => {
    const {people} = world.slack
    const guest = await people.addMember({name: 'gus', realName: 'Gus', guest: 'multi_channel'})
    const {id: channel} = await people.createChannel({
      ...{name: 'with-guests', memberIds: [KIM, guest.id, world.slack.botUserId]},
    })
    const place = await world.say('the footer is green', {as: KIM, channel})
    const reads = () =>
      world.slack.ledger.calls.filter(
        ({method, args}) =>
          /^conversations\.(?:history|replies)$/.test(method) &&
          JSON.stringify(args).includes(place.ts),
      )
    await put(place, guest.id)
    await told(guest.id, channel, 'Guests cannot use Bosun')
    expect(reads()).toEqual([])
    await put(place, KIM)
    await told(KIM, channel, 'the footer is green')
    expect(reads()).not.toEqual([])
  })

  test('whispers once to each person, however often it is taken off and put on', async () => {
    const place = await world.say('the footer overlaps', {as: KIM, channel: GENERAL})
    for (let index = 0; index < 3; index += 1) {
      await put(place, KIM)
      await world.slack.people.unreact({as: KIM, ...place, name: ROBOT})
    }
    await put(place, JANE)
    const first = await told(KIM, GENERAL, 'the footer overlaps')
    const second = await told(JANE, GENERAL, 'the footer overlaps')
    await settled(KIM)
    expect(whispers(KIM, 'the footer overlaps')).toHaveLength(1)
    await press(first, ACTIONS.offerStart, KIM)
    await cardSays(place, 'asked by @Kim')
    await gone(first, KIM)
    await press(second, ACTIONS.offerStart, JANE)
    // In the place of what it answers.
    const {ts} = await told(JANE, GENERAL, 'This was started already: <http')
    expect(ts).toBe(second.ts)
    expect(creations('the footer overlaps')).toHaveLength(1)
  })

  test('whispers in the Slack thread of a reply, in which the work then stands', async () => {
    const root = await world.say('release notes', {as: KIM, channel: GENERAL})
    const {ts} = await world.reply(root, 'the header flickers', KIM)
    await put({channel: GENERAL, ts}, JANE)
    const offer = await told(JANE, GENERAL, 'the header flickers')
    expect(offer.threadTs).toBe(root.ts)
    await press(offer, ACTIONS.offerStart, JANE)
    await cardSays(root, 'asked by @Jane')
    expect(JSON.stringify(creations('the header flickers')[0]?.body)).not.toContain('release notes')
    // Whoever comes later can tell the agent of it.
    await put({channel: GENERAL, ts}, SAM)
    const late = await told(SAM, GENERAL, 'Tell it of this message?')
    expect(JSON.stringify(late.blocks)).not.toContain(ACTIONS.offerStart)
    await press(late, ACTIONS.offerChoose, SAM)
    await formOf(SAM, 'Send to Bosun')
    await world.slack.people.submitView({as: SAM, values: {task: {task: 'a quick look at it'}}})
    await gone(late, SAM)
  })

  test('opens the form of Send to Bosun, and what was sent there is not started again', async () => {
    const place = await world.say('the prices are rounded twice', {as: KIM, channel: GENERAL})
    await put(place, JANE)
    const offer = await told(JANE, GENERAL, 'the prices are rounded twice')
    await press(offer, ACTIONS.offerChoose, JANE)
    await formOf(JANE, 'Send to Bosun')
    expect(whispers(JANE, 'the prices are rounded twice')).toHaveLength(1)
    expect(JSON.stringify(world.slack.views(JANE).modals)).toContain('the prices are rounded twice')
    const values = {task: {task: 'a quick fix of rounding'}, size: {size: 'small'}}
    await world.slack.people.submitView({as: JANE, values})
    expect(await creationIn('a quick fix of rounding')).toMatchObject({machineSize: 'small'})
    await cardSays(place, 'asked by @Jane')
    await gone(offer, JANE)
    expect(creations('the prices are rounded twice')).toHaveLength(1)
  })

  test('says nothing on our own messages', async () => {
    const place = await world.say('@Bosun a quick look at our own', {channel: GENERAL})
    await world.settled(place)
    const ours = world.ours(place)[0]
    const before = world.slack.ephemerals(GENERAL, JANE).length
    await put({channel: GENERAL, ts: ours?.ts ?? ''}, JANE)
    await settled(JANE)
    expect(world.slack.ephemerals(GENERAL, JANE)).toHaveLength(before)
  })

  test('starts nothing from a message that is gone, and from none whose place somebody has left', async () => {
    const {people} = world.slack
    const gone = await world.say('typo in the imprint', {as: KIM, channel: GENERAL})
    await put(gone, JANE)
    const offer = await told(JANE, GENERAL, 'typo in the imprint')
    await people.remove({as: KIM, ...gone})
    await press(offer, ACTIONS.offerStart, JANE)
    await told(JANE, GENERAL, 'That message is gone')

    const {id} = await people.createChannel({name: 'left', memberIds: [JANE, KIM]})
    await people.inviteBot(id)
    const place = await world.say('the cart is empty', {as: KIM, channel: id})
    await put(place, JANE)
    const left = await told(JANE, id, 'the cart is empty')
    await people.kick(id, JANE)
    await press(left, ACTIONS.offerStart, JANE).catch(() => undefined)
    await settled(JANE)
    expect(creations('typo in the imprint')).toEqual([])
    expect(creations('the cart is empty')).toEqual([])
  })

  test('keeps a key that stands in the message out of the work', async () => {
    const key = 'api_k3yThatWas9DrawnByL0t7x2'
    const place = await world.say(`login fails with ${key}`, {as: KIM, channel: GENERAL})
    await put(place, JANE)
    const offer = await told(JANE, GENERAL, 'login fails with')
    expect(offer.text).not.toContain(key)
    await press(offer, ACTIONS.offerStart, JANE)
    await cardSays(place, 'asked by @Jane')
    expect(creations('login fails with')).toHaveLength(1)
    expect(creations(key)).toEqual([])
  })

  test('is for whoever may use Bosun in the channel', async () => {
    const {people} = world.slack
    const guest = await people.addMember({
      ...{name: 'gus', realName: 'Gus Guest', guest: 'multi_channel' as const},
    })
    await people.invite(GENERAL, guest.id)
    const place = await world.say('the logo is old', {as: KIM, channel: GENERAL})
    await put(place, guest.id)
    const answer = await told(guest.id, GENERAL, 'uest')
    expect(JSON.stringify(answer.blocks ?? [])).not.toContain(ACTIONS.offerStart)
    expect(whispers(guest.id, 'the logo is old')).toEqual([])
  })
})

describe('words behind /bosun that are no command', () => {
  /** Again, where Slack says that the app has not answered. */
  const type = async (text: string, as = JANE) => {
    const command = {as, channel: GENERAL, command: '/bosun', text}
    const isTaken = async () => (await world.slack.people.command(command)) === 'acked'
    await world.until(`${text} is taken`, isTaken)
  }

  test('are offered as a task, which starts once, also after a restart', async () => {
    await world.moveOut()
    await type('fix project=nowhere the quick login bug')
    const offer = await told(JANE, GENERAL, 'That is no command. Start it as a task?')
    expect(offer.text).toContain('> fix project=nowhere the quick login bug')
    await world.bot.kill()
    await world.startBot()
    await Promise.all([1, 2].map(() => press(offer, ACTIONS.offerStart, JANE)))
    const opening = await openingOf(
      '@Jane asked for: fix project=nowhere the quick login bug',
      GENERAL,
    )
    const place = {channel: GENERAL, ts: opening.ts}
    await cardSays(place, 'asked by @Jane')
    await gone(offer, JANE)
    expect(creations('the quick login bug')).toHaveLength(1)
  })

  test('open the form with the task in it', async () => {
    await type('mend the quick menu', KIM)
    const offer = await told(KIM, GENERAL, '> mend the quick menu')
    await press(offer, ACTIONS.offerChoose, KIM)
    await formOf(KIM, 'mend the quick menu')
    await world.slack.people.submitView({...{as: KIM, values: {project: {project: 'project_api'}}}})
    expect(await creationIn('mend the quick menu')).toMatchObject({projectId: 'project_api'})
    await gone(offer, KIM)
    expect(creations('mend the quick menu')).toHaveLength(1)
  })

  test('ask which project, where the one that they name is none, and start in the right one', async () => {
    await type('project=appi mend the quick sidebar', SAM)
    const offer = await told(SAM, GENERAL, '> mend the quick sidebar')
    await press(offer, ACTIONS.offerStart, SAM)
    const question = await told(SAM, GENERAL, 'No project *appi*')
    await press(question, buttonOf(question.blocks, 'api'), SAM)
    expect(await creationIn('mend the quick sidebar')).toMatchObject({projectId: 'project_api'})
  })

  test('are a slip of the pen all the same', async () => {
    await type('statsu of the shop')
    await told(JANE, GENERAL, 'Did you mean `/bosun status`?')
    await type('sandwich')
    const alone = await told(JANE, GENERAL, 'I don’t know `/bosun sandwich`')
    expect(JSON.stringify(alone.blocks)).toContain(ACTIONS.allCommands)
  })

  test('start nothing where Bosun is not', async () => {
    const {people} = world.slack
    await people.command({as: JANE, channel: 'C0RANDOM', command: '/bosun', text: 'mend the door'})
    const offer = await told(JANE, 'C0RANDOM', '> mend the door')
    await press(offer, ACTIONS.offerStart, JANE)
    await world.until('she is told', () =>
      [...world.slack.ephemerals('C0RANDOM', JANE), ...world.slack.messages('D0JANE')].some(
        ({text}) => text.includes('I am not in this channel'),
      ),
    )
    expect(creations('mend the door')).toEqual([])
  })
})
