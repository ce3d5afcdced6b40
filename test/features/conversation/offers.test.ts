import {describe, expect, test} from 'vitest'
import {
  createOfferActs,
  createTaskOffer,
} from '../../../src/features/conversation/starting/offers.ts'
import {createStartFormActs} from '../../../src/features/conversation/starting/start-forms.ts'
import {createWithoutActs} from '../../../src/features/conversation/starting/without-files.ts'
import {startTexts} from '../../../src/features/conversation/start-texts.ts'
import type {ActResult} from '../../../src/slack/gate/act.ts'
import type {StartRequest} from '../../../src/slack/gate/start-request.ts'
import {ACTIONS, START_FORMS} from '../../../src/slack/ids.ts'
import type {Command} from '../../../src/slack/incoming/command.ts'
import type {Form} from '../../../src/slack/incoming/form.ts'
import type {PickedMessage} from '../../../src/slack/prompts/picked-message.ts'
import type {Start} from '../../../src/store/tables/work/starts.ts'
import {texts} from '../../../src/slack/texts.ts'
import {pressOf} from '../../support/presses.ts'
import {button} from '../../../src/slack/draw/blocks.ts'
import {openDesk} from '../../support/desk.ts'

const who = {team: 'T1', user: 'U1', userTeam: 'T1'}
const words = startTexts.offer
const picked: PickedMessage = {
  ...{threadTs: undefined, isOurs: false, files: []},
  quoted: {
    author: 'Kim',
    text: 'The login is *broken*\nsince noon',
    files: ['log.txt'],
    forwarded: [],
  },
}

async function setUp() {
  const desk = await openDesk()
  const begun: StartRequest[] = []
  const opened: {slackThread: string | undefined; start: Start | undefined}[] = []
  const state = {
    message: picked as PickedMessage | undefined,
    isConnected: true,
    mayKnow: true,
    beginning: undefined as ActResult | undefined,
    notPassed: [] as object[],
  }
  const tools = {
    ...desk.tools,
    access: {mayKnow: async () => state.mayKnow},
    settingsOf: async () => ({isConnected: state.isConnected}),
    unconnected: {answer: async () => ({text: 'not connected'})},
    startEmoji: 'robot_face',
    readMessage: async () => state.message,
    whereIs: async () => 'over there',
    begin: async (request: StartRequest) => {
      begun.push(request)
      return state.beginning
    },
    open: async (
      _asker: object,
      {slackThread, prepare}: {slackThread?: string; prepare: (at: string) => Promise<Start>},
    ) => {
      opened.push({slackThread, start: await prepare('C1')})
      return undefined
    },
    prompts: {
      toQuoted: async () => [],
      pack: async (task: string) => ({text: task, passed: [], notPassed: state.notPassed}),
    },
  } as never
  const acts = [
    ...createOfferActs(tools),
    ...createStartFormActs(tools),
    ...createWithoutActs(tools),
  ]
  const run = async (interaction: Parameters<typeof desk.run>[1], row = {}) =>
    desk.run(acts, interaction, row)
  const startOf = async (request: Partial<StartRequest>): Promise<Start> => {
    const all = {requestId: 'asked', channel: 'C1', task: 'mend it', options: {}, files: []}
    const whole = {...all, forwarded: [], ...request}
    const of = {...who, requestId: whole.requestId, request: whole}
    return desk.store.starts.open(of, 0)
  }
  return {
    ...{desk, begun, opened, state, run, startOf, said: desk.said, store: desk.store},
    react: async (
      ts: string,
      {name = 'robot_face', key = ''}: {name?: string; key?: string} = {},
    ) =>
      run(
        {kind: 'reaction', ...who, name, channel: 'C1', ts, eventTs: '9.0'},
        {key: key === '' ? `${ts} ${name}` : key},
      ),
    press: async (action: string, value: string, key = 'row') =>
      run(pressOf({actionId: action, value}), {key}),
    submit: async (
      kind: keyof typeof START_FORMS,
      start: Start,
      values: Record<string, string>,
      key = 'row',
    ) => {
      const metadata = JSON.stringify({channel: 'C1', start: start.id, whisperUrl: 'https://w'})
      const callbackId = START_FORMS[kind]
      const view = {id: 'V1', hash: 'h', callbackId, metadata}
      const blocks = new Set(Object.keys(values))
      const entered = {values: new Map(Object.entries(values)), blocks}
      await run({kind: 'form', ...who, callbackId, view, ...entered} as unknown as Form, {key})
    },
  }
}

