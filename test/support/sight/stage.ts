import {createHash} from 'node:crypto'
import type {StoredMessage} from '../../../local/slack/messages/messages.ts'
import type {People} from '../../../local/slack/people/people.ts'
import {type Many, installByHand, startMany} from '../many.ts'
import {
  PERSONS,
  PLACES,
  type Person,
  type Place,
  WHAT,
  WHERE,
  WORKS,
  type Work,
} from '../matrix-oracle/sight-world.ts'
import {setTimeout as delay} from 'node:timers/promises'

const TEAMS = {one: 'T0LOCAL', two: 'T0BETA'} as const
const PROJECTS = {web: 'project_web', api: 'project_api'} as const
/** Who is not made anew: the platform's key is Jane's. */
const SEEDED: Partial<Record<Person, string>> = {
  owner: 'U0JANE',
  admin: 'U0SAM',
  'far person': 'U0BETARITA',
}

/** The world of `sight-world.ts`, as it runs here. */
export interface Stage extends AsyncDisposable {
  many: Many
  /** Ids of people and channels, as Slack has them. */
  personId: (person: Person) => string
  channelOf: (place: Place) => string
  /** Of the platform. */
  threadOf: (work: Work) => string
  peopleIn: (place: Place) => People
  addPerson: (name: string) => Promise<{id: string; messages: string}>
  /** Somebody types a command; the first that they alone are shown then, with all that is drawn. */
  type: (
    as: string,
    at: Place | {channel: string; place: Place},
    command: string,
  ) => Promise<string>
  /** Somebody begins work; its thread, once it needs somebody or rests. */
  begin: (as: string, place: Place, task: string, channel?: string) => Promise<Begun>
  /** Somebody posts a link to a thread; the `ts` of their message. */
  link: (threadId: string, place: Place, person: Person) => Promise<string>
  beginElsewhere: (task: string, project: 'web' | 'api') => Promise<string>
  setState: (threadId: string, state: 'pending_user' | 'error' | 'active') => void
  messages: (channel: string) => readonly StoredMessage[]
  /** Nothing has been asked of Slack or of the platform for a while. */
  quiet: () => Promise<void>
}

export interface Begun {
  threadId: string
  channel: string
  ts: string
}

const QUIET_MS = 1500
/** The host of links to work, as the manifest has it. */
const LINKS = 'app.example.com'

export async function openStage(): Promise<Stage> {
  await using opened = new AsyncDisposableStack()
  const many = opened.use(
    await startMany({
      // Nobody is in a hurry here: what is opened may take its time.
      ...{teams: Object.values(TEAMS), pace: 0.02, timeFactor: 10},
      settings: {
        PLATFORM_WEB_URL: `https://${LINKS}/t/{threadId}`,
        BOSUN_WATCH_SECONDS: '1',
        BOSUN_RETENTION_DAYS: '30',
        BOSUN_ADMINS: 'U0SAM',
      },
    }),
  )
  for (const team of Object.values(TEAMS)) await installByHand(many, team)
  const {slack, platform} = many
  await slack.people.setAdmin('U0JANE', false)
  await slack.people.setAdmin('U0SAM', true)
  const bots: Readonly<Record<string, string>> = Object.fromEntries(
    (slack.apps.all()[0]?.installations ?? []).map(({teamId, botUserId}) => [teamId, botUserId]),
  )
  const people = await seatPeople(many)
  const channels = await seatPlaces(many, people, bots)
  const threads = new Map<Work, string>()
  const peopleIn = (place: Place): People => slack.peopleOf(TEAMS[WHERE[place].workspace])

  const stage: Stage = {
    many,
    peopleIn,
    personId: (person) => known(people.get(person), person),
    channelOf: (place) => known(channels.get(place), place),
    threadOf: (work) => known(threads.get(work), work),
    addPerson: async (name) => {
      const {id} = await slack.people.addMember({name, realName: name})
      const bot = bots[TEAMS.one] ?? ''
      const draft = {name, kind: 'dm' as const, memberIds: [id, bot]}
      return {id, messages: (await slack.people.createChannel(draft)).id}
    },
    type: async (as, at, command) => {
      const {channel, place} =
        typeof at === 'string' ? {channel: stage.channelOf(at), place: at} : at
      const before = slack.ephemerals(channel, as).length
      const [name = '', ...words] = command.split(' ')
      await peopleIn(place).command({as, channel, command: name, text: words.join(' ')})
      const told = await many.until(`${as} is answered to ${command} in ${place}`, () =>
        slack.ephemerals(channel, as).at(before),
      )
      return readAll(told)
    },
    begin: async (as, place, task, channel = stage.channelOf(place)) => {
      const isDirect = WHERE[place].kind === 'direct'
      const text = isDirect ? task : `@Bosun ${task}`
      const {ts} = await peopleIn(place).post({as, channel, text})
      const requestId = `slack:${TEAMS[WHERE[place].workspace]}:${channel}:${ts}`
      const {id} = await many.until(`${task} begins`, () =>
        platform.threads().find((thread) => thread.requestId === requestId),
      )
      return {threadId: id, channel, ts}
    },
    link: async (threadId, place, person) => {
      // In direct messages any other words would begin work.
      const text = `!aside https://${LINKS}/t/${threadId}`
      const at = {as: stage.personId(person), channel: stage.channelOf(place)}
      return (await peopleIn(place).post({...at, text})).ts
    },
    beginElsewhere: async (task, project) => {
      const requestId = createHash('sha256').update(`${task} ${project}`).digest('hex')
      const answer = await fetch(`${platform.baseUrl}/threads`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${platform.keys.human}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({requestId, projectId: PROJECTS[project], message: task}),
      })
      return ((await answer.json()) as {id: string}).id
    },
    setState: (threadId, state) => void platform.control.setState(threadId, state),
    messages: (channel) => slack.messages(channel),
    quiet: async () => {
      const seen = (): number => slack.ledger.calls.length + slack.ledger.deliveries.length
      for (let before = -1; before !== seen();) {
        before = seen()
        await delay(QUIET_MS)
      }
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
  await bind(stage)
  await watch(stage)
  await beginAll(stage, threads)
  const resources = opened.move()
  return stage
}

/** Everything that a message reads like, its buttons included. */
export function readAll({text, blocks}: Pick<StoredMessage, 'text' | 'blocks'>): string {
  return `${text}\n${JSON.stringify(blocks ?? [])}`
}

function known<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new Error(`There is no ${name} in this world.`)
  return value
}

