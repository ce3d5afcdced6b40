import {type Begun, type Stage, readAll} from './stage.ts'
import type {SightTally} from './tally.ts'

/** Somebody of the team, with a form or a list open; whoever stays may go on with it, whoever leaves may not. */
interface Somebody {
  id: string
  /** Where they write to Bosun alone. */
  messages: string
  /** Stands in what is theirs, and nowhere else. */
  word: string
}

interface Interaction {
  name: string
  open: (stage: Stage, one: Somebody) => Promise<void>
  act: (stage: Stage, one: Somebody) => Promise<unknown>
  /** Whether something came of it. */
  isDone: (stage: Stage, one: Somebody) => boolean
}

/** What members of the team do with what they opened there: each is done once by one who stays, once by one who has left. */
export async function probeLeavers(stage: Stage, {judge}: SightTally): Promise<void> {
  const {many, channelOf} = stage
  const team = channelOf('team')
  const cast: {interaction: Interaction; fate: 'stays' | 'has left'; one: Somebody}[] = []
  for (const [index, interaction] of DEEDS.entries()) {
    for (const fate of ['stays', 'has left'] as const) {
      const letter = String.fromCharCode(97 + index)
      const word = `${fate === 'stays' ? 'vole' : 'shrew'}${letter}`
      const one = {...(await stage.addPerson(word)), word}
      await many.slack.people.invite(team, one.id)
      await interaction.open(stage, one)
      cast.push({interaction, fate, one})
    }
  }
  const left = cast.filter(({fate}) => fate === 'has left')
  for (const {one} of left) await many.slack.people.kick(team, one.id)
  await many.until('Slack has told it', () => {
    const told = many.slack.ledger.deliveries.filter(({outcome}) => outcome === 'pending')
    return told.length === 0
  })
  // Whoever may is the second: what came of theirs shows that the first has been read.
  const order = [...left, ...cast.filter(({fate}) => fate === 'stays')]
  for (const {interaction, one} of order) await interaction.act(stage, one)
  for (const {interaction, fate, one} of order) {
    if (fate !== 'stays') continue
    await many.until(
      `${interaction.name} of who stays`,
      () => interaction.isDone(stage, one),
      20_000,
    )
  }
  await stage.quiet()
  for (const {interaction, fate, one} of order) {
    const verdict = fate === 'stays' ? 'shown' : 'hidden'
    judge(`${interaction.name}, by one who ${fate}`, verdict, {
      isShown: interaction.isDone(stage, one),
    })
  }
}

const TASKS = 35

