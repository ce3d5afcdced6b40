import {describe, expect, test} from 'vitest'
import {createLimits} from '../../../src/agents/budgets/limits.ts'
import {createSettings} from '../../../src/agents/channel-settings.ts'
import {createEditActs} from '../../../src/features/conversation/edits.ts'
import {createFollowUps} from '../../../src/features/conversation/follow-ups.ts'
import {createMessages} from '../../../src/features/conversation/messages.ts'
import {createStarter} from '../../../src/features/conversation/starting/starter.ts'
import {startTexts} from '../../../src/features/conversation/start-texts.ts'
import {conversationTexts} from '../../../src/features/conversation/texts.ts'
import {PlatformForbidden} from '../../../src/platform/errors.ts'
import type {StartRequest} from '../../../src/slack/gate/start-request.ts'
import type {Interaction} from '../../../src/slack/incoming/interaction.ts'
import type {PersonsMessage} from '../../../src/slack/incoming/message.ts'
import {texts} from '../../../src/slack/texts.ts'
import type {LinkChange} from '../../../src/store/tables/work/link.ts'
import {newLink} from '../../store/temporary-store.ts'
import {openDesk} from '../../support/desk.ts'

const who = {team: 'T1', user: 'U1', userTeam: 'T1'}
const CLIP = {name: 'clip.mov', why: 'too-large', size: 60_000_000}

/** Messages as they come in, with the work of U1 in the Slack thread 1.0 of C1. */
async function setUp(change: LinkChange = {}) {
  const desk = await openDesk(change)
  const {deps, store, tools} = desk
  const state = {
    begun: [] as StartRequest[],
    notPassed: [] as object[],
    earlierEdits: [] as {key: string}[],
    overtaken: 0,
  }
  const shown: string[] = []
  const replies = {
    ...tools.replies,
    seen: () => undefined,
    settled: () => undefined,
    stopped: () => undefined,
    say: (_at: object, {text}: {text: string}) => void shown.push(text),
  }
  const all = {
    ...{...tools, replies, botUserId: 'UBOT'},
    settingsOf: createSettings(store.bindings, {projectId: 'p'}),
    help: {first: async () => ({text: 'help'})},
    prompts: {
      pack: async (text: string) => ({text, read: 0, passed: [], notPassed: state.notPassed}),
    },
    inbox: {isOpen: async () => false, handledBefore: async () => state.earlierEdits},
    reviewWord: async () => ({}),
    modelWord: async (text: string) => ({outcome: 'answer', text}),
    greeter: {met: async () => undefined},
    list: async () => ({answer: {text: 'a list'}}),
    overtaken: async () => void (state.overtaken += 1),
    whereIs: async () => 'over there',
    begin: async (request: StartRequest) => void state.begun.push(request),
  } as never
  const followUps = createFollowUps(all)
  const messages = createMessages({...(all as object), followUps} as never)
  const acts = [
    ...messages.acts,
    ...createEditActs({...(all as object), followUps, messages} as never),
  ]
  let row = 1000
  const run = async (interaction: Interaction) =>
    desk.run(acts, interaction, {
      ...{id: (row += 1)},
      key: JSON.stringify([interaction.kind, 'T1', 'C1', String(row)]),
    })
  const message = {kind: 'message', ...who, channel: 'C1', ts: '5.0', threadTs: undefined} as const
  const bare = {isDirect: false, files: [], forwarded: []}
  return {
    ...{desk, state, shown, said: desk.said, judged: desk.judged, calls: desk.calls, store, deps},
    say: async (text: string, more: Partial<PersonsMessage> = {}) =>
      run({...message, ...bare, text, ...more}),
    reply: async (text: string, more: Partial<PersonsMessage> = {}) =>
      run({...message, ...bare, text, threadTs: '1.0', ...more}),
    edit: async (before: string | undefined, text: string, more = {}) =>
      run({
        ...{
          ...message,
          kind: 'message changed',
          threadTs: '1.0',
          before,
          text,
          files: [],
          forwarded: [],
        },
        ...{eventTs: '9.0', ...more},
      } as unknown as Interaction),
    remove: async (ts: string, threadTs?: string) =>
      run({...message, kind: 'message deleted', ts, threadTs, before: '<@UBOT> fix it'}),
    textsOf: async (ts: string) => {
      const sends = await store.sends.ofMessage((await desk.link()).id, ts)
      return sends.map(({text, state: now}) => [text.split('\n')[1], now])
    },
  }
}

