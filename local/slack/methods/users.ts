import type {Arguments} from '../edge/arguments.ts'
import {Refusal} from '../edge/refusal.ts'
import type {Member} from '../workspace/workspace.ts'
import {tier2, tier3, tier4, type Answer, type Desk, type Method} from './method.ts'
import {paged} from './paging.ts'

export const usersMethods: Record<string, Method> = {
  'users.info': {token: 'bot', rate: tier4, handle: info},
  'users.list': {token: 'bot', rate: tier2, handle: list},
  'users.lookupByEmail': {token: 'bot', rate: tier3, handle: lookupByEmail},
  'users.profile.get': {token: 'bot', rate: tier4, handle: getProfile},
}

/** https://docs.slack.dev/reference/methods/users.info */
function info(desk: Desk, args: Arguments): Answer {
  return {user: desk.memberShape.user(findMember(desk, args.required('user')))}
}

/** https://docs.slack.dev/reference/methods/users.list: everybody, those who left included. */
function list({workspace, memberShape}: Desk, args: Arguments): Answer {
  const everybody = {fallback: 1000, max: 1000}
  const {page, response_metadata} = paged(args, workspace.members(), everybody)
  return {members: page.map(memberShape.user), cache_ts: 0, response_metadata}
}

/** https://docs.slack.dev/reference/methods/users.lookupByEmail: of the own company only. */
function lookupByEmail({workspace, memberShape}: Desk, args: Arguments): Answer {
  const email = args.required('email').toLowerCase()
  const member = workspace
    .members()
    .find((one) => one.email === email && one.deactivated !== true && one.teamId === undefined)
  if (member === undefined) throw new Refusal('users_not_found')
  return {user: memberShape.user(member)}
}

/** https://docs.slack.dev/reference/methods/users.profile.get: the caller's own by default. */
function getProfile(desk: Desk, args: Arguments): Answer {
  const id = args.text('user') ?? desk.workspace.app.userId
  return {profile: desk.memberShape.profile(findMember(desk, id))}
}

function findMember({workspace}: Desk, id: string): Member {
  const member = workspace.member(id)
  if (member === undefined) throw new Refusal('user_not_found')
  return member
}