const DEEDS: readonly Interaction[] = [
  {
    name: 'another page of tasks',
    open: async (stage, one) => {
      await openTasks(stage, one, TASKS)
    },
    act: (stage, {id}) => stage.many.slack.people.useView({as: id, actionId: 'bosun:tasks-page'}),
    isDone: (stage, {id, word}) => modalOf(stage, id).includes(`Part ${TASKS} of ${word}`),
  },
  {
    name: 'the messages of a task',
    open: async (stage, one) => {
      await openTasks(stage, one, 1)
    },
    act: (stage, {id}) =>
      stage.many.slack.people.useView({as: id, actionId: 'bosun:task-messages'}),
    isDone: (stage, {id, word}) => modalOf(stage, id).includes(`Did it for ${word}`),
  },
  {
    name: 'a task is followed',
    open: async (stage, one) => {
      await openTasks(stage, one, 1)
      const {many} = stage
      await many.slack.people.useView({as: one.id, actionId: 'bosun:task-messages'})
      await many.until('its messages', () => modalOf(stage, one.id).includes('Did it for'))
    },
    act: (stage, {id}) => stage.many.slack.people.useView({as: id, actionId: 'bosun:follow-task'}),
    isDone: (stage, {word}) => headsOf(stage).some((text) => text.includes(`Part 1 of ${word}`)),
  },
  {
    name: 'an answer is sent off',
    open: async (stage, one) => {
      const begun = await needsSomebody(stage, one)
      await press(stage, begun, one.id, 'bosun:answer')
      await stage.many.until('the form', () => modalOf(stage, one.id).includes(one.word))
    },
    act: (stage, {id, word}) => submit(stage, id, {answer: `A, says ${word}`}),
    isDone: (stage, {word}) => isSent(stage, '/message', `A, says ${word}`),
  },
  {
    name: 'Answer in App Home',
    open: async (stage, one) => {
      await needsSomebody(stage, one)
      await openHome(stage, one)
    },
    act: (stage, {id}) => stage.many.slack.people.useView({as: id, actionId: 'bosun:answer'}),
    isDone: (stage, {id, word}) => modalOf(stage, id).includes(word),
  },
  {
    name: 'Stop in App Home',
    open: async (stage, one) => {
      threads.set(one.id, await works(stage, one))
      await openHome(stage, one)
    },
    act: (stage, {id}) => stage.many.slack.people.useView({as: id, actionId: 'bosun:stop'}),
    isDone: (stage, {id}) => isSent(stage, `${threads.get(id)?.threadId ?? ''}/interrupt`, ''),
  },
  {
    name: 'Stop in a list of one’s own',
    open: async (stage, one) => {
      threads.set(one.id, await works(stage, one))
      const at = {channel: one.messages, place: 'owner’s messages' as const}
      const list = await stage.type(one.id, at, '/bosun mine')
      if (!list.includes(one.word)) throw new Error(`Their own work is not listed: ${list}`)
    },
    act: async (stage, {id, messages}) => {
      const list = stage.many.slack.ephemerals(messages, id).at(-1)
      const {people} = stage.many.slack
      const at = {as: id, channel: messages, ts: list?.ts ?? ''}
      return people.press({...at, actionId: 'bosun:list-stop'})
    },
    isDone: (stage, {id}) => isSent(stage, `${threads.get(id)?.threadId ?? ''}/interrupt`, ''),
  },
  {
    name: 'Stop and archive',
    open: async (stage, one) => {
      const begun = await works(stage, one)
      threads.set(one.id, begun)
      await press(stage, begun, one.id, 'bosun:ask-archive')
      await stage.many.until('it is asked', () => modalOf(stage, one.id) !== '')
    },
    act: (stage, {id}) => stage.many.slack.people.submitView({as: id}),
    isDone: (stage, {id}) => isSent(stage, `${threads.get(id)?.threadId ?? ''}/archive`, ''),
  },
  {
    name: 'new work is sent off',
    open: async (stage, one) => {
      const command = {as: one.id, channel: stage.channelOf('team'), command: '/bosun', text: 'new'}
      await stage.many.slack.people.command(command)
      await stage.many.until('the form', () => modalOf(stage, one.id) !== '')
    },
    act: (stage, {id, word}) => submit(stage, id, {task: `a quick check of the ${word}`}),
    isDone: (stage, {word}) => isSent(stage, '/threads', `a quick check of the ${word}`),
  },
  {
    name: 'a message is sent to Bosun',
    open: async (stage, one) => {
      const {people} = stage.many.slack
      const channel = stage.channelOf('team')
      const {ts} = await people.post({as: one.id, channel, text: 'The totals are wrong.'})
      await people.messageShortcut({as: one.id, channel, ts, callbackId: 'bosun:send'})
      await stage.many.until('the form', () => modalOf(stage, one.id) !== '')
    },
    act: (stage, {id, word}) => submit(stage, id, {task: `a quick check of the ${word}`}),
    isDone: (stage, {word}) => isSent(stage, '/threads', `a quick check of the ${word}`),
  },
  {
    name: 'an answer to what the team was told of',
    open: async (stage, one) => {
      const threadId = await stage.beginElsewhere(`ask me about the ${one.word}`, 'web')
      const channel = stage.channelOf('team')
      const told = await stage.many.until('the team is told', () =>
        stage.messages(channel).find((message) => readAll(message).includes(one.word)),
      )
      threads.set(one.id, {threadId, channel, ts: told.ts})
      const at = {as: one.id, channel, ts: told.ts}
      await stage.many.slack.people.press({...at, actionId: 'bosun:answer-watched'})
      await stage.many.until('the form', () => modalOf(stage, one.id).includes(one.word))
    },
    act: (stage, {id, word}) => submit(stage, id, {text: `A, says ${word}`}),
    isDone: (stage, {word}) => isSent(stage, '/message', `A, says ${word}`),
  },
]