describe('an emoji on a message', () => {
  test('offers to start from it, once, below the message where it is a reply', async () => {
    const {react, said, state, desk} = await setUp()
    await react('5.0')
    expect(said).toEqual([`> *Kim:* The login is *broken*\n${words.message}`])
    await react('5.0', {key: 'taken off and put on again'})
    await react('5.0', {name: 'tada'})
    expect(said).toHaveLength(1)
    await react('6.0', {name: 'robot_face::skin-tone-2'})
    expect(said).toHaveLength(2)
    state.message = {...picked, threadTs: '7.0'}
    await react('7.1')
    expect(desk.saidAt).toEqual([undefined, undefined, '7.0'])
  })

  test('offers to tell the agent that works there of it', async () => {
    const {react, said, state, desk} = await setUp()
    await desk.store.links.change((await desk.link()).id, {title: 'Prices'})
    state.message = {...picked, threadTs: '1.0'}
    await react('5.0')
    expect(said).toEqual([expect.stringContaining(words.atWork('Prices'))])
  })

  test('offers nothing on what is gone or ours, and says so where nothing is connected', async () => {
    const {react, said, state} = await setUp()
    state.message = {...picked, isOurs: true}
    await react('5.0')
    state.message = undefined
    await react('5.0')
    expect(said).toEqual([])
    state.message = picked
    state.isConnected = false
    await react('5.0')
    expect(said).toEqual(['not connected'])
  })
})

describe('what was offered', () => {
  const offer = {slackThread: '5.0', pickedTs: '5.0', task: '', offeredIn: 'row 0'}

  test('starts with the message as it stands now, once', async () => {
    const {press, begun, said, startOf, state, desk} = await setUp()
    const start = await startOf(offer)
    state.message = {...picked, quoted: {...picked.quoted, text: 'edited'}}
    await press(ACTIONS.offerStart, start.id, 'one')
    expect(begun).toMatchObject([
      {task: words.task, options: {title: 'edited'}, picked: {author: 'Kim', text: 'edited'}},
    ])
    expect(said).toEqual([])
    await press(ACTIONS.offerStart, start.id, 'two')
    expect([begun.length, said]).toEqual([1, [startTexts.chosen]])
    expect((await desk.store.starts.byId(start.id))?.request).toMatchObject({task: words.task})
  })

  test('starts nothing where other work stands by now, or what was asked for does', async () => {
    const {press, begun, said, startOf} = await setUp()
    const {id} = await startOf({...offer, slackThread: '1.0'})
    await press(ACTIONS.offerStart, id)
    expect([begun, said]).toEqual([[], [words.begun('over there')]])
  })

  test('can be started later where it could not be now', async () => {
    const {press, begun, said, startOf, state} = await setUp()
    const {id} = await startOf(offer)
    state.message = undefined
    await press(ACTIONS.offerStart, id, 'one')
    state.message = picked
    state.mayKnow = false
    await press(ACTIONS.offerStart, id, 'two')
    state.mayKnow = true
    state.beginning = {answer: {text: 'too many'}}
    await press(ACTIONS.offerStart, id, 'three')
    expect(said).toEqual([words.gone, texts.permit.outside, 'too many'])
    state.beginning = undefined
    await press(ACTIONS.offerStart, id, 'four')
    expect([begun.length, said.length]).toEqual([2, 3])
  })

  test('of words behind a command starts as it was typed', async () => {
    const {press, begun, startOf, state} = await setUp()
    state.message = undefined
    const {id} = await startOf({options: {size: 'large'}})
    await press(ACTIONS.offerStart, id)
    expect(begun).toMatchObject([{task: 'mend it', options: {size: 'large'}}])
  })

  test('is chosen in a form that has the message and its Slack thread, and no task', async () => {
    const {press, opened, startOf, state, said} = await setUp()
    const {id} = await startOf(offer)
    await press(ACTIONS.offerChoose, id)
    expect(opened).toMatchObject([
      {
        slackThread: '5.0',
        start: {
          ...{id},
          request: {
            ...{task: '', picked: {author: 'Kim'}},
            earlier: {channel: 'C1', slackThread: '5.0'},
          },
        },
      },
    ])
    state.message = undefined
    await press(ACTIONS.offerChoose, id)
    expect(opened[1]).toMatchObject({start: undefined})
    state.mayKnow = false
    await press(ACTIONS.offerChoose, id)
    expect([opened.length, said]).toEqual([2, [texts.permit.outside]])
  })
})

test.each<[string, Partial<Command>, string | undefined, boolean]>([
  ['a task', {word: 'fix', rest: 'the login', typed: 'fix the login'}, 'find', true],
  ['a word alone', {word: 'fix', rest: '', typed: 'fix'}, 'find', false],
  ['a slip', {word: 'statsu', rest: 'now', typed: 'statsu now'}, 'status', false],
  [
    'options alone',
    {word: 'size=large', rest: 'plan=yes', typed: 'size=large plan=yes'},
    undefined,
    false,
  ],
])('behind /bosun %s is offered as a task', async (_what, typed, nearest, isOffered) => {
  const {desk} = await setUp()
  const offer = createTaskOffer({deps: desk.deps, names: desk.tools.names})
  const command = {kind: 'command', ...who, channel: 'C1', ...typed} as Command
  const row = {key: 'row'} as never
  const answer = await offer(command, nearest, {row})
  const drawn = `${words.noCommand}\n> fix the login`
  expect(answer?.answer?.text).toBe(isOffered ? drawn : undefined)
})

