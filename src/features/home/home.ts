import {startOfDayMs} from '../../inbox/due-times.ts'
import type {Rank} from '../../relay/post.ts'
import type {DigestStore} from '../../store/tables/channels/digests.ts'
import type {ChoiceStore} from '../../store/tables/choices.ts'
import type {Link} from '../../store/tables/work/link.ts'
import type {LinkLists} from '../../store/tables/work/link-lists.ts'
import type {Access} from '../../slack/access.ts'
import {GROUPS, failedSince} from '../../slack/draw/standing.ts'
import type {OwnWork} from '../../slack/own-work.ts'
import {type HomeContent, type HomePage, drawHome, shownRows} from './view.ts'
import {createProjectName} from '../../slack/gate/project-name.ts'
import type {Tools} from '../../slack/gate/tools.ts'
import type {ConnectionStore} from '../../store/tables/platform-keys.ts'
import {keyName} from '../../slack/texts.ts'
import {inBold} from '../../slack/markup/lines.ts'
import {homeTexts} from './texts.ts'

/** App Home of everybody who looks at theirs. */
export interface Home extends AsyncDisposable {
  /** Somebody looks: shows them their work, and keeps it up to date for a while. */
  open: (user: string) => Promise<void>
  /** They look elsewhere in it, or have changed something. */
  show: (user: string, page?: HomePage) => Promise<void>
  /** The link may read differently now. */
  note: (link: Link) => void
  /** Somebody may see other things now; whoever does not look at theirs is left alone. */
  refresh: (user: string) => void
}

interface HomeOptions extends Pick<
  Tools,
  'forms' | 'log' | 'permalinks' | 'team' | 'webUrl' | 'zoneOf'
> {
  store: {
    lists: Pick<LinkLists, 'ofStarter'>
    choices: ChoiceStore
    digests: Pick<DigestStore, 'of'>
  }
  ownWork: OwnWork
  access: Pick<Access, 'mayKnow' | 'isFullMember'>
  /** What only they may read there. */
  factsOf: (user: string) => Promise<HomeFacts>
  /** What we do, for who does not know it yet. */
  welcomeFor: (user: string) => Promise<string>
}

/** Somebody who looked at their App Home not long ago. */
interface Reader {
  lookedAtMs: number
  page: HomePage
  /** They are here for the first time, or have not asked for anything yet. */
  isNew: boolean
  /** How each row read when it was shown last. */
  seen: Map<string, string>
  timer: NodeJS.Timeout | undefined
  /** One after the other: an older view must not replace a newer one. */
  last: Promise<void>
}

const KEEP_MS = 3_600_000
/** What changes together is shown together. */
const GATHER_MS = 2000
const FIRST_PAGE: HomePage = {section: 'needsYou', from: 0}

