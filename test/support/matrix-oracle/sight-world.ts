/** A small world in which work is begun in every kind of place, and who is where in it: what the rule of sight is asked about. */

export const PERSONS = [
  ...['owner', 'insider', 'outsider', 'admin', 'former', 'guest'],
  ...['single-channel guest', 'external', 'unlisted', 'leaver', 'far person'],
] as const
export type Person = (typeof PERSONS)[number]

export const PLACES = [
  ...['web', 'desk', 'api', 'team', 'listed', 'far'],
  ...['owner’s messages', 'insider’s messages', 'outsider’s messages', 'admin’s messages'],
  ...['former’s messages', 'leaver’s messages', 'far person’s messages'],
] as const
export type Place = (typeof PLACES)[number]

interface PlaceFacts {
  workspace: 'one' | 'two'
  kind: 'public' | 'private' | 'direct'
  project: 'web' | 'api'
  members: readonly Person[]
  /** Of the members, those who may use Bosun there. */
  users: readonly Person[]
}

const direct = (person: Person, workspace: PlaceFacts['workspace'] = 'one'): PlaceFacts => ({
  ...{workspace, kind: 'direct', project: 'web', members: [person], users: [person]},
})

/** `former` is one of the team until the day on which all this is tried. */
export const WHERE: Readonly<Record<Place, PlaceFacts>> = {
  web: {
    ...{workspace: 'one', kind: 'public', project: 'web'},
    members: [
      ...(['owner', 'insider', 'outsider', 'admin', 'former'] as const),
      ...(['guest', 'external', 'unlisted', 'leaver'] as const),
    ],
    users: ['owner', 'insider', 'outsider', 'admin', 'former', 'unlisted', 'leaver'],
  },
  desk: {
    ...{workspace: 'one', kind: 'public', project: 'web'},
    members: ['owner', 'insider', 'outsider', 'admin'],
    users: ['owner', 'insider', 'outsider', 'admin'],
  },
  // An admin has let guests in.
  api: {
    ...{workspace: 'one', kind: 'public', project: 'api'},
    members: ['owner', 'outsider', 'admin', 'single-channel guest'],
    users: ['owner', 'outsider', 'admin', 'single-channel guest'],
  },
  team: {
    ...{workspace: 'one', kind: 'private', project: 'web'},
    members: ['owner', 'insider'],
    users: ['owner', 'insider'],
  },
  // An admin has chosen two who may.
  listed: {
    ...{workspace: 'one', kind: 'public', project: 'web'},
    members: ['owner', 'insider', 'unlisted'],
    users: ['owner', 'insider'],
  },
  far: {
    ...{workspace: 'two', kind: 'public', project: 'web'},
    members: ['far person'],
    users: ['far person'],
  },
  'owner’s messages': direct('owner'),
  'insider’s messages': direct('insider'),
  'outsider’s messages': direct('outsider'),
  'admin’s messages': direct('admin'),
  'former’s messages': direct('former'),
  'leaver’s messages': direct('leaver'),
  'far person’s messages': direct('far person', 'two'),
}

export const WORKS = [
  ...['web work', 'team work', 'direct work', 'former’s team work', 'former’s direct work'],
  ...['listed work', 'api work', 'far work', 'far direct work'],
  ...['project work', 'project’s api work', 'personal work', 'work of nobody known'],
  ...['forgotten direct work', 'lapsed team work'],
] as const
export type Work = (typeof WORKS)[number]

interface WorkFacts {
  /** Stands in its title, its question and nowhere else. */
  word: string
  /** `elsewhere`: on the web, or by an automation. */
  begun: Place | 'elsewhere'
  project: 'web' | 'api'
  by?: Person
  /** Whose it is alone, as the platform marks it. */
  personal?: 'owner' | 'unknown'
  /** What has become of our own record of it since. */
  since?: 'lapsed' | 'forgotten'
}

export const WHAT: Readonly<Record<Work, WorkFacts>> = {
  'web work': {word: 'okapi', begun: 'web', project: 'web', by: 'owner'},
  'team work': {word: 'quagga', begun: 'team', project: 'web', by: 'owner'},
  'direct work': {word: 'dugong', begun: 'owner’s messages', project: 'web', by: 'owner'},
  'former’s team work': {word: 'zorilla', begun: 'team', project: 'web', by: 'former'},
  'former’s direct work': {
    ...{word: 'bongo', begun: 'former’s messages', project: 'web', by: 'former'},
  },
  'listed work': {word: 'numbat', begun: 'listed', project: 'web', by: 'insider'},
  'api work': {word: 'tapir', begun: 'api', project: 'api', by: 'owner'},
  'far work': {word: 'caracal', begun: 'far', project: 'web', by: 'far person'},
  'far direct work': {
    ...{word: 'pangolin', begun: 'far person’s messages', project: 'web', by: 'far person'},
  },
  'project work': {word: 'kinkajou', begun: 'elsewhere', project: 'web'},
  'project’s api work': {word: 'ocelot', begun: 'elsewhere', project: 'api'},
  'personal work': {word: 'axolotl', begun: 'elsewhere', project: 'web', personal: 'owner'},
  'work of nobody known': {
    ...{word: 'wombat', begun: 'elsewhere', project: 'web', personal: 'unknown'},
  },
  'forgotten direct work': {
    ...{word: 'zebu', begun: 'leaver’s messages', project: 'web', by: 'leaver'},
    since: 'forgotten',
  },
  'lapsed team work': {
    ...{word: 'gerenuk', begun: 'team', project: 'web', by: 'owner', since: 'lapsed'},
  },
}
