import {setTimeout as delay} from 'node:timers/promises'
import type {Dice} from '../../local/platform/agent/dice.ts'
import type {StoredMessage} from '../../local/slack/messages/messages.ts'
import {ACTIONS, STOP_SIGN} from '../../src/slack/ids.ts'
import {drawn, has, isAtWork, isListed, isToldOf, rowOf} from './deed-sights.ts'
import {type Story, tellStory} from './stories.ts'
import type {Talk} from './talks.ts'
import {JANE, KIM, type World} from './world.ts'

/** What people do in a talk besides writing to the agent. */
export interface Interactions {
  /** Goes on by itself; what people can't do just now they leave. */
  begin(talk: Talk, kind: InteractionKind): void
  /** Whether something was begun in it. */
  has(talk: Talk): boolean
  /** All that was begun is over. */
  ended(): Promise<void>
  /** How often each was done to its end. */
  done(): ReadonlyMap<InteractionKind, number>
}

interface InteractionsOptions {
  dice: Dice
  /** Nobody can be heard in this channel just now. */
  isClosed: (channel: string) => boolean
}

/** How long people wait for what they would press to appear. */
const PATIENCE_MS = 20_000
const EVERY_MS = 50
/** A person looks before they press. */
const LOOK_MS = 150

interface Stage {
  world: World
  talk: Talk
  as: string
  /** Looks until it is there; `undefined`: it does not come. */
  find: <Value>(look: () => Value | undefined | false) => Promise<Value | undefined>
  /** Writes something that the agent is going to tell a story about. */
  tell: (toText: (mark: string) => string, more?: Story['steps']) => Promise<StoredMessage>
  /** A story of this mark is told. */
  plan: (more?: Story['steps']) => string
  write: (text: string) => Promise<StoredMessage>
  /** What Slack said of the press: `undefined`: there was nothing to press. */
  press: (actionId: string, on?: {mark: string}) => Promise<string | undefined>
}

type Interaction = (stage: Stage) => Promise<boolean>

