import type {Handling} from '../../inbox/worker.ts'
import type {Delivery} from '../../store/tables/hooks/deliveries.ts'
import type {Hook} from '../../store/tables/hooks/hooks.ts'
import type {Store} from '../../store/store.ts'
import {drawLetters} from './views/dead-letters.ts'
import {ACTIONS} from '../../slack/ids.ts'
import type {Act, ActResult} from '../../slack/gate/act.ts'
import type {ActTools} from '../../slack/gate/tools.ts'
import {createOnDelivery, keyOfRow} from './hook-lookup.ts'
import {letterTexts} from './letter-texts.ts'
import {hookTexts} from './texts.ts'

interface DeadLetterActsOptions extends ActTools<'nowMs'> {
  deps: Pick<Store, 'hooks' | 'deliveries' | 'deadLetters'>
  onDelivery: () => void
}

const PER_PAGE = 8
const words = letterTexts

/** Deliveries that were given up: listed for a channel, sent again, discarded. */
export function createDeadLetterActs(options: DeadLetterActsOptions): Act[] {
  const {act, checks, deps, onDelivery, nowMs} = options
  const {hooks, deadLetters} = deps
  const onDelivered = createOnDelivery(deps)

  /** `said`: what was just done, above the rest of the list. */
  const pageOf = async (
    {team, channel}: {team: string; channel: string},
    {beforeId, said}: {beforeId?: number | undefined; said?: string} = {},
  ): Promise<ActResult> => {
    const all = await hooks.ofChannel(team, channel)
    const ids = all.map(({id}) => id)
    const page = await deadLetters.list(ids, {limit: PER_PAGE + 1, beforeId})
    if (page.length === 0) return {answer: {text: said ?? words.none}, inPlace: true}
    const rows = page
      .slice(0, PER_PAGE)
      .map((letter) => ({letter, hook: all.find(({id}) => id === letter.hookId)}))
    const next = page.length > PER_PAGE ? rows.at(-1)?.letter.id : undefined
    const answer = drawLetters({rows, next, isFirst: beforeId === undefined, said})
    return {answer, inPlace: true}
  }

  const sendAgain = async (
    {hook, delivery}: {hook: Hook; delivery: Delivery},
    {row}: Handling,
  ): Promise<ActResult> => {
    if (hook.state === 'off') return {answer: {text: hookTexts.again.off}, again: true}
    const outcome = await deadLetters.sendAgain(delivery.id, keyOfRow('again', row), nowMs())
    if (outcome === 'full') return {answer: {text: hookTexts.again.full}, again: true}
    if (outcome === 'sent') onDelivery()
    return pageOf(hook, {said: outcome === 'sent' ? words.sent : words.gone})
  }

  return [
    act('press', ACTIONS.letters, checks.member, async ({team, channel = '', value}) => {
      const beforeId = /^[1-9]\d{0,14}$/.test(value) ? Number(value) : undefined
      const shown = await pageOf({team, channel}, {beforeId})
      // From the list of hooks it opens beside that.
      return value === 'show' ? {answer: shown.answer ?? {text: words.none}} : shown
    }),
    act('press', ACTIONS.letterAgain, onDelivered, (_press, found, handling) =>
      sendAgain(found, handling),
    ),
    act('press', ACTIONS.letterDiscard, onDelivered, async (_press, {hook, delivery}) => {
      const isDone = await deadLetters.discard(delivery.id)
      return pageOf(hook, {said: isDone ? words.discarded : words.gone})
    }),
  ]
}