export function createHome(options: HomeOptions): Home {
  const {forms, permalinks, zoneOf, factsOf, access, team, webUrl, log, welcomeFor} = options
  const {ownWork} = options
  const {lists, choices, digests} = options.store
  const readers = new Map<string, Reader>()

  const read = async (user: string, {page, isNew}: Reader): Promise<HomeContent> => {
    const person = {team, user}
    const dayMs = startOfDayMs(Date.now(), await zoneOf(user))
    return {
      rows: await ownWork({
        user,
        sinceMs: dayMs,
        failedSinceMs: failedSince(dayMs),
        mayKnow: access.mayKnow,
      }),
      page,
      dayMs,
      welcome: isNew ? await welcomeFor(user) : undefined,
      choices: await choices.of(person),
      morning: await morningOf(user),
      onPlatform: await choices.onPlatform(person),
      ...(await factsOf(user)),
    }
  }

  /** Guests are told nothing by themselves. */
  const morningOf = async (user: string): Promise<HomeContent['morning']> => {
    if (!(await access.isFullMember(user))) return undefined
    return (await digests.of({team, target: user})) === undefined ? 'no' : 'yes'
  }

  const publish = async (user: string, reader: Reader, rank: Rank): Promise<void> => {
    const content = await read(user, reader)
    const rows = GROUPS.flatMap((of) => [...content.rows[of]])
    reader.seen = new Map(rows.map(({link}) => [link.id, looksOf(link)]))
    await forms.publish(user, drawHome(content, {webUrl}), rank)
    // Links cost a call each: they come behind what is known already.
    const shown = GROUPS.flatMap((of) => [...shownRows(content, of)])
    const missing = shown.filter(({permalink}) => permalink === undefined)
    const found = await Promise.all(missing.map(({link}) => permalinks.find(link.place)))
    if (found.every((url) => url === undefined)) return
    await forms.publish(user, drawHome(await read(user, reader), {webUrl}), 'spare')
  }

  const enqueue = (user: string, reader: Reader, rank: Rank): Promise<void> => {
    clearTimeout(reader.timer)
    reader.timer = undefined
    const next = reader.last.then(() => publish(user, reader, rank))
    reader.last = next.catch((error: unknown) => {
      log.error({err: error}, 'App Home could not be shown')
    })
    return next
  }

  const showSoon = (user: string): void => {
    const reader = readers.get(user)
    if (reader === undefined || reader.timer !== undefined) return
    if (Date.now() - reader.lookedAtMs > KEEP_MS) return
    const again = () => void enqueue(user, reader, 'spare').catch(() => undefined)
    reader.timer = setTimeout(again, GATHER_MS).unref()
  }

  const show = async (user: string, looking: Partial<Pick<Reader, 'page' | 'isNew'>>) => {
    forgetOld()
    const reader = readers.get(user) ?? createReader()
    readers.set(user, Object.assign(reader, {lookedAtMs: Date.now(), ...looking}))
    await enqueue(user, reader, 'final')
  }

  return {
    open: async (user) => {
      const person = {team, user}
      const {welcomed} = await choices.of(person)
      const isNew = welcomed === undefined || !(await hasAsked(person))
      await show(user, {page: FIRST_PAGE, isNew})
      if (welcomed === undefined) await choices.change(person, {welcomed: 'yes'})
    },
    show: (user, page = FIRST_PAGE) => show(user, {page}),
    note: (link) => {
      const reader = readers.get(link.startedBy)
      if (link.place.team !== team || reader?.seen.get(link.id) === looksOf(link)) return
      showSoon(link.startedBy)
    },
    refresh: (user) => showSoon(user),
    [Symbol.asyncDispose]: async () => {
      for (const {timer} of readers.values()) clearTimeout(timer)
      const all = [...readers.values()]
      readers.clear()
      await Promise.all(all.map(({last}) => last))
    },
  }

  /** Whoever has begun something knows how. */
  async function hasAsked(person: {team: string; user: string}): Promise<boolean> {
    const page = await lists.ofStarter(person, {limit: 1, from: undefined})
    return page.links.length > 0
  }

  function forgetOld(): void {
    for (const [user, {lookedAtMs, timer}] of readers) {
      if (Date.now() - lookedAtMs <= KEEP_MS) continue
      clearTimeout(timer)
      readers.delete(user)
    }
  }
}

function createReader(): Reader {
  return {
    lookedAtMs: 0,
    page: FIRST_PAGE,
    isNew: false,
    seen: new Map(),
    timer: undefined,
    last: Promise.resolve(),
  }
}

/** All that a row shows of its link, as far as it changes. */
function looksOf({state, status, statusSinceMs, needsYou, stoppedBy, ...link}: Link): string {
  const {title, pullRequest} = link
  return JSON.stringify([state, status, statusSinceMs, needsYou, stoppedBy, title, pullRequest])
}

const MAX_LABEL = 80

type HomeFacts = Pick<HomeContent, 'email' | 'project' | 'workspaceKey'>

/** What somebody's App Home tells of them, and to admins of the workspace. */
export function createHomeFacts({
  catalogue,
  people,
  connections,
  choices,
  settingsOf,
  team,
}: Pick<Tools, 'catalogue' | 'people' | 'settingsOf' | 'team'> & {
  connections: ConnectionStore
  choices: Pick<ChoiceStore, 'of'>
}): (user: string) => Promise<HomeFacts> {
  const projectName = createProjectName(catalogue)
  const keyText = async (): Promise<string> => {
    const {isConnected, values} = await settingsOf(team, undefined)
    const {connectionId} = values
    if (!isConnected) return homeTexts.connection.none
    const key = connectionId === undefined ? undefined : await connections.byId(connectionId)
    const project = await projectName(values)
    const name = inBold(keyName(key), MAX_LABEL)
    return [name, ...(project === undefined ? [] : [inBold(project, MAX_LABEL)])].join(' · ')
  }

  const ownProject = async (user: string): Promise<string | undefined> => {
    const {project: projectId} = await choices.of({team, user})
    if (projectId === undefined) return undefined
    const {connectionId} = (await settingsOf(team, undefined)).values
    const name = await projectName({connectionId, projectId, projectName: undefined})
    return name && inBold(name, MAX_LABEL)
  }

  return async (user) => {
    const [email, mayChange, project] = await Promise.all([
      people.emailOf(user),
      people.seemsAdmin(user),
      ownProject(user),
    ])
    return {email, project, workspaceKey: mayChange ? await keyText() : undefined}
  }
}