describe('a message that asks for work', () => {
  const mention = {ts: '5.0', threadTs: undefined}

  test('is heard anew when it is edited, for as long as nothing came of it', async () => {
    const {edit, state} = await setUp()
    await edit('fix it', '<@UBOT> fix it', mention)
    await edit('<@UBOT> fixit', '<@UBOT> mend it', mention)
    await edit('<@UBOT> mend it', 'mend it', mention)
    expect(state.begun.map(({task}) => task)).toEqual(['fix it', 'mend it'])
    expect(new Set(state.begun.map(({requestId}) => requestId))).toEqual(
      new Set(['slack:T1:C1:5.0']),
    )
  })

  test('is not heard anew where its word was heeded, also in direct messages', async () => {
    const {edit, calls, said, store, state} = await setUp()
    const place = {team: 'T1', channel: 'D1', slackThread: '1.0'}
    const {id} = await store.links.open({...newLink, place, requestId: 'direct'}, 0)
    await store.links.change(id, {state: 'open', threadId: 'td', status: 'active'})
    await edit('stop', 'stop it', {channel: 'D1'})
    await edit('!aside lunch?', 'dinner?', {channel: 'D1'})
    expect([calls, said, state.begun]).toEqual([[], [], []])
  })

  test('is not heard anew where nobody says what it was before, and is corrected all the same', async () => {
    const {edit, reply, textsOf, state} = await setUp()
    await edit(undefined, '<@UBOT> stop')
    await reply('and tets', {ts: '5.5'})
    await edit(undefined, 'and tests', {ts: '5.5'})
    expect(state.begun).toEqual([])
    const said = (await textsOf('5.5')).map(([text]) => text)
    expect(said).toEqual(['and tets', 'Correction: and tests'])
  })

  test('is not heard anew when somebody corrects it days later', async () => {
    const {edit, state} = await setUp()
    await edit('<@UBOT> fixit', '<@UBOT> fix it', {...mention, eventTs: '90000.0'})
    expect(state.begun).toEqual([])
  })

  test('is asked about no more once it is deleted', async () => {
    const {remove, store, said} = await setUp()
    const requestId = 'slack:T1:C1:5.0'
    const asked = {requestId, team: 'T1', user: 'U1', request: {channel: 'C1', requestId}}
    const request = {...asked.request, task: 'fix it', options: {}, files: [], forwarded: []}
    const {id} = await store.starts.open({...asked, request}, 0)
    await remove('4.0')
    expect(await store.starts.byId(id)).toBeDefined()
    await remove('5.0')
    expect(await store.starts.byId(id)).toBeUndefined()
    expect(said).toEqual([])
  })

  test('is heard anew while it is asked about, also where other work stands', async () => {
    const {edit, remove, store, state} = await setUp()
    const requestId = 'slack:T1:C1:5.0'
    await edit('<@UBOT> new fix it', '<@UBOT> new mend it')
    expect(state.begun).toEqual([])
    const asked = {requestId, team: 'T1', user: 'U1', request: {channel: 'C1', requestId}}
    const {id} = await store.starts.open(asked, 0)
    await edit('<@UBOT> new mend it', '<@UBOT> new bend it')
    expect(state.begun).toMatchObject([{task: 'bend it', requestId}])
    await remove('5.0', '1.0')
    expect(await store.starts.byId(id)).toBeUndefined()
  })
})

