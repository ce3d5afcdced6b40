import {setTimeout as delay} from 'node:timers/promises'
import type {Dice} from '../../local/platform/agent/dice.ts'
import {isWorking} from '../../src/platform/model.ts'
import {ACTIONS} from '../../src/slack/ids.ts'
import type {Place, World} from '../../test/support/world.ts'
import type {Looking, Signs} from './signs.ts'

/** Somebody with a channel of their own, who does one thing after the other. */
export interface Person {
  id: string
  world: World
  channel: string
  dm: string
  /** Their direct message, or their channel. */
  mention(kind: string, text: string, channel?: string): Promise<Place>
  /** A mention of a task at which the agent is until somebody ends it. */
  begin(): Promise<Place>
  /** A mention of a task that is soon over, not measured. */
  finish(text: string): Promise<Place>
  reply(kind: string, place: Place, text: string): Promise<Place>
  press(place: Place, actionId: string): Promise<void>
  /** In the modal, or in App Home. */
  use(actionId: string, use?: {value?: string; blockId?: string}): Promise<void>
  /** A button of what only they see, the newest one. */
  pressWhispered(actionId: string, at?: Place): Promise<void>
  submit(kind: string, values: Record<string, Record<string, string>>, at?: Place): Promise<void>
  command(text: string, kind?: string): Promise<void>
  /** What has no name of its own. */
  act(kind: string, at: Place | undefined, interaction: () => Promise<unknown>): Promise<void>
  rests(place: Place): Promise<void>
  closeAll(): Promise<void>
  modal(words: string): Promise<unknown>
}

const PATIENCE_MS = 60_000

export async function createPerson(
  world: World,
  signs: Signs,
  {name, dice}: {name: string; dice: Dice},
): Promise<Person> {
  const {people, botUserId} = world.slack
  const {id} = await people.addMember({name, realName: name})
  const memberIds = [id, botUserId]
  const {id: channel} = await people.createChannel({name: `of-${name}`, memberIds})
  const {id: dm} = await people.createChannel({name: `dm-${name}`, kind: 'dm', memberIds})
  let tasks = 0

  const act = async (
    kind: string,
    place: Place | undefined,
    interaction: () => Promise<unknown>,
    at = channel,
  ): Promise<Place | undefined> => {
    // At a person's pace.
    await delay(dice.int(1000, 4000))
    const looking: Looking = {person: id, channel: at, place}
    let where: Place | undefined
    await signs.measure(kind, looking, async () => {
      const made = await interaction()
      if (isPlace(made)) where = made
      return place === undefined ? where : undefined
    })
    return where
  }

  const say = async (text: string, at: string, threadTs?: string): Promise<Place> => {
    const thread = threadTs === undefined ? {} : {threadTs}
    const {ts} = await people.post({as: id, channel: at, text, ...thread})
    return {channel: at, ts}
  }

  const mention: Person['mention'] = async (kind, text, at = channel) =>
    (await act(kind, undefined, () => say(text, at), at)) ?? {channel: at, ts: ''}

  const rests = async (place: Place): Promise<void> => {
    await world.until(
      'it rests',
      () => {
        const {status} = world.threadIn(place) ?? {status: 'working'}
        const isShownAtWork = world.ours(place).some(({text}) => /🔵 Working|⏳/u.test(text))
        return !isWorking(status) && !isShownAtWork
      },
      PATIENCE_MS,
    )
  }

  return {
    ...{id, world, channel, dm, mention, rests},
    begin: async () => {
      tasks += 1
      const task = `patience ${name} ${tasks}.`
      const steps = [{kind: 'think', delayMs: 1_800_000} as const]
      world.platform.control.planScript({when: {text: task}, steps: [{kind: 'turn', steps}]})
      const place = await mention('a mention', `<@${botUserId}> have ${task}`)
      await world.until(
        'it works',
        () => world.ours(place).some(({text}) => text.includes('🔵 Working')),
        PATIENCE_MS,
      )
      return place
    },
    finish: async (text) => {
      const place = await say(`<@${botUserId}> ${text}`, channel)
      await rests(place)
      return place
    },
    reply: async (kind, place, text) =>
      (await act(kind, place, () => say(text, place.channel, place.ts))) ?? place,
    press: async (place, actionId) => {
      const has = () => world.ours(place).some(({blocks}) => drawn(blocks).includes(actionId))
      await world.until(`there is ${actionId}`, has, PATIENCE_MS)
      await act(`press ${actionId}`, place, () => world.press(place, actionId, id))
    },
    use: async (actionId, use = {}) => {
      const [kind = actionId] = actionId.split(/:(?=\d)/)
      await act(`press ${kind}`, undefined, () => people.useView({as: id, actionId, ...use}))
    },
    pressWhispered: async (actionId, place) => {
      const message = await world.until('the whisper', () =>
        world.slack
          .ephemerals(channel, id)
          .findLast(({blocks}) => drawn(blocks).includes(actionId)),
      )
      const found = new RegExp(`"action_id":"(${actionId}[^"]*)"`).exec(
        JSON.stringify(message.blocks),
      )
      const thread = message.threadTs
      const at = place ?? (thread === undefined ? undefined : {channel, ts: thread})
      const press = {as: id, channel, ts: message.ts, actionId: found?.[1] ?? actionId}
      await act(`press ${actionId}`, at, () => people.press(press))
    },
    submit: async (kind, values, at) => {
      await act(`form ${kind}`, at, () => people.submitView({as: id, values}))
    },
    command: async (text, kind = text) => {
      const command = {as: id, channel, command: '/bosun', text}
      await act(`/bosun ${kind}`, undefined, () => people.command(command))
    },
    act: async (kind, at, interaction) => {
      await act(kind, at, interaction)
    },
    closeAll: async () => {
      if (world.slack.views(id).modals.length > 0) await people.closeView({as: id, all: true})
    },
    modal: (words) =>
      world.until(
        `the modal says ${words}`,
        () => JSON.stringify(world.slack.views(id).modals).includes(words),
        PATIENCE_MS,
      ),
  }
}

function drawn(blocks: unknown): string {
  return JSON.stringify(blocks ?? [])
}

function isPlace(made: unknown): made is Place {
  return typeof made === 'object' && made !== null && 'channel' in made && 'ts' in made
}

/** Every button of ours that asks us for something. */
export const BUTTONS: readonly string[] = Object.values(ACTIONS).filter(
  (action) => action !== ACTIONS.open && action !== ACTIONS.menu,
)
