import {expect, test} from 'vitest'
import {methodTable} from '../../../local/slack/methods/table.ts'

test('the local Slack covers these methods, and nothing else', () => {
  expect([...methodTable().keys()].sort()).toEqual([
    'api.test',
    'apps.connections.open',
    'auth.test',
    'chat.delete',
    'chat.getPermalink',
    'chat.postEphemeral',
    'chat.postMessage',
    'chat.update',
    'conversations.history',
    'conversations.info',
    'conversations.members',
    'conversations.open',
    'conversations.replies',
    'reactions.add',
    'reactions.remove',
    'users.info',
  ])
})
