import type {Button, ConfirmationDialog, KnownBlock, ModalView} from '@slack/types'
import {type Thread, isWorking} from '../../../platform/model.ts'
import {markOf} from '../../../relay/posts/pull-request.ts'
import type {Alias} from '../../../store/tables/models.ts'
import type {Link} from '../../../store/tables/work/link.ts'
import {ACTIONS, FORMS, VIEWS} from '../../../slack/ids.ts'
import {MAX_NAME, code, inBold, moment, oneLine} from '../../../slack/markup/lines.ts'
import {escapeMrkdwn} from '../../../slack/markup/markup.ts'
import {readPullRequest} from '../../../slack/markup/pull-requests.ts'
import {cardNoticeText, texts, workText} from '../../../slack/texts.ts'
import {button, context, plain, section, toMetadata} from '../../../slack/draw/blocks.ts'
import {costLines} from '../../../slack/draw/costs.ts'
import {pullRequestFact} from '../../../slack/draw/pull-request.ts'
import {input, modal, option} from '../../../slack/draw/form.ts'
import {conversationTexts} from '../texts.ts'

/** What the modal shows besides our own row. */
export interface ManageView {
  link: Link
  /** As the platform says it now; `undefined` while it is asked, or when it does not answer. */
  thread: Thread | undefined
  /** Their name in Slack. */
  startedBy: string
  /** Whose work it is on the platform, and whose it was before. */
  author?: string | undefined
  previousAuthor?: string | undefined
  /** Names of models here. */
  aliases?: readonly Pick<Alias, 'name' | 'modelId'>[]
  /** A room can be opened for it. */
  hasRooms?: boolean
  /** What came of the last press, or why there is nothing newer. */
  said: string | undefined
}

const MAX_TITLE = 140
const MAX_SAID = 400
const MAX_VALUE = 120

/** All about one piece of work, and all that can be done with it. */
export function drawManage(view: ManageView): ModalView {
  const {link, thread, said} = view
  const {title, close, takeOverExplained} = conversationTexts.manage
  const headline = inBold(thread?.title ?? link.title ?? texts.card.untitled, MAX_TITLE)
  const buttons = buttonsOf(link, view.hasRooms === true)
  const canTakeOver = link.threadId !== undefined && link.state === 'open'
  return modal(VIEWS.manage, toMetadata(link), {title, close}, [
    section(`*${headline}* · ${statusWords(view)}`),
    ...(said === undefined ? [] : [section(escapeMrkdwn(oneLine(said, MAX_SAID)))]),
    ...(link.notice === undefined
      ? []
      : [context(escapeMrkdwn(oneLine(cardNoticeText(link.notice), MAX_SAID)))]),
    ...fieldSections(view),
    ...(buttons.length === 0 ? [] : [{type: 'actions' as const, elements: buttons}]),
    ...(canTakeOver ? [context(takeOverExplained)] : []),
    context(forSupport(link)),
  ])
}

/** What says nothing to people, for whoever helps them. */
function forSupport({id, threadId}: Link): string {
  const ids = [...(threadId === undefined ? [] : [threadId]), id]
  return conversationTexts.manage.forSupport(ids.map((one) => code(oneLine(one, MAX_VALUE))))
}

function statusWords({link, thread}: ManageView): string {
  const {status = link.status, needsYou = link.needsYou, archived = false} = thread ?? {}
  const state = archived && link.state === 'open' ? 'archived' : link.state
  return escapeMrkdwn(oneLine(workText({...link, state, status, needsYou}), MAX_NAME))
}

function fieldSections(view: ManageView): KnownBlock[] {
  const {field} = conversationTexts.manage
  const {link, startedBy} = view
  const rows: [string, string | undefined][] = [
    [field.since, moment(link.statusSinceMs)],
    [field.startedBy, words(startedBy)],
    [field.project, words(link.projectName ?? link.projectId)],
    [field.model, words(modelWords(view))],
    [field.steps, String(link.steps)],
    [field.pullRequest, pullRequestFact(link.pullRequest).join('')],
  ]
  const costs = costLines(view.thread?.usage, link.credits)
  return [
    fieldsOf(rows.map(([name, value]) => [name, value || field.nothing])),
    ...platformSection(view),
    ...(costs.length === 0 ? [] : [section([`*${field.cost}*`, ...costs].join('\n'))]),
  ]
}

/** What ran last, else what it was begun with; by its name here, and as the platform calls it. */
function modelWords({link, thread, aliases = []}: ManageView): string {
  const {modelId: asked, effort, modes = [], alias: asName} = link.ask ?? {}
  const modelId = thread?.lastModelId ?? link.lastModelId ?? asked
  const isAsked = modelId === asked
  const name =
    (isAsked ? asName : undefined) ?? aliases.find((one) => one.modelId === modelId)?.name
  const how = isAsked ? texts.models.how(effort, modes) : ''
  return [name, modelId, how].filter((it) => it !== undefined && it !== '').join(' · ')
}