const DEEDS = {
  cancels: async ({talk, tell, press, find, world}) => {
    await tell(andThen)
    const mark = newest(talk)
    if ((await find(() => isListed(world, talk, mark))) === undefined) return false
    takeBack(talk, mark)
    return (await press(ACTIONS.cancel, {mark})) !== undefined
  },
  deletes: async ({talk, tell, find, world, as}) => {
    const message = await tell(andThen)
    const mark = newest(talk)
    if ((await find(() => isListed(world, talk, mark))) === undefined) return false
    takeBack(talk, mark)
    await world.slack.people.remove({as, channel: talk.place.channel, ts: message.ts})
    return true
  },
  edits: async ({talk, tell, plan, find, world, as}) => {
    const message = await tell(andThen)
    const before = newest(talk)
    const isThere = () => isListed(world, talk, before) || isToldOf(world, talk, before)
    if ((await find(isThere)) === undefined) return false
    takeBack(talk, before)
    const text = andThen(plan())
    await world.slack.people.edit({as, channel: talk.place.channel, ts: message.ts, text})
    return true
  },
  hurries: async ({talk, tell, press, find, world}) => {
    await tell(andThen)
    const mark = newest(talk)
    if ((await find(() => isListed(world, talk, mark))) === undefined) return false
    return (await press(ACTIONS.sendNow, {mark})) !== undefined
  },
  interrupts: async ({tell}) => {
    await tell((mark) => `!now and then ${mark}`)
    return true
  },
  steers: async ({tell}) => {
    await tell((mark) => `!steer and then ${mark}`)
    return true
  },
  whispers: async ({talk, write}) => {
    const mark = `${nameOf(talk)}-aside.`
    talk.aside = [...(talk.aside ?? []), mark]
    await write(`!aside it will not find ${mark}`)
    return true
  },
  stops: async ({talk, write, find, world}) => {
    await find(() => isAtWork(world, talk))
    await write('stop')
    return true
  },
  signs: async ({talk, find, world, as}) => {
    const card = await find(() => isAtWork(world, talk) && world.ours(talk.place)[0])
    if (card === undefined) return false
    const {channel} = talk.place
    await world.slack.people.react({as, channel, ts: card.ts, name: STOP_SIGN})
    return true
  },
  presses: async ({press, find, talk, world}) => {
    await find(() => isAtWork(world, talk))
    return (await press(ACTIONS.stop)) !== undefined
  },
  holds: async (stage) => {
    const mark = await stopWhileItWaits(stage)
    if (mark === undefined) return false
    // Nobody says any more of it: the agent never gets it.
    takeBack(stage.talk, mark)
    stage.talk.held = [...(stage.talk.held ?? []), mark]
    return true
  },
  letsGo: async (stage) => {
    const mark = await stopWhileItWaits(stage)
    if (mark === undefined) return false
    return (await stage.press(ACTIONS.sendHeld, {mark})) !== undefined
  },
  discards: async (stage) => {
    const mark = await stopWhileItWaits(stage)
    if (mark === undefined) return false
    takeBack(stage.talk, mark)
    if ((await stage.press(ACTIONS.discard, {mark})) === undefined) return false
    stage.talk.held = [...(stage.talk.held ?? []), mark]
    return true
  },
  mutes: async ({write, tell}) => {
    await write('mute')
    await tell((mark) => `@Bosun and then ${mark}`)
    await write('unmute')
    return true
  },
  answers: async ({talk, tell, find, plan, press, world, as}) => {
    await tell(andThen, [{kind: 'rest', state: 'pending_user'}])
    const hasButton = () => has(world, talk, ACTIONS.answer)
    if ((await find(hasButton)) === undefined) return false
    await press(ACTIONS.answer)
    const modals = () => world.slack.views(as).modals
    const asks = () => JSON.stringify(modals().at(-1) ?? {}).includes('"action_id":"answer"')
    // Of what they have opened elsewhere meanwhile another form may have come in front of it.
    if ((await find(asks)) === undefined || !asks()) return false
    const mark = plan()
    const values = {answer: {answer: andThen(mark)}}
    const outcome = await world.slack.people.submitView({as, values})
    // Slack told them that it failed: it may have been taken all the same.
    if (outcome !== 'acked') takeBack(talk, mark)
    if (modals().length > 0) await world.slack.people.closeView({as, all: true})
    return outcome === 'acked'
  },
  triesAgain: async ({tell, find, press, talk, world}) => {
    await tell(andThen, [{kind: 'rest', state: 'error'}])
    if ((await find(() => has(world, talk, ACTIONS.tryAgain))) === undefined) return false
    return (await press(ACTIONS.tryAgain)) !== undefined
  },
  renames: async ({press}) => (await press(ACTIONS.newTitle)) !== undefined,
  comesBack: async ({talk, find, plan, press, write, world, as}) => {
    const isAtRest = () => talk.added.every((mark) => isToldOf(world, talk, mark))
    const canArchive = () => isAtRest() && has(world, talk, `${ACTIONS.archive} `)
    if ((await find(canArchive)) === undefined) return false
    await press(ACTIONS.archive)
    const isArchived = () => world.ours(talk.place).some(({text}) => text.includes('📦 Archived'))
    if ((await find(isArchived)) === undefined) return false
    const mark = plan()
    // Until somebody says that it shall be sent, it is not.
    takeBack(talk, mark)
    await write(andThen(mark))
    const {channel, ts: threadTs} = talk.place
    const asked = await find(() =>
      world.slack
        .ephemerals(channel, as)
        .find((one) => one.threadTs === threadTs && drawn(one).includes(ACTIONS.unarchiveAndSend)),
    )
    if (asked === undefined) return false
    const press_ = {as, channel, ts: asked.ts, actionId: ACTIONS.unarchiveAndSend}
    if ((await world.slack.people.press(press_)) !== 'acked') return false
    giveBack(talk, mark)
    return true
  },
} as const satisfies Record<string, Interaction>

export type InteractionKind = keyof typeof DEEDS

const ALL = Object.keys(DEEDS) as [InteractionKind, ...InteractionKind[]]
/** What else is written there meanwhile would not be heard, or not be sent. */
const ALONE: readonly InteractionKind[] = ['mutes', 'comesBack']

