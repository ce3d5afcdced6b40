import type {MessageView, WorkspaceView} from '../../../../local/slack/page-feed/contract.ts'

export const workspace: WorkspaceView = {
  teamId: 'T0ACME',
  teamName: 'Acme',
  teams: [],
  apps: [],
  usergroups: [],
  botUserId: 'U0BOSUN',
  members: [
    {id: 'U0BOSUN', name: 'bosun', realName: 'Bosun', isBot: true},
    {id: 'U0JANE', name: 'jane', realName: 'Jane Doe', isBot: false},
    {id: 'U0KIM', name: 'kim', realName: 'Kim Lee', isBot: false},
  ],
  channels: [
    {id: 'C0WEB', kind: 'channel', name: 'web', memberIds: ['U0JANE', 'U0KIM', 'U0BOSUN']},
    {id: 'C0RANDOM', kind: 'channel', name: 'random', memberIds: ['U0JANE', 'U0KIM']},
    {id: 'D0JANE', kind: 'dm', name: 'bosun', memberIds: ['U0JANE', 'U0BOSUN']},
  ],
}

/** The app of this workspace, with its command. */
export const bosunApp: WorkspaceView['apps'][number] = {
  id: 'A0BOSUN',
  name: 'Bosun',
  userId: 'U0BOSUN',
  botId: 'B0BOSUN',
  hasHome: true,
  isAgent: false,
  shortcuts: [],
  steps: [],
  commands: [{command: '/bosun', description: 'Everything', usageHint: 'new | status'}],
}

export function message(ts: string, fields: Partial<MessageView> = {}): MessageView {
  return {
    channel: 'C0WEB',
    ts,
    userId: 'U0KIM',
    text: `said at ${ts}`,
    edited: false,
    reactions: [],
    ...fields,
  }
}