describe('what people say to each other below work', () => {
  test('is nobody’s to refuse, nor what they make of it', async () => {
    const {reply, edit, remove, judged, calls, deps, desk} = await setUp({status: 'active'})
    await reply('<@U2> can you look?')
    await edit('<@U2> can you look?', '<@U2> can you look at it?')
    await remove('5.0', '1.0')
    await deps.links.change((await desk.link()).id, {muted: true})
    await reply('lunch?', {ts: '6.0'})
    expect([judged, calls]).toEqual([[], []])
  })

  test('is told where somebody is asked and only mentions are heard, also where it is muted', async () => {
    const {reply, said, store, desk} = await setUp({muted: true, status: 'active'})
    const by = {user: 'U9', nowMs: 1}
    await store.bindings.change({team: 'T1', channel: 'C1'}, {followUps: 'mention'}, by)
    const {id} = await desk.link()
    const call = {
      linkId: id,
      key: 'k',
      kind: 'needs-you',
      person: 'U1',
      words: {},
      remindAtMs: 5,
    } as const
    await store.notifications.add(call, 1)
    await reply('B', {ts: '6.0'})
    expect(said).toHaveLength(1)
  })

  test('is the agent’s where it is spoken to, by a mention or a word of its own', async () => {
    const {reply, edit, remove, judged, deps, desk} = await setUp({muted: true, status: 'active'})
    await reply('!now stop that', {ts: '6.0'})
    await reply('<@UBOT> <@U2> says so', {ts: '7.0'})
    expect(judged).toEqual(['message', 'message'])
    await edit('!now stop that', '!now stop it', {ts: '6.0'})
    await remove('7.0', '1.0')
    expect(judged.slice(2)).toEqual(['message changed', 'message deleted'])
    expect(await deps.sends.ofMessage((await desk.link()).id, '7.0')).not.toEqual([])
  })
})

describe('a mention', () => {
  test.each<[string, string | undefined, object | undefined]>([
    [
      '<@UBOT> fix it',
      undefined,
      {task: 'fix it', slackThread: '5.0', requestId: 'slack:T1:C1:5.0'},
    ],
    ['<@UBOT> size=large fix it', undefined, {task: 'fix it', options: {size: 'large'}}],
    ['<@UBOT>', 'help', undefined],
    ['<@UBOT> \u200B\u2060', 'help', undefined],
    ['<@UBOT> help', 'help', undefined],
    ['<@UBOT> \u200Ehelp', 'help', undefined],
    ['\u200E<@UBOT> size=large fix it', undefined, {task: 'fix it', options: {size: 'large'}}],
    ['<@UBOT> new', startTexts.emptyTask, undefined],
    ['<@UBOT> size=large', startTexts.emptyTask, undefined],
    ['<@UBOT> stop', 'a list', undefined],
    ['<@UBOT> mute', startTexts.noAgent(startTexts.purposes.mute), undefined],
    ['fix it', undefined, undefined],
  ])('%s where no agent works', async (text, answer, request) => {
    const {say, said, state} = await setUp()
    await say(text)
    expect(said).toEqual(answer === undefined ? [] : [answer])
    expect(state.begun).toMatchObject(request === undefined ? [] : [request])
  })

  test('in a discussion takes that along, and what came before it is looked at', async () => {
    const {say, state} = await setUp()
    await say('<@UBOT> fix it', {threadTs: '4.0'})
    expect(state.begun).toMatchObject([
      {slackThread: '4.0', earlier: {channel: 'C1', slackThread: '4.0', beforeTs: '5.0'}},
    ])
    expect(state.overtaken).toBe(1)
  })

  test('with "new" where an agent works starts a second one, below a message of its own', async () => {
    const {reply, state, said, calls} = await setUp()
    await reply('<@UBOT> new fix it')
    expect(state.begun).toMatchObject([{task: 'fix it', slackThread: undefined}])
    expect([state.overtaken, calls]).toEqual([0, []])
    await reply('<@UBOT> new')
    expect(said).toEqual([startTexts.emptyTask])
  })

  test('in direct messages needs no mention, and lists what waits for somebody', async () => {
    const {say, state, said} = await setUp()
    const direct = {channel: 'D1', isDirect: true}
    await say(texts.commands.list.waitsOnMe, direct)
    expect([said, state.begun]).toEqual([['a list'], []])
    await say('fix it', direct)
    expect(state.begun).toMatchObject([{task: 'fix it', channel: 'D1'}])
  })
})

