import type {KnownBlock} from '@slack/types'
import type {FilterRule} from '../../../platform/model.ts'
import {ACTIONS} from '../../../slack/ids.ts'
import {MAX_NAME, code, inBold, moment, oneLine} from '../../../slack/markup/lines.ts'
import {escapeMrkdwn} from '../../../slack/markup/markup.ts'
import {type Message, button, plain, section, toFit} from '../../../slack/draw/blocks.ts'
import {pageButtons} from '../../../slack/draw/list.ts'
import {reviewTexts} from '../texts.ts'

const words = reviewTexts.filters
const MAX_VALUE = 60
/** Of one of a page: Slack takes about 13,000 characters in all. */
const MAX_LINE = 1400
/** Slack takes no longer value in a button. */
const MAX_ID = 2000

/** One page of the filter's rules; `next`: the last one here, if more come behind it. */
export function drawFilters(
  rules: readonly FilterRule[],
  {isFirst, next, mayDelete}: {isFirst: boolean; next: string | undefined; mayDelete: boolean},
): Message {
  const lines = rules.map(lineOf)
  const {title, text, confirm, deny} = words.confirm
  const asked = {
    confirm: {
      title: plain(title),
      text: plain(text),
      confirm: plain(confirm),
      deny: plain(deny),
      style: 'danger' as const,
    },
    style: 'danger' as const,
  }
  const turns = pageButtons(ACTIONS.filtersMore, {
    next: next === undefined || next.length > MAX_ID ? undefined : next,
    // Behind a rule that nothing is: from the beginning.
    first: isFirst ? undefined : '-',
  })
  const blocks: KnownBlock[] = [
    section(words.title),
    ...rules.flatMap(({id}, index): KnownBlock[] => [
      section(lines[index] ?? ''),
      ...(!mayDelete || id.length > MAX_ID
        ? []
        : [
            {
              type: 'actions' as const,
              elements: [button(ACTIONS.deleteFilter, words.delete, id, asked)],
            },
          ]),
    ]),
    ...(turns.length === 0 ? [] : [{type: 'actions' as const, elements: turns}]),
  ]
  return {text: [words.title, ...lines].join('\n'), blocks}
}

function lineOf({repo, conditions, createdByName, createdAt}: FilterRule): string {
  const said = conditions.map(({field, not, values}) => {
    const all = values.map((value) => code(oneLine(value, MAX_VALUE))).join(words.or)
    return (not ? words.isNot : words.is)(escapeMrkdwn(oneLine(field, MAX_VALUE)), all)
  })
  const name = repo === undefined ? words.anyRepo : `*${inBold(repo, MAX_NAME)}*`
  const by = createdByName === undefined ? [] : [oneLine(createdByName, MAX_NAME)]
  const createdMs = Date.parse(createdAt ?? '')
  const facts = [
    name,
    said.join(words.and) || words.always,
    ...by.map((who) => words.by(escapeMrkdwn(who))),
    ...(Number.isNaN(createdMs) ? [] : [words.since(moment(createdMs))]),
  ]
  return toFit(facts.join(' · '), MAX_LINE)
}
