import {setTimeout as delay} from 'node:timers/promises'
import {createDice} from '../../local/platform/agent/dice.ts'
import {isWorking} from '../../src/platform/model.ts'
import {ACTIONS} from '../../src/slack/ids.ts'
import {chooseInteraction, createInteractions} from '../../test/support/deeds.ts'
import {has} from '../../test/support/deed-sights.ts'
import type {Talk} from '../../test/support/talks.ts'
import {JANE, KIM, type World} from '../../test/support/world.ts'
import {type Script, writeScript} from './script.ts'
import type {TalkPlan} from './plan.ts'

/** A conversation as it came about. */
export interface PlayedTalk extends Talk {
  name: string
  isArchived: boolean
}

/** What people do, as it was planned. */
interface People {
  /** Resolves when nothing is left to do in it. */
  play(plan: TalkPlan, channel: string): Promise<void>
  talks: readonly PlayedTalk[]
}

/** Nobody waits longer for the work to come to the point where they would put it away. */
const PATIENCE_MS = 600_000
const LOOK_MS = 500

export function createPeople(world: World, seed: string): People {
  const talks: PlayedTalk[] = []
  // Modals are one for a person, whichever talk they are about.
  const shared = createInteractions(world, {dice: createDice(seed), isClosed: () => false})

  const until = async (look: () => boolean): Promise<boolean> => {
    const endMs = performance.now() + PATIENCE_MS
    while (performance.now() < endMs) {
      if (look()) return true
      await delay(LOOK_MS)
    }
    return false
  }

  const plan = ({mark, steps}: Script): void =>
    world.platform.control.planScript({when: {text: mark}, steps})

  const isBegun = ({place}: Talk): boolean =>
    world.threadIn(place) !== undefined || world.ours(place).length > 0

  const isToldAll = ({place, added}: Talk): boolean => {
    const told = world.transcriptIn(place).filter(({source}) => source === 'user')
    return added.every((mark) => told.some(({text}) => text.includes(mark)))
  }

  const archive = async (
    talk: PlayedTalk,
    how: NonNullable<TalkPlan['archive']>,
  ): Promise<void> => {
    await delay(how.afterMs)
    const {place} = talk
    const isReady = (): boolean => {
      const thread = world.threadIn(place)
      if (thread === undefined) return false
      return how.when === 'at any time' || (!isWorking(thread.status) && isToldAll(talk))
    }
    if (!(await until(isReady))) return
    if (how.from === 'card') {
      if (!(await until(() => has(world, talk, `${ACTIONS.archive} `)))) return
      await world.press(place, ACTIONS.archive).catch(() => undefined)
    } else await archiveElsewhere(place)
    talk.isArchived = true
  }

  const archiveElsewhere = async (place: Talk['place']): Promise<void> => {
    const {baseUrl, keys} = world.platform
    const url = `${baseUrl}/threads/${world.threadIn(place)?.id ?? ''}/archive`
    const headers = {authorization: `Bearer ${keys.human}`}
    for (let tries = 0; tries < 20; tries += 1) {
      const answer = await fetch(url, {method: 'POST', headers}).catch(() => undefined)
      await answer?.text().catch(() => undefined)
      if (answer?.ok === true) return
      await delay(1000)
    }
  }

  const act = async (talk: PlayedTalk, deed: NonNullable<TalkPlan['deed']>, isAlone: boolean) => {
    await delay(deed.afterMs)
    if (!(await until(() => isBegun(talk)))) return
    const dice = createDice(deed.seed)
    const kind = chooseInteraction(dice, isAlone)
    const own = createInteractions(world, {dice, isClosed: () => false})
    const interactions = kind === 'answers' ? shared : own
    interactions.begin(talk, kind)
    await interactions.ended()
  }

  const play: People['play'] = async (told, channel) => {
    const {name, atMs, turns, rest, addedAfterMs, deed} = told
    await delay(atMs)
    const dice = createDice(name)
    const first = writeScript({name, turns, rest})
    const more = addedAfterMs.map((_, at) =>
      writeScript({name: `${name}-more-${at}`, turns: 1, rest}),
    )
    for (const script of [first, ...more]) plan(script)
    const as = dice.pick([JANE, KIM] as const)
    const place = await world.say(`@Bosun please tell ${first.mark}`, {channel, as})
    const talk: PlayedTalk = {
      ...{name, place, mark: first.mark, added: [], isArchived: false},
      ...(deed !== undefined && {takenBack: []}),
    }
    talks.push(talk)
    const add = async (mark: string, afterMs: number): Promise<void> => {
      await delay(afterMs)
      // What is said before the mention has arrived is taken for talk between people.
      if (!(await until(() => isBegun(talk)))) return
      talk.added.push(mark)
      await world.reply(place, `and then ${mark}`, dice.pick([JANE, KIM] as const))
    }
    await Promise.all([
      ...more.map(({mark}, at) => add(mark, addedAfterMs[at] ?? 0)),
      deed && act(talk, deed, more.length === 0),
    ])
    if (told.archive !== undefined) await archive(talk, told.archive)
  }

  return {play, talks}
}