describe('a captain at home', () => {
  const setUpHome = async (change: LinkChange = {}) => {
    const setting = await setUp({face: {name: 'Ada'}, ...change})
    const {store, desk} = setting
    await store.links.setHome({team: 'T1', channel: 'C1'}, (await desk.link()).id)
    return setting
  }

  test('is asked by a mention, and everybody sees where it answers', async () => {
    const {say, calls, shown, state} = await setUpHome()
    await say('<@UBOT> how is it going?')
    expect([calls, state.begun]).toEqual([['send'], []])
    expect(shown).toEqual([conversationTexts.captainAnswers('Ada', 'over there')])
  })

  test('is not asked where new work is wanted, or help', async () => {
    const {say, calls, said, state} = await setUpHome()
    await say('<@UBOT> new fix it')
    await say('<@UBOT> help')
    await say('<@UBOT> new')
    expect([calls, said]).toEqual([[], ['help', startTexts.emptyTask]])
    expect(state.begun).toMatchObject([{task: 'fix it', slackThread: '5.0'}])
  })

  test('that is gone lets new work begin, and that is said', async () => {
    const {say, calls, said, state} = await setUpHome({state: 'ended'})
    await say('<@UBOT> fix it')
    expect(state.begun).toMatchObject([{task: 'fix it'}])
    expect([calls, said]).toEqual([[], [conversationTexts.captainGone('Ada')]])
  })

  test('hears of an edit of what was written to it', async () => {
    const {say, edit, textsOf, state} = await setUpHome()
    await say('<@UBOT> how is it?')
    await edit('<@UBOT> how is it?', '<@UBOT> how is it now?', {threadTs: undefined})
    expect(await textsOf('5.0')).toEqual([
      ['how is it?', 'sent'],
      ['Correction: how is it now?', 'sent'],
    ])
    expect(state.begun).toEqual([])
  })
})

