import type {Channel, Member, WorkspaceSeed} from './workspace.ts'

/** The workspace that an empty data file starts with. */
export function seedWorkspace(nowS: number): WorkspaceSeed {
  const bot: Member = {...person('U0BOSUN', 'bosun', 'Bosun'), isBot: true}
  const people: Member[] = [
    {...person('U0JANE', 'jane', 'Jane Doe'), isAdmin: true},
    {...person('U0KIM', 'kim', 'Kim Lee'), tz: 'Asia/Seoul', tzOffsetS: 32_400},
    {...person('U0SAM', 'sam', 'Sam Okafor'), tz: 'Africa/Lagos', tzOffsetS: 3_600},
  ]
  const everyone = people.map(({id}) => id)
  const channel = (id: string, name: string, memberIds: string[]): Channel => ({
    id,
    kind: 'channel',
    name,
    memberIds,
    archived: false,
    createdS: nowS,
  })
  return {
    members: [...people, bot],
    channels: [
      channel('C0GENERAL', 'general', [...everyone, bot.id]),
      channel('C0WEB', 'web', [...everyone, bot.id]),
      channel('C0RANDOM', 'random', everyone),
      ...people.map(({id, name}): Channel => ({
        ...channel(`D0${name.toUpperCase()}`, bot.name, [id, bot.id]),
        kind: 'dm',
      })),
    ],
  }
}

function person(id: string, name: string, realName: string): Member {
  return {
    id,
    name,
    realName,
    displayName: realName.split(' ')[0] ?? realName,
    email: `${name}@acme.test`,
    tz: 'Europe/Berlin',
    tzOffsetS: 3_600,
    isBot: false,
    isAdmin: false,
  }
}
