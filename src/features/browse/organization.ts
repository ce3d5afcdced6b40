import type {OrganizationUser, Project} from '../../platform/model.ts'
import {button} from '../../slack/draw/blocks.ts'
import {type PageRow, drawPage, pageButtons} from '../../slack/draw/list.ts'
import {ACTIONS} from '../../slack/ids.ts'
import {MAX_NAME, code, inBold, oneLine} from '../../slack/markup/lines.ts'
import {escapeMrkdwn} from '../../slack/markup/markup.ts'
import {texts} from '../../slack/texts.ts'
import type {Act, ActResult} from '../../slack/gate/act.ts'
import {createAsking} from '../../slack/gate/asking.ts'
import {browseTexts} from './texts.ts'
import type {ActTools} from '../../slack/gate/tools.ts'

interface OrganizationActsOptions extends ActTools<
  'catalogue' | 'clientOf' | 'unconnected' | 'people' | 'settingsOf'
> {
  /** Folders turn their pages by the same button. */
  folderPage: FolderPages
}

/** A page of the folders that are remembered in a channel. */
export type FolderPages = (
  asked: Pick<Asked, 'team' | 'channel' | 'user'>,
  offset: number,
) => Promise<ActResult>

interface Asked {
  team: string
  channel: string
  user: string
  userTeam: string | undefined
}

const PER_PAGE = 10
const MAX_DESCRIPTION = 150
const MAX_REPOS = 5
const MAX_ID = 120
/** Slack's limit of what a button bears. */
const MAX_VALUE = 2000
const FRESH_MS = 300_000

/** The projects and people of the organization that a channel's key belongs to. */
export function createOrganizationActs(options: OrganizationActsOptions): Act[] {
  const {act, catalogue, checks, people, folderPage} = options
  const asking = createAsking(options)

  const projects = (asked: Asked, offset: number, signal: AbortSignal): Promise<ActResult> =>
    asking(asked, async (_client, values) => {
      const usedId = values.projectId
      const [all, isAdmin] = await Promise.all([
        catalogue.reachable(values, asked.user, signal, 0),
        people.seemsAdmin(asked.user),
      ])
      // A direct message is no channel that could choose one.
      const mayUse = isAdmin && /^[CG]/.test(asked.channel)
      const sorted = all.toSorted((a, b) => a.name.localeCompare(b.name))
      return pageOf(sorted, {...browseTexts.projects, kind: 'projects', offset}, (project) => ({
        line: projectLine(project, usedId),
        buttons:
          mayUse && project.id !== usedId && project.id.length <= MAX_VALUE
            ? [button(ACTIONS.useProject, browseTexts.projects.use, project.id)]
            : [],
      }))
    })

  const users = (asked: Asked, offset: number, signal: AbortSignal): Promise<ActResult> =>
    asking(asked, async (client) => {
      const [all, role] = await Promise.all([
        client.listUsers(signal),
        people.roleOf(asked, FRESH_MS),
      ])
      const isOwn = role === 'admin' || role === 'member'
      const sorted = all.toSorted((a, b) => nameOf(a).localeCompare(nameOf(b)))
      const shown = sorted.slice(offset, offset + PER_PAGE)
      const inSlack = await Promise.all(shown.map(({email = ''}) => people.withEmail(email)))
      const known = new Map(shown.map(({id}, index) => [id, inSlack[index]]))
      return pageOf(sorted, {...browseTexts.users, kind: 'users', offset}, (user) => ({
        line: userLine(user, known.get(user.id), isOwn ? 'with e-mail' : 'without'),
        buttons: [],
      }))
    })

  const turn = async (
    asked: Asked,
    value: string,
    signal: AbortSignal,
  ): Promise<ActResult | undefined> => {
    const [, kind, offset] = /^(projects|users|folders)\.(\d{1,5})$/.exec(value) ?? []
    if (kind === 'projects') return projects(asked, Number(offset), signal)
    if (kind === 'users') return users(asked, Number(offset), signal)
    return kind === 'folders' ? folderPage(asked, Number(offset)) : undefined
  }

  return [
    act('command', '/bosun projects', checks.member, (interaction, _subject, {signal}) =>
      projects(interaction, 0, signal),
    ),
    act('command', '/bosun users', checks.member, (interaction, _subject, {signal}) =>
      users(interaction, 0, signal),
    ),
    act('press', ACTIONS.turnPage, checks.member, async (press, _subject, {signal}) => {
      const {channel} = press
      const page =
        channel === undefined ? undefined : await turn({...press, channel}, press.value, signal)
      return page ?? {answer: {text: texts.notHere}}
    }),
  ]
}

/** One page of what is listed, and the way to the next one. */
export function pageOf<Item>(
  all: readonly Item[],
  page: {headline: string; none: string; kind: 'projects' | 'users' | 'folders'; offset: number},
  draw: (item: Item) => PageRow,
): ActResult {
  const {headline, none, kind, offset} = page
  if (all.length === 0) return {answer: {text: none}}
  const shown = all.slice(offset, offset + PER_PAGE)
  if (shown.length === 0) return {answer: {text: browseTexts.noMore}}
  const next = offset + shown.length
  const turns = pageButtons(ACTIONS.turnPage, {
    next: next < all.length ? `${kind}.${next}` : undefined,
    first: offset > 0 ? `${kind}.0` : undefined,
  })
  return {answer: drawPage({headline, rows: shown.map(draw), turns}), inPlace: true}
}

function projectLine(project: Project, usedId: string | undefined): string {
  const {id, name, code: short, description, repos} = project
  const {here, repo, moreRepos} = browseTexts.projects
  const listed = repos
    .slice(0, MAX_REPOS)
    .map(({repoFullName, baseBranch}) =>
      escapeMrkdwn(oneLine(repo(repoFullName, baseBranch), MAX_NAME)),
    )
  const more = repos.length > MAX_REPOS ? [moreRepos(repos.length - MAX_REPOS)] : []
  const head = [
    `*${inBold(name, MAX_NAME)}*`,
    ...(short === undefined ? [] : [escapeMrkdwn(oneLine(short, MAX_NAME))]),
    ...(id === usedId ? [here] : []),
    code(oneLine(id, MAX_ID)),
  ]
  return [
    head.join(' · '),
    ...(description === undefined ? [] : [escapeMrkdwn(oneLine(description, MAX_DESCRIPTION))]),
    ...(listed.length === 0 ? [] : [[...listed, ...more].join(', ')]),
  ].join('\n')
}

function userLine(
  user: OrganizationUser,
  slackUser: string | undefined,
  mail: 'with e-mail' | 'without',
): string {
  const {notHere} = browseTexts.users
  const email = mail === 'with e-mail' ? (user.email ?? '') : ''
  return [
    `*${inBold(nameOf(user), MAX_NAME)}*`,
    // Only the reader sees it: it calls nobody.
    slackUser === undefined ? notHere : `<@${slackUser}>`,
    ...(email === '' ? [] : [escapeMrkdwn(oneLine(email, MAX_NAME))]),
    code(oneLine(user.id, MAX_ID)),
  ].join(' · ')
}

/** An e-mail is no name: not everybody may read it. */
function nameOf({firstName = '', lastName = ''}: OrganizationUser): string {
  return `${firstName} ${lastName}`.trim() || browseTexts.users.unnamed
}