describe('a reply to an agent', () => {
  test('goes to it, with the name of who wrote it', async () => {
    const {reply, calls, said, desk, textsOf} = await setUp()
    await reply('use staging')
    expect([calls, said]).toEqual([['send'], []])
    expect(await textsOf('5.0')).toEqual([['use staging', 'sent']])
    expect(desk.marks).toEqual(['admitted 5.0'])
  })

  test('is talk between people where only mentions go to it, unless it is a word for it', async () => {
    const {reply, calls, store} = await setUp({status: 'active'})
    const by = {user: 'U9', nowMs: 1}
    await store.bindings.change({team: 'T1', channel: 'C1'}, {followUps: 'mention'}, by)
    await reply('thanks')
    expect(calls).toEqual([])
    await reply('<@UBOT> thanks')
    await reply('!now look here', {ts: '5.1'})
    await reply('stop', {ts: '5.2'})
    expect(calls).toEqual(['send', 'send', 'cancel', 'interrupt'])
  })

  test('where only mentions go to it, is told so to who answers without one, once; so says unmute', async () => {
    const {reply, calls, store, said, desk} = await setUp()
    const by = {user: 'U9', nowMs: 1}
    await store.bindings.change({team: 'T1', channel: 'C1'}, {followUps: 'mention'}, by)
    const asked = {kind: 'needs-you', person: 'U1', words: {question: 'A or B?'}} as const
    const linkId = (await desk.link()).id
    await store.notifications.add({...asked, linkId, key: 'n', remindAtMs: undefined}, 1)
    await reply('A, please', {user: 'U2'})
    expect(said).toEqual([])
    await reply('A, please')
    await reply('hello?')
    expect([calls, said]).toEqual([[], [conversationTexts.words.mentionMe]])
    await reply('unmute')
    expect(said.at(-1)).toBe(conversationTexts.words.notMutedToMentions)
    for (const word of ['mute', 'unmute']) await reply(word)
    expect(said.at(-1)).toBe(conversationTexts.words.unmutedToMentions)
  })

  test('that mentions somebody else stays between people', async () => {
    const {reply, calls} = await setUp()
    await reply('<@U7> what do you think?')
    expect(calls).toEqual([])
  })

  test('waits for a word where its files can’t go along', async () => {
    const {reply, state, calls, said, textsOf} = await setUp()
    state.notPassed = [CLIP]
    await reply('look')
    expect([calls, await textsOf('5.0')]).toEqual([[], [['look', 'kept']]])
    expect(said).toEqual([expect.stringContaining('clip.mov')])
    await reply('<@UBOT>')
    expect(said.at(-1)).toContain(startTexts.without.nothingSent)
  })

  test('that the platform declines says why', async () => {
    const {reply, desk, said} = await setUp()
    desk.answers.send = new PlatformForbidden('no', {status: 403, fields: {message: 'Not you'}})
    await reply('use staging')
    expect(said).toEqual([expect.stringContaining('Not you')])
    expect(desk.marks).toEqual([])
  })

  test('is muted, and mentions go on', async () => {
    const {reply, calls, said} = await setUp()
    const {muted, alreadyMuted, unmuted} = conversationTexts.words
    for (const word of ['mute', 'mute', 'hello', '<@UBOT> hello', 'unmute']) await reply(word)
    expect([calls, said]).toEqual([['send'], [muted, alreadyMuted, unmuted]])
  })

  test('to a task is told where its agent is', async () => {
    const {reply, calls, said} = await setUp({taskId: 'k'})
    await reply('use staging')
    expect([calls, said]).toEqual([[], [texts.tasks.readOnly(undefined)]])
  })
})

describe('an edit', () => {
  test('of a reply corrects it, unless a later one was handled before it', async () => {
    const {reply, edit, textsOf, state} = await setUp()
    await reply('one')
    state.earlierEdits = [{key: JSON.stringify(['message changed', 'T1', 'C1', '5.0', '8.0'])}]
    await edit('one', 'two')
    state.earlierEdits.push({key: JSON.stringify(['message changed', 'T1', 'C1', '5.0', '9.5'])})
    await edit('two', 'three')
    expect(await textsOf('5.0')).toEqual([
      ['one', 'sent'],
      ['Correction: two', 'sent'],
    ])
  })

  test('of the message that began the work corrects the task, and of a word does nothing', async () => {
    const {store, edit, textsOf, desk} = await setUp()
    const place = {team: 'T1', channel: 'C1', slackThread: '5.0'}
    const begun = {place, requestId: 'slack:T1:C1:5.0', projectId: 'p', startedBy: 'U1'}
    const {id} = await store.links.open({...begun, threadId: 't5'}, 1)
    const of = {threadTs: undefined}
    await edit('<@UBOT> size=large fix it', '<@UBOT> size=small fix it', of)
    expect(await store.sends.ofMessage(id, '5.0')).toEqual([])
    await edit('<@UBOT> size=large fix it', '<@UBOT> size=large mend it', of)
    const [send] = await store.sends.ofMessage(id, '5.0')
    expect(send?.text.split('\n')[1]).toBe('Correction: mend it')
    await edit('stop', 'stop it', {ts: '6.0'})
    expect([await textsOf('6.0'), desk.calls]).toEqual([[], ['send']])
  })

  test('that put in the mention by which work began is no correction of it', async () => {
    const {store, edit} = await setUp()
    const place = {team: 'T1', channel: 'C1', slackThread: '5.0'}
    const begun = {place, requestId: 'slack:T1:C1:5.0', projectId: 'p', startedBy: 'U1'}
    const ask = {message: 'fix it\n\n---\nA file'}
    const {id} = await store.links.open({...begun, ask, threadId: 't5'}, 1)
    const of = {threadTs: undefined}
    await edit('@bosn fix it', '<@UBOT> fix it', of)
    await edit('<@UBOT> fix it', 'fix it', of)
    expect(await store.sends.ofMessage(id, '5.0')).toEqual([])
    await edit('fix it', '<@UBOT> mend it', of)
    expect(await store.sends.ofMessage(id, '5.0')).toHaveLength(1)
  })

  test('of what began work elsewhere corrects its task, without the word that asked for it', async () => {
    const {store, edit} = await setUp()
    const place = {team: 'T1', channel: 'C1', slackThread: '20.0'}
    const begun = {place, requestId: 'slack:T1:C1:5.0', projectId: 'p', startedBy: 'U1'}
    const {id} = await store.links.open({...begun, threadId: 't5'}, 1)
    await edit('<@UBOT> new fix it', '<@UBOT> new mend it')
    const [send] = await store.sends.ofMessage(id, '5.0')
    expect(send?.text.split('\n')[1]).toBe('Correction: mend it')
  })

  test('of talk between people is nothing to the agent', async () => {
    const {edit, calls} = await setUp()
    await edit('one', 'two', {threadTs: undefined, ts: '7.0'})
    await edit('one', 'two', {threadTs: '7.0'})
    expect(calls).toEqual([])
  })
})

