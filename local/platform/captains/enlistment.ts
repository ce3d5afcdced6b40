import {toGreetingPrompt} from '../agent/scenarios/greeting.ts'
import type {Runs} from '../agent/runs.ts'
import type {Database} from '../database.ts'
import {invalidRequest, projectNotFound} from '../edge/errors.ts'
import {createId} from '../id.ts'
import {reachesThread, type Access} from '../organization/access.ts'
import type {Principal} from '../organization/keys.ts'
import type {User} from '../organization/organization.ts'
import type {Plan} from '../organization/plan.ts'
import {toMessage, type Message, type Messages} from '../threads/messages.ts'
import type {ThreadRow, Threads} from '../threads/threads.ts'
import type {Avatar, Captain, Captains} from './captains.ts'

interface Order {
  requestId: string
  projectId: string
  name: string
  brief?: string | undefined
  modelId?: string | undefined
  avatar?: Avatar | undefined
  authorId?: string | undefined
}

interface Enlisted {
  thread: ThreadRow
  captain: Captain
  /** False for a repeated `requestId`. */
  created: boolean
}

/** How captains come to be: the rules of section 4.4. */
export interface Enlistment {
  enlist(principal: Principal, order: Order): Enlisted
}

interface EnlistmentOptions {
  database: Database
  access: Access
  plan: Plan
  threads: Threads
  messages: Messages
  runs: Runs
  captains: Captains
}

/** The first preset face on a blue background. Section 4.4. */
const DEFAULT_AVATAR: Avatar = {kind: 'preset', value: 'face-1', background: 'blue'}

export function createEnlistment(options: EnlistmentOptions): Enlistment {
  return {
    enlist: (principal, order) => {
      // Before all other checks: a repeated creation answers as the first one did, whatever changed since.
      return findRepeated(options, principal, order) ?? enlist(options, principal, order)
    },
  }
}

function findRepeated(
  {threads, captains}: EnlistmentOptions,
  principal: Principal,
  {requestId, projectId}: Order,
): Enlisted | undefined {
  const captain = captains.findByRequest(requestId)
  const thread = captain && threads.find(captain.threadId)
  if (captain === undefined || thread === undefined) return undefined
  if (!reachesThread(principal, thread)) throw projectNotFound(projectId)
  return {thread, captain, created: false}
}

function enlist(options: EnlistmentOptions, principal: Principal, order: Order): Enlisted {
  const {database, threads, messages, runs, captains} = options
  const owner = checkOrder(options, principal, order)
  const captain = toCaptain(order)
  const {threadId} = captain
  const first = toFirstMessage(threadId, owner, order)
  database.transaction(() => {
    addThread(options, captain, owner, order)
    if (principal.userId !== null) threads.addParticipant(threadId, principal.userId)
    captains.add(captain)
    if (first === undefined) runs.intend(threadId, toGreetingPrompt(order.name))
    else messages.add(first)
  })()
  if (first === undefined) runs.wake(threadId)
  else runs.begin(first)
  const thread = threads.find(threadId)
  if (thread === undefined) throw new Error('The thread of a new captain is not there.')
  return {thread, captain, created: true}
}

/** Checks what is asked for and answers whose captain it will be. */
function checkOrder({access, plan}: EnlistmentOptions, principal: Principal, order: Order): User {
  access.project(principal, order.projectId)
  const owner = findOwner(access, principal, order)
  if (order.avatar?.image !== undefined) plan.require('captain_image')
  if (order.modelId !== undefined) plan.checkModel(order.modelId, 'known')
  return owner
}

/** The member who owns the captain: a service key owns nothing and must name one. Section 5.4. */
function findOwner(access: Access, {userId}: Principal, {authorId}: Order): User {
  const ownerId = authorId ?? userId
  if (ownerId === null) throw invalidRequest('A service key must name the owner in authorId.')
  return access.member(ownerId, 'authorId')
}

function toCaptain({requestId, name, avatar = DEFAULT_AVATAR}: Order): Captain {
  return {threadId: createId('thread'), requestId, name, avatar}
}

/** The brief is the owner's first message, whoever sent the order. Section 4.4. */
function toFirstMessage(
  threadId: string,
  {firstName, lastName}: User,
  {brief}: Order,
): Message | undefined {
  if (brief === undefined) return undefined
  return toMessage(threadId, {text: brief, delivery: 'interrupt'}, `${firstName} ${lastName}`)
}

function addThread(
  {threads, plan}: EnlistmentOptions,
  {threadId, name}: Captain,
  owner: User,
  {projectId, modelId = plan.defaultModelId}: Order,
): void {
  threads.insert({
    id: threadId,
    requestId: null,
    projectId,
    authorId: owner.id,
    personal: 0,
    title: name,
    titleCustom: 1,
    modelId,
    machineSize: null,
  })
  threads.addParticipant(threadId, owner.id)
}
