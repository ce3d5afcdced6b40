import type {Channel, Member, Team, WorkspaceSeed} from './workspace.ts'

export const firstTeam: Team = {id: 'T0LOCAL', name: 'Acme', domain: 'acme'}

/** The first app where it has been from the start: in the first workspace. */
export const firstBot = {name: 'Bosun', botId: 'B0BOSUN', userId: 'U0BOSUN', installerId: 'U0JANE'}

/** The workspace that an empty data file starts with, the first app in it. */
export function seedFirstTeam(nowS: number, appName = firstBot.name): WorkspaceSeed {
  const at = createSeeding(firstTeam, nowS)
  const bot: Member = {
    ...at.person(firstBot.userId, toHandle(appName), appName),
    displayName: appName,
    isBot: true,
  }
  const people: Member[] = [
    {...at.person('U0JANE', 'jane', 'Jane Doe'), isAdmin: true},
    {...at.person('U0KIM', 'kim', 'Kim Lee'), tz: 'Asia/Seoul', tzOffsetS: 32_400},
    {...at.person('U0SAM', 'sam', 'Sam Okafor'), tz: 'Africa/Lagos', tzOffsetS: 3_600},
  ]
  const everyone = people.map(({id}) => id)
  return {
    members: [...people, bot],
    channels: [
      at.channel('C0GENERAL', 'general', [...everyone, bot.id]),
      at.channel('C0WEB', 'web', [...everyone, bot.id]),
      at.channel('C0RANDOM', 'random', everyone),
      ...people.map(({id, name}): Channel => ({
        ...at.channel(`D0${name.toUpperCase()}`, bot.name, [id, bot.id]),
        kind: 'dm',
      })),
    ],
  }
}

/** A further workspace, no app in it. Its ids hold its own: `T0BETA` has `U0BETAALEX` and `C0BETAGENERAL`. */
export function seedFurtherTeam(team: Team, nowS: number): WorkspaceSeed {
  const at = createSeeding(team, nowS)
  const own = team.id.slice(1)
  const members: Member[] = [
    {...at.person(`U${own}ALEX`, 'alex', 'Alex Novak'), isAdmin: true},
    at.person(`U${own}RITA`, 'rita', 'Rita Sousa'),
  ]
  const everyone = members.map(({id}) => id)
  return {members, channels: [at.channel(`C${own}GENERAL`, 'general', everyone)]}
}

/** A name as it stands behind an `@`. */
export function toHandle(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}._-]/gu, '')
}

function createSeeding({domain}: Team, nowS: number) {
  return {
    person: (id: string, name: string, realName: string): Member => ({
      id,
      name,
      realName,
      displayName: realName.split(' ')[0] ?? realName,
      email: `${name}@${domain}.test`,
      tz: 'Europe/Berlin',
      tzOffsetS: 3_600,
      isBot: false,
      isAdmin: false,
    }),
    channel: (id: string, name: string, memberIds: string[]): Channel => ({
      id,
      kind: 'channel',
      name,
      memberIds,
      archived: false,
      createdS: nowS,
    }),
  }
}
