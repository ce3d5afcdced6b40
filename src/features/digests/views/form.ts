import type {ModalView, PlainTextOption} from '@slack/types'
import type {Schedule} from '../../../store/tables/channels/digests.ts'
import {section} from '../../../slack/draw/blocks.ts'
import {input, menu, modal, option} from '../../../slack/draw/form.ts'
import {ZONE_INPUT, zoneMenu} from '../../../slack/gate/zone-lookup.ts'
import {DIGEST_FORM} from '../../../slack/ids.ts'
import {clock} from '../../../slack/markup/lines.ts'
import {EVERY_INPUT, TIMES, TIME_INPUT, everyOf, everyText} from '../schedule.ts'
import {digestTexts} from '../texts.ts'

const words = digestTexts.form
/** A week begins on Monday, as most say. */
const WEEKDAYS = [1, 2, 3, 4, 5, 6, 0]

/** When a channel gets its digest. `schedule`: what stands there, or is offered first. */
export function drawDigestForm(metadata: object, schedule: Schedule, nowMs: number): ModalView {
  const heads = {title: words.title, submit: words.save, close: words.cancel}
  const every: PlainTextOption[] = [
    ...(['workday', 'day'] as const).map((one) => option(capital(everyText({every: one})), one)),
    ...WEEKDAYS.map((weekday) => {
      return option(capital(everyText({every: 'week', weekday})), `week-${weekday}`)
    }),
  ]
  const times = TIMES.map((minute) => option(clock(minute), String(minute)))
  const chosen = (options: readonly PlainTextOption[], value: string) =>
    options.find((one) => one.value === value)
  return modal(DIGEST_FORM, metadata, heads, [
    section(words.about),
    menu(EVERY_INPUT, words.every, every, {initial: chosen(every, everyOf(schedule))}),
    menu(TIME_INPUT, words.time, times, {initial: chosen(times, String(schedule.minute))}),
    input(ZONE_INPUT, words.zone, {hint: words.zoneHint, element: zoneMenu(schedule.zone, nowMs)}),
  ])
}

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}
