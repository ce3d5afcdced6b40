import {expect, test} from 'vitest'
import {commandIn, failureOf, refusalOf} from '../../../../local/slack/page/compose/command-line.ts'
import type {WorkspaceView} from '../../../../local/slack/page-feed/contract.ts'
import {bosunApp, workspace} from './workspace.ts'

const declared: WorkspaceView = {...workspace, apps: [bosunApp]}
const bosun = {command: '/bosun', text: ''}
const typed = (draft: string) => commandIn(draft, declared)
const nope = {command: '/nope', text: ''}

test('what begins with a slash is a command, with everything behind it', () => {
  expect(typed('/bosun find the bug\nand fix it ')).toEqual({
    command: '/bosun',
    text: 'find the bug\nand fix it',
  })
  expect(typed('/bosun')).toEqual(bosun)
  expect(typed(' /bosun')).toBeUndefined()
  expect(typed('/ bosun')).toBeUndefined()
  expect(typed('// a remark')).toBeUndefined()
})

test('what is behind a command names people and escapes three characters, as a message does', () => {
  expect(typed('/bosun use R&D for @kim')?.text).toBe('use R&amp;D for <@U0KIM>')
})

test('Slack refuses what no app declared, and everything in threads', () => {
  expect(refusalOf(bosun, declared, 'channel')).toBeUndefined()
  expect(refusalOf(nope, declared, 'channel')).toContain('/nope is not a valid command.')
  expect(refusalOf(bosun, declared, 'thread')).toBe('/bosun is not supported in threads. Sorry!')
  expect(refusalOf(nope, workspace, 'channel')).toBeUndefined()
})

test('a failure reads as in Slack', () => {
  expect(failureOf('/bosun', 'acked')).toBeUndefined()
  expect(failureOf('/bosun', 'timeout')).toBe('/bosun failed with the error "operation_timeout"')
  expect(failureOf('/bosun', 'failed')).toBe('/bosun failed with the error "dispatch_failed"')
})
