import {expect, test} from 'vitest'
import {groupsOf, labelsOf, matching} from '../../../../local/slack/page/forms/picker-options.ts'
import {toLocalDateTime, toUnixSeconds} from '../../../../local/slack/page/forms/date-entry.ts'
import {triggersIn} from '../../../../local/slack/page/forms/text-limits.ts'
import {workspace} from './workspace.ts'

const [first, ...others] = workspace.channels
const world = {
  workspace: {
    ...workspace,
    members: [
      ...workspace.members,
      {id: 'U0GONE', name: 'gone', realName: 'Gone', isBot: false, isDeactivated: true as const},
    ],
    channels: [
      ...(first ? [{...first, isShared: true as const}] : []),
      ...others,
      {
        id: 'C0SECRET',
        kind: 'channel' as const,
        name: 'secret',
        memberIds: ['U0KIM'],
        isPrivate: true as const,
      },
      {
        id: 'C0OLD',
        kind: 'channel' as const,
        name: 'old',
        memberIds: ['U0JANE'],
        isArchived: true as const,
      },
    ],
  },
  me: 'U0JANE',
}
const valuesOf = (element: Record<string, unknown>): string[] =>
  groupsOf(element, world).flatMap(({options}) => options.map(({value}) => value))

test('people and places that a person may choose', () => {
  expect(valuesOf({type: 'users_select'})).toEqual(['U0BOSUN', 'U0JANE', 'U0KIM'])
  expect(valuesOf({type: 'multi_channels_select'})).toEqual(['C0WEB', 'C0RANDOM'])
  expect(valuesOf({type: 'conversations_select'})).toEqual(['C0WEB', 'C0RANDOM', 'D0JANE'])
  const filter = {include: ['im'], exclude_external_shared_channels: true}
  expect(valuesOf({type: 'conversations_select', filter})).toEqual(['D0JANE'])
  const shared = {exclude_external_shared_channels: true}
  expect(valuesOf({type: 'conversations_select', filter: shared})).toEqual(['C0RANDOM', 'D0JANE'])
})

test('typing leaves what has all the words, in its label or its description', () => {
  const option = (value: string, description: string) => ({
    text: {type: 'plain_text', text: value},
    value,
    description: {type: 'plain_text', text: description},
  })
  const option_groups = [
    {label: {type: 'plain_text', text: 'Mine'}, options: [option('web', 'acme shop')]},
    {label: {type: 'plain_text', text: 'Others'}, options: [option('api', 'acme core')]},
  ]
  const groups = groupsOf({type: 'static_select', option_groups}, world)
  expect(matching(groups, 'ACME sh')).toMatchObject([{label: 'Mine', options: [{value: 'web'}]}])
  expect(matching(groups, 'nope')).toEqual([])
  expect(
    labelsOf(
      ['web', 'x'],
      groups.flatMap(({options}) => options),
    ),
  ).toMatchObject([{label: 'web'}, {label: 'x'}])
})

test('a moment is shown in local time, and comes back as the same', () => {
  const local = toLocalDateTime('1800000000')
  expect(local).toMatch(/^2027-01-1\dT\d\d:\d\d$/)
  expect(toUnixSeconds(local)).toBe('1800000000')
  expect([toLocalDateTime(''), toLocalDateTime('x'), toUnixSeconds('')]).toEqual(['', '', ''])
})

test('an app hears of Enter, unless it asks for each letter', () => {
  expect(triggersIn({})).toEqual(['on_enter_pressed'])
  const config = {trigger_actions_on: ['on_character_entered', 7]}
  expect(triggersIn({dispatch_action_config: config})).toEqual(['on_character_entered'])
})
