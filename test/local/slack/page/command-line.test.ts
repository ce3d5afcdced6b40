import {expect, test} from 'vitest'
import {commandIn, failureOf, refusalOf} from '../../../../local/slack/page/compose/command-line.ts'
import type {WorkspaceView} from '../../../../local/slack/page-feed/contract.ts'
import {bosunApp, workspace} from './workspace.ts'

const declared: WorkspaceView = {...workspace, apps: [bosunApp]}
const bosun = {command: '/bosun', text: ''}
const nope = {command: '/nope', text: ''}

test('what begins with a slash is a command, with everything behind it', () => {
  expect(commandIn('/bosun find the bug\nand fix it ')).toEqual({
    command: '/bosun',
    text: 'find the bug\nand fix it',
  })
  expect(commandIn('/bosun')).toEqual(bosun)
  expect(commandIn(' /bosun')).toBeUndefined()
  expect(commandIn('/ bosun')).toBeUndefined()
  expect(commandIn('// a remark')).toBeUndefined()
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