describe('the form', () => {
  const request = {
    ...{picked: {author: 'Kim', text: 'x', files: [], forwarded: []}, pickedTs: '5.0'},
    ...{slackThread: '1.0', earlier: {channel: 'C1', slackThread: '1.0'}},
    files: [{id: 'F1', name: 'log.txt', mimetype: 'text/plain', size: 1, url: undefined}],
  }

  test('starts what was entered, with what is to go along, once', async () => {
    const {submit, begun, said, startOf, desk} = await setUp()
    const start = await startOf(request)
    const values = {
      ...{task: 'size=small mend it', project: ' p2 ', model: '', size: 'large', plan: 'yes'},
      include: 'message,thread',
    }
    await submit('start', start, values, 'one')
    expect(begun).toMatchObject([
      {
        ...{task: 'mend it', options: {project: 'p2', size: 'large', plan: 'yes'}},
        ...{files: [{id: 'F1'}], picked: {author: 'Kim'}, earlier: {slackThread: '1.0'}},
      },
    ])
    expect(begun[0]?.options).not.toHaveProperty('model', '')
    expect(desk.marks).toEqual(['withdrawn https://w'])
    await submit('start', start, values, 'two')
    expect([begun.length, said]).toEqual([1, [`${startTexts.chosen}\nYou wrote:\n>mend it`]])
  })

  test.each([
    ['', {picked: undefined, files: [], earlier: undefined}],
    ['message', {picked: request.picked, earlier: undefined}],
    ['thread', {picked: undefined, files: [], earlier: request.earlier}],
  ])('takes along what is ticked: %s', async (include, along) => {
    const {submit, begun, startOf} = await setUp()
    await submit('start', await startOf(request), {task: 'mend it', include, plan: ''})
    expect(begun).toMatchObject([{...along, options: {plan: 'no'}}])
  })

  test('may be sent once more where nothing began', async () => {
    const {submit, begun, said, startOf, state, desk} = await setUp()
    const start = await startOf(request)
    state.beginning = {answer: {text: 'too many'}}
    await submit('start', start, {task: 'mend it'}, 'one')
    expect([said, desk.marks]).toEqual([['too many\nYou wrote:\n>mend it'], []])
    const elements = [button('a', 'Small', `${start.id} size=small`)]
    state.beginning = {answer: {text: 'which size?', blocks: [{type: 'actions', elements}]}}
    await submit('start', start, {task: 'mend it'}, 'asked')
    expect(said.at(-1)).toBe('which size?')
    state.beginning = undefined
    await submit('start', start, {task: 'mend it'}, 'two')
    expect(begun).toHaveLength(3)
  })

  test('tells the agent that works there, or asks first where files can’t go along', async () => {
    const {submit, startOf, desk, state, said, store} = await setUp()
    const start = await startOf(request)
    await submit('send', start, {task: 'look at this', include: 'message'}, 'one')
    expect([desk.calls, said]).toEqual([['send'], []])
    expect(desk.marks).toEqual(['admitted 5.0', 'withdrawn https://w'])
    state.notPassed = [{name: 'clip.mov', why: 'too-large', size: 60_000_000}]
    await submit('send', start, {task: 'and this', include: 'message'}, 'two')
    expect([desk.calls, said]).toEqual([['send'], [expect.stringContaining('clip.mov')]])
    const all = await store.sends.ofMessage((await desk.link()).id, '5.0')
    expect(all.map(({state: now}) => now).toSorted()).toEqual(['kept', 'sent'])
  })

  test('has nobody to tell where the work is gone', async () => {
    const {submit, startOf, said, desk} = await setUp()
    await submit('send', await startOf({...request, slackThread: '7.0'}), {task: 'x'})
    expect([desk.calls, said]).toEqual([[], [startTexts.tooOld]])
  })
})

describe('a task whose files can’t go along', () => {
  test('begins without them, or not at all, as who asked says first', async () => {
    const {press, begun, said, startOf} = await setUp()
    const start = await startOf({})
    await press(ACTIONS.startWithout, start.id, 'one')
    expect(begun).toMatchObject([{task: 'mend it', isWithout: true}])
    await press(ACTIONS.startNot, start.id, 'two')
    await press(ACTIONS.startWithout, start.id, 'three')
    expect([begun.length, said]).toEqual([1, [startTexts.chosen, startTexts.chosen]])
    const other = await startOf({requestId: 'other'})
    await press(ACTIONS.startNot, other.id, 'four')
    expect(said.at(-1)).toBe(startTexts.without.notStarted)
  })

  test('can be begun once more where nothing began', async () => {
    const {press, begun, startOf, state} = await setUp()
    const {id} = await startOf({})
    state.beginning = {answer: {text: 'too many'}}
    await press(ACTIONS.startWithout, id, 'one')
    state.beginning = undefined
    await press(ACTIONS.startWithout, id, 'two')
    expect(begun).toHaveLength(2)
  })
})
