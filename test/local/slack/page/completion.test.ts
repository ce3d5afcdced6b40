import {expect, test} from 'vitest'
import {
  completed,
  completionQuery,
  completionsOf,
} from '../../../../local/slack/page/compose/completion.ts'
import type {WorkspaceView} from '../../../../local/slack/page-feed/contract.ts'
import {bosunApp, workspace} from './workspace.ts'

const full: WorkspaceView = {
  ...workspace,
  members: [
    ...workspace.members,
    {id: 'U0OLD', name: 'olga', realName: 'Olga Old', isBot: false, isDeactivated: true},
  ],
  usergroups: [{id: 'S0WEB', handle: 'web-team', name: 'Web team'}],
  apps: [bosunApp],
}

function labelsFor(typed: string): string[] {
  const query = completionQuery(typed, typed.length)
  return query ? completionsOf(full, query).map(({label}) => label) : []
}

test('a mark opens a list behind a space, up to the caret', () => {
  expect(completionQuery('hey @bo there', 7)).toEqual({mark: '@', at: 4, words: 'bo'})
  expect(completionQuery('see #we', 7)).toEqual({mark: '#', at: 4, words: 'we'})
  expect(completionQuery('nice :ta', 8)).toEqual({mark: ':', at: 5, words: 'ta'})
  expect(completionQuery('/bo', 3)).toEqual({mark: '/', at: 0, words: 'bo'})
})

test.each(['jane@bo', '@bosun fix', 'in /usr', 'at 14:03', 'well :)', '/bosun new'])(
  '%s asks for nothing',
  (typed) => {
    expect(completionQuery(typed, typed.length)).toBeUndefined()
  },
)

test('people, apps first, and user groups can be mentioned; whoever left cannot', () => {
  expect(labelsFor('@')).toEqual(['Bosun', 'Jane Doe', 'Kim Lee', '@web-team'])
  expect(labelsFor('@lee')).toEqual(['Kim Lee'])
  expect(labelsFor('@ol')).toEqual([])
  expect(labelsFor('@Bosun')).toEqual([])
  expect(labelsFor('@he')).toEqual(['@here'])
})

test('channels, emoji and commands are found by a part of their names', () => {
  expect(labelsFor('#an')).toEqual(['random'])
  expect(labelsFor(':rock')).toEqual([':rocket:'])
  expect(labelsFor('/b')).toEqual(['/bosun'])
  expect(labelsFor('/x')).toEqual([])
})

test('somebody who is not in the channel is said to be missing', () => {
  const channel = full.channels.find(({id}) => id === 'C0RANDOM')
  const query = {mark: '@' as const, at: 0, words: 'bos'}
  expect(completionsOf(full, query, channel)[0]?.detail).toBe('bosun · not in this channel')
})

test('a choice replaces what was half typed', () => {
  const query = {mark: '@' as const, at: 4, words: 'ki'}
  const [choice] = completionsOf(full, query)
  expect(choice && completed('hey @ki there', query, choice)).toEqual({
    text: 'hey @Kim Lee there',
    caret: 13,
  })
})
