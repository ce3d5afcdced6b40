import {ACTIONS} from '../../src/slack/ids.ts'
import type {Modals} from './modals.ts'
import {until} from './until.ts'
import {JANE, type Place, type World} from './world.ts'

type Values = Record<string, string>

const SENTRY = {appId: 'A0SENTRY', name: 'Sentry'}

/** Rules of channels, and apps that write there. */
interface Rules {
  /** What an app writes in a channel; Sentry without another one. */
  alert(
    channel: string,
    text: string,
    more?: Partial<Parameters<World['slack']['people']['postAsApp']>[0]>,
  ): Promise<Place>
  /** Presses a button of a whisper of an admin's. */
  press(ts: string, channel: string, actionId: string): Promise<void>
  /** Makes a rule as an admin, and turns it on. */
  make(channel: string, values: Values): Promise<void>
}

/** What is on its way while the workspace goes to another instance may be lost: then people do it once more. */
const MOST_TRIES = 3

/** What a form is filled in with that nobody says otherwise. */
const USUAL: Values = {
  ...{name: 'Alerts', appId: SENTRY.appId, does: 'start', task: 'a quick look'},
  ...{windowMinutes: '60', perHour: '5', perDay: '20'},
}

export function createRules(world: World, modals: Modals): Rules {
  const press: Rules['press'] = async (ts, channel, actionId) => {
    await world.slack.people.press({as: JANE, channel, ts, actionId})
  }
  return {
    alert: async (channel, text, more) => {
      const {ts} = await world.slack.people.postAsApp({...SENTRY, channel, text, ...more})
      return {channel, ts}
    },
    press,
    make: async (channel, values) => {
      const entered = {...USUAL, ...values}
      const before = world.slack.ephemerals(channel, JANE).length
      const heard = () => world.slack.ephemerals(channel, JANE).slice(before)
      const told = (words: string) => heard().findLast(({text}) => text.includes(words))
      const tell = () => [...heard().map(({text}) => text), world.bot.output()].join('\n')
      const insist = async <Seen>(what: string, act: () => Promise<unknown>, look: () => Seen) => {
        for (let tries = 1; ; tries += 1) {
          await act()
          const seen = until(what, look, {withinMs: 20_000, tell})
          if (tries === MOST_TRIES) return seen
          const found = await seen.catch(() => undefined)
          if (found !== undefined) return found
        }
      }
      const list = await insist(
        'the list',
        () => modals.command('rules', {as: JANE, channel}),
        () => heard().at(-1),
      )
      await insist(
        'the form',
        () => press(list.ts, channel, ACTIONS.ruleNew),
        () => modals.text(JANE).includes('What the agent is to do'),
      )
      await modals.submit(JANE, entered)
      const saved = await until('it is saved', () => told(`*${entered['name']}* is saved`), {tell})
      const on = {as: JANE, channel, ts: saved.ts, actionId: ACTIONS.ruleOn}
      const blockId = lastBlockWith(saved.blocks ?? [], ACTIONS.ruleOn)
      await insist(
        'it is on',
        () => world.slack.people.press({...on, blockId}),
        () => told(`*${entered['name']}* is on`),
      )
    },
  }
}

/** The newest rule stands last. */
function lastBlockWith(blocks: readonly {block_id?: string}[], actionId: string): string {
  const found = blocks.findLast((block) => JSON.stringify(block).includes(`"${actionId}"`))
  return found?.block_id ?? ''
}