/** The work that somebody's interaction is about. */
const threads = new Map<string, Begun>()

function modalOf({many}: Stage, user: string): string {
  const view = many.slack.views(user).modals.at(-1)?.view
  return view === undefined ? '' : JSON.stringify(view)
}

function headsOf(stage: Stage): string[] {
  return stage
    .messages(stage.channelOf('team'))
    .filter(({botId, threadTs}) => botId !== undefined && threadTs === undefined)
    .map(readAll)
}

/** Whether the platform was asked to do so. */
function isSent({many}: Stage, path: string, words: string): boolean {
  return many.platform.ledger.some(
    (row) =>
      row.method === 'POST' &&
      row.path.endsWith(path) &&
      JSON.stringify(row.body ?? '').includes(words),
  )
}

function submit({many}: Stage, as: string, values: Record<string, string>): Promise<string> {
  const entries = Object.entries(values).map(([name, value]) => [name, {[name]: value}])
  return many.slack.people.submitView({
    as,
    values: Object.fromEntries(entries) as Record<string, Record<string, string>>,
  })
}

async function needsSomebody(stage: Stage, {id, word}: Somebody): Promise<Begun> {
  const begun = await stage.begin(id, 'team', `ask me about the ${word}`)
  await stage.many.until(`${word} is asked`, () =>
    stage.many
      .ours('T0LOCAL', begun)
      .some((message) => readAll(message).includes('"bosun:answer"')),
  )
  return begun
}

/** Work that goes on for longer than anybody looks. */
async function works(stage: Stage, {id, word}: Somebody): Promise<Begun> {
  const steps = [{kind: 'turn' as const, steps: [{kind: 'think' as const, delayMs: 3_600_000}]}]
  stage.many.platform.control.planScript({when: {text: word}, steps})
  const begun = await stage.begin(id, 'team', `have patience with the ${word}`)
  await stage.many.until(`${word} runs`, () =>
    stage.many.ours('T0LOCAL', begun).some(({text}) => text.includes('Working')),
  )
  return begun
}

async function openTasks(stage: Stage, {id, word}: Somebody, count: number): Promise<void> {
  const said = {kind: 'say' as const, fragments: [`Did it for ${word}.`]}
  const tasks = Array.from({length: count}, (_, index) => ({
    title: `Part ${index + 1} of ${word}`,
    steps: [said],
  }))
  stage.many.platform.control.planScript({
    when: {text: word},
    steps: [{kind: 'turn', steps: [{kind: 'tasks', text: 'Ran tasks', tasks}]}],
  })
  const begun = await stage.begin(id, 'team', `split the ${word}`)
  const {many} = stage
  await many.until(`${word} rests`, () =>
    many.platform
      .threads()
      .some((thread) => thread.id === begun.threadId && thread.status === 'idle'),
  )
  await many.until('its card', () =>
    many.ours('T0LOCAL', begun).some((message) => readAll(message).includes('bosun:tasks')),
  )
  await press(stage, begun, id, 'bosun:tasks')
  await many.until('its tasks', () => modalOf(stage, id).includes(`Part 1 of ${word}`))
}

async function openHome({many}: Stage, {id, word}: Somebody): Promise<void> {
  await many.slack.people.openHome({as: id})
  await many.until(`${word} stands in App Home`, () =>
    JSON.stringify(many.slack.views(id).home?.view ?? {}).includes(word),
  )
}

/** A button of the newest message that has it, or an entry of its menu. */
async function press(stage: Stage, at: Begun, as: string, actionId: string): Promise<void> {
  const {channel} = at
  for (const message of stage.many.ours('T0LOCAL', at).reverse()) {
    const drawn = JSON.stringify(message.blocks ?? [])
    const item = new RegExp(`"value":"(${actionId} [^"]*)"`).exec(drawn)?.[1]
    const target = {as, channel, ts: message.ts}
    if (drawn.includes(`"action_id":"${actionId}"`)) {
      await stage.many.slack.people.press({...target, actionId})
      return
    }
    if (item === undefined) continue
    await stage.many.slack.people.press({...target, actionId: 'bosun:menu', value: item})
    return
  }
  throw new Error(`No message of ours has a button ${actionId}.`)
}
