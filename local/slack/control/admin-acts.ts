import {z} from 'zod'
import type {People} from '../people/people.ts'
import {act, type Act} from './act.ts'

const id = z.string().min(1)
/** Who does it is said by the page as with every act; an admin's word is good whoever says it. */
const by = {as: id.optional()}
const inChannel = z.strictObject({...by, channel: id})
const botInChannel = z.strictObject({...by, channel: id, appId: id.optional()})
const ofMember = z.strictObject({...by, channel: id, memberId: id})
const lock = z.strictObject({channel: id, threadTs: id})
const shared = z.strictObject({channel: id, teamId: id})

/** What admins do. */
export function adminActs(people: People): Record<string, Act> {
  return {...channelActs(people), ...workspaceActs(people)}
}

function channelActs(people: People): Record<string, Act> {
  return {
    inviteBot: act(botInChannel, ({channel, appId}) => people.inviteBot(channel, appId)),
    kickBot: act(botInChannel, ({channel, appId}) => people.kickBot(channel, appId)),
    invite: act(ofMember, ({channel, memberId}) => people.invite(channel, memberId)),
    kick: act(ofMember, ({channel, memberId}) => people.kick(channel, memberId)),
    archive: act(inChannel, ({channel}) => people.archive(channel)),
    unarchive: act(inChannel, ({channel}) => people.unarchive(channel)),
    rename: act(z.strictObject({channel: id, name: id}), ({channel, name}) =>
      people.rename(channel, name),
    ),
    shareChannel: act(shared, ({channel, teamId}) => people.shareChannel(channel, teamId)),
    unshareChannel: act(shared, ({channel, teamId}) => people.unshareChannel(channel, teamId)),
    createChannel: act(
      z.strictObject({
        ...by,
        name: id,
        memberIds: z.array(id),
        isPrivate: z.boolean().optional(),
        kind: z.enum(['channel', 'group_dm', 'dm']).optional(),
      }),
      (draft) => people.createChannel(draft),
    ),
    restrictChannel: act(
      z.strictObject({
        channel: id,
        posting: z.enum(['everyone', 'admins', 'read_only', 'threads_only', 'no_threads']),
      }),
      ({channel, posting}) => people.restrictChannel(channel, posting),
    ),
    lockThread: act(lock, ({channel, threadTs}) => people.lockThread(channel, threadTs)),
    unlockThread: act(lock, ({channel, threadTs}) => people.unlockThread(channel, threadTs)),
  }
}

function workspaceActs(people: People): Record<string, Act> {
  return {
    addMember: act(
      z.strictObject({
        name: id,
        realName: id,
        guest: z.enum(['multi_channel', 'single_channel']).optional(),
        teamId: id.optional(),
        tz: id.optional(),
      }),
      (member) => people.addMember(member),
    ),
    deactivate: act(z.strictObject({memberId: id}), ({memberId}) => people.deactivate(memberId)),
    deleteMessage: act(z.strictObject({channel: id, ts: id}), ({channel, ts}) =>
      people.deleteMessage(channel, ts),
    ),
    saveUsergroup: act(
      z.strictObject({
        id: id.optional(),
        handle: id,
        name: id,
        memberIds: z.array(id),
        isDisabled: z.boolean().optional(),
      }),
      (usergroup) => people.saveUsergroup(usergroup),
    ),
    setRules: act(
      z.strictObject({
        editWindowS: z.number().min(0).optional(),
        isMessageLimitReached: z.boolean().optional(),
      }),
      (rules) => people.setRules(rules),
    ),
    limitUploads: act(z.strictObject({policy: z.enum(['all', 'images', 'none'])}), ({policy}) =>
      people.limitUploads(policy),
    ),
  }
}