function fieldsOf(rows: readonly (readonly [string, string])[]): KnownBlock {
  const fields = rows.map(([name, value]) => ({
    type: 'mrkdwn' as const,
    text: `*${name}*\n${value}`,
  }))
  return {type: 'section', fields}
}

/** What the platform alone knows, as far as it says it. */
function platformSection({thread, author, previousAuthor}: ManageView): KnownBlock[] {
  if (thread === undefined) return []
  const {field, forBosun, crew} = conversationTexts.manage
  const {hasUnreads = false, mentionCount = 0, crewCount = 0} = thread
  const {crewNeedsYou = 0, crewMentionCount = 0} = thread
  const rows: [string, string | undefined][] = [
    [field.created, momentOf(thread.createdAt)],
    [field.lastActivity, momentOf(thread.lastActivityAt)],
    [field.author, words(author)],
    [field.previousAuthor, words(previousAuthor)],
    [field.pullRequestAuthor, words(openerOf(thread))],
    [field.forBosun, forBosun(hasUnreads, mentionCount)],
    [field.crew, crew(crewCount, crewNeedsYou, crewMentionCount)],
  ]
  const known = rows.filter((row): row is [string, string] => Boolean(row[1]))
  return known.length === 0 ? [] : [fieldsOf(known)]
}

/** Who opens its pull requests; a word that is not known stands as it comes. */
function openerOf({pullRequestAuthor: author}: Thread): string | undefined {
  const {pullRequestAuthors: known} = conversationTexts.manage
  return author === 'svc' || author === 'user' ? known[author] : author
}

function momentOf(date: string | undefined): string | undefined {
  const ms = Date.parse(date ?? '')
  return Number.isNaN(ms) ? undefined : moment(ms)
}

function words(text: string | undefined): string | undefined {
  return text && escapeMrkdwn(oneLine(text, MAX_VALUE))
}

function confirmTakeOver(): ConfirmationDialog {
  const {title, text, confirm, deny} = conversationTexts.manage.takeOverConfirm
  return {title: plain(title), text: plain(text), confirm: plain(confirm), deny: plain(deny)}
}

function buttonsOf(link: Link, hasRooms: boolean): Button[] {
  const {menu} = texts.talk
  const {archiving, manage} = conversationTexts
  const {state, status, id, threadId} = link
  const one = (action: string, label: string, style?: 'danger'): Button =>
    button(action, label, id, style === undefined ? {} : {style})
  const stop = one(ACTIONS.stop, manage.stop, 'danger')
  const isAtWork = isWorking(status)
  switch (state) {
    case 'starting':
      return [stop]
    case 'open':
      return [
        ...(isAtWork
          ? [
              stop,
              one(ACTIONS.stopAndArchive, archiving.stopAndArchive),
              one(ACTIONS.archiveOnly, archiving.archiveOnly),
            ]
          : [one(ACTIONS.archive, menu.archive)]),
        one(ACTIONS.newTitle, menu.newTitle),
        link.muted ? one(ACTIONS.unmute, menu.unmute) : one(ACTIONS.mute, menu.mute),
        ...(threadId === undefined
          ? []
          : [one(ACTIONS.steps, manage.steps), one(ACTIONS.file, menu.file)]),
        ...(hasRooms ? [one(ACTIONS.roomOpen, manage.room)] : []),
        ...reviewButton(link),
        button(ACTIONS.takeOver, manage.takeOver, id, {confirm: confirmTakeOver()}),
      ]
    case 'archived':
      return threadId === undefined
        ? []
        : [
            one(ACTIONS.unarchive, menu.unarchive),
            one(ACTIONS.steps, manage.steps),
            one(ACTIONS.file, menu.file),
          ]
    case 'ended':
      return []
    default:
      throw new Error(`Unknown state: ${String(state satisfies never)}`)
  }
}

/** For the pull request that the agent named last. */
function reviewButton({id, pullRequests}: Link): Button[] {
  const address = pullRequests.at(-1)?.address
  if (address === undefined || 'problem' in readPullRequest(address)) return []
  return [button(ACTIONS.review, texts.pullRequests.review, `${id}.${markOf(address)}`)]
}

/** What shall become of work that goes on, and is to be put away. */
export const ARCHIVE_INPUT = 'how'

/** Asks that, and goes with the answer: what came of it is seen on the card. [Back] closes it. */
export function drawArchiving(link: Link, waiting: number): ModalView {
  const {title, question, stopAndArchive, archiveOnly, back, archive} = conversationTexts.archiving
  const stop = option(stopAndArchive, ACTIONS.stopAndArchive)
  return modal(FORMS.archive, toMetadata(link), {title, submit: archive, close: back}, [
    input(ARCHIVE_INPUT, question, {
      element: {
        type: 'radio_buttons',
        options: [stop, option(archiveOnly, ACTIONS.archiveOnly)],
        initial_option: stop,
      },
    }),
    ...(waiting === 0 ? [] : [context(conversationTexts.archiving.waiting(waiting))]),
  ])
}