describe('work', () => {
  const request: StartRequest = {
    ...{
      requestId: 'r9',
      channel: 'C1',
      slackThread: '9.0',
      task: 'mend it',
      options: {},
      files: [],
    },
    forwarded: [],
  }
  const opened = async () => {
    const {deps, store, calls, answers, stateOf} = await openDesk()
    const state = {
      prompt: {read: 0, isUnread: false, passed: [], notPassed: []} as object,
      code: '',
      receivedAtMs: deps.nowMs(),
      told: 0,
      said: [] as string[],
    }
    const settingsOf = createSettings(store.bindings, {projectId: 'p'})
    const signs: string[] = []
    const sign = (name: string) => (_channel: string, ts: string) => void signs.push(name + ts)
    const begin = createStarter({
      ...{deps, budgets: deps.budgets, settingsOf},
      replies: {
        ...{seen: sign('+'), settled: sign('-')},
        say: (_place: object, {text}: {text: string}) => void state.said.push(text),
      },
      catalogue: {projects: async () => []},
      prompts: {pack: async (text: string) => ({text, ...state.prompt})},
      announcer: {settle: async () => (state.code === '' ? {ts: '20.0'} : {code: state.code})},
      limits: createLimits({uses: store.uses, nowMs: deps.nowMs}),
      unconnected: {answer: async (_user: string, what: string) => ({text: `no ${what}`})},
    } as never)
    const handling = () => ({
      ...{signal: new AbortController().signal, row: {receivedAtMs: state.receivedAtMs}},
      mayTell: async () => (state.told += 1) === 1,
    })
    return {
      ...{store, calls, answers, state, stateOf, signs},
      begin: async (more: Partial<StartRequest> = {}) =>
        (await begin({...request, ...more}, {team: 'T1', user: 'U1'}, handling() as never))?.answer
          ?.text,
      limit: (settings: object) =>
        store.bindings.change({team: 'T1', channel: 'C1'}, settings, {user: 'U9', nowMs: 1}),
    }
  }

  test('begins once, with what is noted of its first message', async () => {
    const {begin, calls, store, state} = await opened()
    const passed = ['a.txt']
    state.prompt = {read: 3, isUnread: true, passed, notPassed: []}
    expect(await begin()).toBeUndefined()
    expect(await begin()).toBeUndefined()
    expect(calls).toEqual(['create'])
    const link = await store.links.byRequest('r9')
    expect(link).toMatchObject({
      ...{place: {slackThread: '9.0'}, title: 'mend it', startedBy: 'U1', projectId: 'p'},
      notes: {read: 3, unread: true, passed},
    })
  })

  test('notes nothing of a message with nothing to note', async () => {
    const {begin, store} = await opened()
    await begin()
    expect(Object.keys((await store.links.byRequest('r9'))?.notes ?? {})).toEqual(['byKey'])
  })

  test('begins below a new message of ours, or says why that can’t be', async () => {
    const {begin, store, state} = await opened()
    state.code = 'is_archived'
    expect(await begin({slackThread: undefined})).toBe(startTexts.cannotWrite('is_archived'))
    expect(await store.links.byRequest('r9')).toBeUndefined()
    state.code = ''
    expect(await begin({slackThread: undefined})).toBeUndefined()
    expect((await store.links.byRequest('r9'))?.place.slackThread).toBe('20.0')
  })

  test('calls who asked where it fails when they have looked away, once', async () => {
    const {begin, state, answers} = await opened()
    answers.create = new PlatformForbidden('no', {status: 403, fields: {message: 'Not <you>'}})
    expect(await begin()).toBeUndefined()
    expect(state.said).toEqual([])
    state.receivedAtMs -= 61_000
    await begin({requestId: 'r10', slackThread: '10.0'})
    await begin({requestId: 'r11', slackThread: '11.0'})
    expect(state.said).toEqual([
      '🔴 <@U1>, this failed: The agent platform declined: Not &lt;you&gt;',
    ])
  })

  test('does not begin where other work stands', async () => {
    const {begin, calls} = await opened()
    expect(await begin({slackThread: '1.0'})).toBe(startTexts.taken)
    expect(calls).toEqual([])
  })

  test('waits for a word where files can’t go along, and begins without them', async () => {
    const {begin, calls, state} = await opened()
    state.prompt = {read: 0, isUnread: false, passed: [], notPassed: [CLIP]}
    expect(await begin()).toContain('clip.mov')
    expect(calls).toEqual([])
    expect(await begin({isWithout: true})).toBeUndefined()
    expect(calls).toEqual(['create'])
  })

  test('begins as often as its channel lets it, and within its budget', async () => {
    const {begin, calls, limit} = await opened()
    await limit({startsPerPerson: 1})
    const told = await begin()
    expect(told).toContain('1')
    expect(calls).toEqual([])
    await limit({startsPerPerson: 2})
    expect(await begin()).toBeUndefined()
    await limit({startsPerPerson: 0, budgetPerWork: 0})
    expect(await begin({requestId: 'r10', slackThread: '10.0'})).toContain('$0')
    expect(calls).toEqual(['create'])
  })

  test('asks for a value that is wrong, in words of its own', async () => {
    const {begin, calls} = await opened()
    expect(await begin({options: {size: 'giant'}})).toContain('giant')
    expect(calls).toEqual([])
  })

  test('shows 👀 on the message that asks for it, and no longer where it is answered instead', async () => {
    const {begin, signs} = await opened()
    const asked = {requestId: 'slack:T1:C1:9.0'}
    await begin({...asked, options: {size: 'giant'}})
    expect(signs).toEqual(['+9.0', '-9.0'])
    // Whoever then chose a size that there is finds it again.
    await begin(asked)
    expect(signs.slice(2)).toEqual(['+9.0'])
    await begin(asked)
    expect(signs.slice(3)).toEqual([])
  })

  test('leaves its place free where it did not begin', async () => {
    const {begin, limit, state} = await opened()
    await limit({startsPerPerson: 2})
    state.code = 'is_archived'
    for (const requestId of ['a', 'b']) await begin({requestId, slackThread: undefined})
    expect(await begin()).toBeUndefined()
  })
})
