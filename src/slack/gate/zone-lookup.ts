import type {ExternalSelect, PlainTextOption} from '@slack/types'
import {nearest} from '../../agents/nearest-word.ts'
import {isZone, shownAt} from '../../inbox/zones.ts'
import {option} from '../draw/form.ts'
import {clock} from '../markup/lines.ts'
import type {Lookup} from './model-lookup.ts'

/** The block and the action of a menu of time zones: there are more of them than a menu holds. */
export const ZONE_INPUT = 'zone'

/** Slack takes so many entries. */
const MAX_OPTIONS = 100
const MAX_NEAR = 10

/** Answers for menus of time zones, which need nothing of ours; others are for the given one. */
export function createLookup(others: Lookup, nowMs: () => number): Lookup {
  return async (asked) =>
    asked.actionId === ZONE_INPUT ? zoneOptions(asked.typed, nowMs()) : others(asked)
}

/** Zones whose name holds what was typed, or is like it, each with what clocks there show now. */
function zoneOptions(typed: string, nowMs: number): PlainTextOption[] {
  const said = typed.trim().replaceAll(/\s+/g, '_')
  const all = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]
  const found = all.filter((zone) => zone.toLowerCase().includes(said.toLowerCase()))
  // Older names, and newer ones, are names too.
  const isOther = !found.includes(said) && isZone(said)
  const cities = new Map(all.map((zone) => [zone.slice(zone.lastIndexOf('/') + 1), zone]))
  const near = nearest([...cities.keys()], said, MAX_NEAR).map((city) => cities.get(city) ?? city)
  const zones = found.length > 0 || isOther ? found : near
  return [...(isOther ? [said] : []), ...zones]
    .slice(0, MAX_OPTIONS)
    .map((zone) => zoneOption(zone, nowMs))
}

export function zoneMenu(chosen: string, nowMs: number): ExternalSelect {
  return {type: 'external_select', min_query_length: 0, initial_option: zoneOption(chosen, nowMs)}
}

function zoneOption(zone: string, nowMs: number): PlainTextOption {
  const {minute} = shownAt(nowMs, zone)
  return option(`${zone.replaceAll('_', ' ')} · ${clock(minute)}`, zone)
}