async function seatPeople({slack}: Many): Promise<ReadonlyMap<Person, string>> {
  const kinds: Partial<Record<Person, object>> = {
    guest: {guest: 'multi_channel'},
    'single-channel guest': {guest: 'single_channel'},
    external: {teamId: 'T0OTHER'},
  }
  const seated = new Map<Person, string>()
  for (const person of PERSONS) {
    const name = person.replaceAll(/[^a-z]/g, '')
    const draft = {name, realName: name, ...kinds[person]}
    seated.set(person, SEEDED[person] ?? (await slack.people.addMember(draft)).id)
  }
  return seated
}

/** `former` is still one of the team. */
async function seatPlaces(
  {slack}: Many,
  people: ReadonlyMap<Person, string>,
  bots: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<Place, string>> {
  const channels = new Map<Place, string>([['owner’s messages', 'D0JANE']])
  channels.set('admin’s messages', 'D0SAM')
  for (const place of PLACES.filter((one) => !channels.has(one))) {
    const {workspace, kind, members} = WHERE[place]
    const team = TEAMS[workspace]
    const sitting = place === 'team' ? [...members, 'former' as const] : members
    const {id} = await slack
      .peopleOf(team)
      .createChannel({
        name: place === 'web' ? 'shop' : place.replaceAll(/[^a-z]/g, ''),
        memberIds: [...sitting.map((person) => people.get(person) ?? ''), bots[team] ?? ''],
        ...(kind === 'direct' && {kind: 'dm' as const}),
        isPrivate: kind === 'private',
      })
    channels.set(place, id)
  }
  return channels
}

async function bind({many, channelOf, personId}: Stage): Promise<void> {
  await many.bot.stop()
  const team = TEAMS.one
  const by = {user: 'U0SAM', nowMs: Date.now()}
  await many.withStore(async ({bindings}) => {
    const api = {projectId: PROJECTS.api, projectName: 'api', guests: true}
    await bindings.change({team, channel: channelOf('api')}, api, by)
    const users = WHERE.listed.users.map(personId)
    const allowed = {who: 'list' as const, users}
    await bindings.change({team, channel: channelOf('listed')}, {allowed}, by)
  })
  await many.startBot()
}

/** Every channel watches its project. */
async function watch(stage: Stage): Promise<void> {
  for (const place of PLACES) {
    const {kind, project, users} = WHERE[place]
    const [user] = users
    if (kind === 'direct' || user === undefined) continue
    await stage.type(stage.personId(user), place, `/bosun watch ${project}`)
  }
}

async function beginAll(stage: Stage, threads: Map<Work, string>): Promise<void> {
  const {many} = stage
  const waiting = WORKS.map(async (work) => {
    const {word, begun, project, by, personal} = WHAT[work]
    if (begun !== 'elsewhere' && by !== undefined) {
      const {threadId} = await stage.begin(stage.personId(by), begun, `ask me about the ${word}`)
      threads.set(work, threadId)
      return
    }
    // It is marked before it could call anybody.
    const isMarked = personal !== undefined
    const task = isMarked ? `a quick check of the ${word}` : `ask me about the ${word}`
    const threadId = await stage.beginElsewhere(task, project)
    if (isMarked) {
      const author = personal === 'owner' ? 'user_jane' : null
      many.platform.control.setPersonal(threadId, author)
    }
    threads.set(work, threadId)
  })
  await Promise.all(waiting)
  const statusOf = (work: Work) =>
    many.platform.threads().find(({id}) => id === threads.get(work))?.status
  await many.until('all of them rest', () =>
    WORKS.every((work) => ['pending_user', 'idle'].includes(statusOf(work) ?? '')),
  )
  for (const work of WORKS) {
    if (WHAT[work].personal !== undefined) stage.setState(stage.threadOf(work), 'pending_user')
  }
}