export function chooseInteraction(dice: Dice, isAlone: boolean): InteractionKind {
  const kind = dice.pick(ALL)
  return ALONE.includes(kind) && !isAlone ? 'edits' : kind
}

export function createInteractions(
  world: World,
  {dice, isClosed}: InteractionsOptions,
): Interactions {
  const counts = new Map<InteractionKind, number>()
  const begun = new Set<Talk>()
  const underway = new Set<Promise<void>>()
  let answering: Promise<unknown> = Promise.resolve()
  let stories = 0

  const stageOf = (talk: Talk): Stage => {
    const {place} = talk
    const as = dice.pick([JANE, KIM] as const)
    const open = async (): Promise<void> => {
      while (isClosed(place.channel)) await delay(EVERY_MS)
    }
    const find: Stage['find'] = async (look) => {
      const endMs = Date.now() + PATIENCE_MS
      for (;;) {
        const seen = look()
        if (seen !== undefined && seen !== false) {
          await delay(LOOK_MS)
          await open()
          return seen
        }
        if (Date.now() > endMs) return undefined
        await delay(EVERY_MS)
      }
    }
    const plan: Stage['plan'] = (more = []) => {
      const name = `${nameOf(talk)}-deed-${(stories += 1)}`
      const {mark, steps} = tellStory(dice, {name, turns: [1, 2], longPercent: 0, isTame: true})
      world.platform.control.planScript({when: {text: mark}, steps: [...steps, ...more]})
      talk.added.push(mark)
      return mark
    }
    const write: Stage['write'] = async (text) => {
      await open()
      return world.reply(place, text, as)
    }
    return {
      ...{world, talk, as, find, plan, write},
      tell: (toText, more) => write(toText(plan(more))),
      press: async (actionId, on) => {
        await open()
        if (on === undefined) return world.press(place, actionId, as).catch(() => undefined)
        const isHeld = actionId === ACTIONS.sendHeld || actionId === ACTIONS.discard
        const at = rowOf(world, talk, on.mark, isHeld ? actionId : undefined)
        // What they write themselves they may take back.
        if (at === undefined) return undefined
        return world.slack.people.press({as, channel: place.channel, actionId, ...at})
      },
    }
  }

  const run = async (talk: Talk, kind: InteractionKind): Promise<void> => {
    // Each of them has one modal before them.
    const before = kind === 'answers' ? answering : Promise.resolve()
    const interaction = before.then(() => DEEDS[kind](stageOf(talk)))
    if (kind === 'answers') answering = interaction.catch(() => undefined)
    if (await interaction) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }

  return {
    has: (talk) => begun.has(talk),
    begin: (talk, kind) => {
      begun.add(talk)
      const work = run(talk, kind)
        // A message that has just gone can't be pressed any more, and a channel may close meanwhile.
        .catch(() => undefined)
        .finally(() => underway.delete(work))
      underway.add(work)
    },
    ended: async () => {
      while (underway.size > 0) await Promise.all(underway)
    },
    done: () => counts,
  }
}

/** Something waits, and somebody stops the work: its mark, once it is held. */
async function stopWhileItWaits(stage: Stage): Promise<string | undefined> {
  const {world, talk, find, tell, press, write} = stage
  await tell(andThen)
  const mark = newest(talk)
  if ((await find(() => isListed(world, talk, mark))) === undefined) return undefined
  if ((await press(ACTIONS.stop)) === undefined) await write('stop')
  const isHeld = await find(() => rowOf(world, talk, mark, ACTIONS.sendHeld) !== undefined)
  return isHeld && mark
}

function andThen(mark: string): string {
  return `and then ${mark}`
}

/** No mark is a part of another one. */
function nameOf({mark}: Talk): string {
  return mark.replace(/\.$/, '')
}

function newest({added}: Talk): string {
  return added.at(-1) ?? ''
}

/** The agent may get it, or not. */
function takeBack(talk: Talk, mark: string): void {
  talk.added = talk.added.filter((it) => it !== mark)
  talk.takenBack = [...(talk.takenBack ?? []), mark]
}

function giveBack(talk: Talk, mark: string): void {
  talk.takenBack = (talk.takenBack ?? []).filter((it) => it !== mark)
  talk.added.push(mark)
}
