import {z} from 'zod'
import {act, type Act} from './act.ts'

const id = z.string().min(1)
const inChannel = z.strictObject({channel: id})
const botInChannel = z.strictObject({channel: id, appId: id.optional()})
const ofMember = z.strictObject({channel: id, memberId: id})
const lock = z.strictObject({channel: id, threadTs: id})
const shared = z.strictObject({channel: id, teamId: id})

const channelActs: Readonly<Record<string, Act>> = {
  inviteBot: act(botInChannel, (people, {channel, appId}) => people.inviteBot(channel, appId)),
  kickBot: act(botInChannel, (people, {channel, appId}) => people.kickBot(channel, appId)),
  invite: act(ofMember, (people, {channel, memberId}) => people.invite(channel, memberId)),
  kick: act(ofMember, (people, {channel, memberId}) => people.kick(channel, memberId)),
  archive: act(inChannel, (people, {channel}) => people.archive(channel)),
  unarchive: act(inChannel, (people, {channel}) => people.unarchive(channel)),
  rename: act(z.strictObject({channel: id, name: id}), (people, {channel, name}) =>
    people.rename(channel, name),
  ),
  shareChannel: act(shared, (people, {channel, teamId}) => people.shareChannel(channel, teamId)),
  unshareChannel: act(shared, (people, {channel, teamId}) =>
    people.unshareChannel(channel, teamId),
  ),
  createChannel: act(
    z.strictObject({
      name: id,
      memberIds: z.array(id),
      isPrivate: z.boolean().optional(),
      kind: z.enum(['channel', 'group_dm', 'dm']).optional(),
    }),
    (people, draft) => people.createChannel(draft),
  ),
  restrictChannel: act(
    z.strictObject({
      channel: id,
      posting: z.enum(['everyone', 'admins', 'read_only', 'threads_only', 'no_threads']),
    }),
    (people, {channel, posting}) => people.restrictChannel(channel, posting),
  ),
  lockThread: act(lock, (people, {channel, threadTs}) => people.lockThread(channel, threadTs)),
  unlockThread: act(lock, (people, {channel, threadTs}) => people.unlockThread(channel, threadTs)),
}

const workspaceActs: Readonly<Record<string, Act>> = {
  addMember: act(
    z.strictObject({
      name: id,
      realName: id,
      guest: z.enum(['multi_channel', 'single_channel']).optional(),
      teamId: id.optional(),
      tz: id.optional(),
    }),
    (people, member) => people.addMember(member),
  ),
  setAdmin: act(z.strictObject({memberId: id, isAdmin: z.boolean()}), (people, one) =>
    people.setAdmin(one.memberId, one.isAdmin),
  ),
  deactivate: act(z.strictObject({memberId: id}), (people, {memberId}) =>
    people.deactivate(memberId),
  ),
  deleteMessage: act(z.strictObject({channel: id, ts: id}), (people, {channel, ts}) =>
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
    (people, usergroup) => people.saveUsergroup(usergroup),
  ),
  setRules: act(
    z.strictObject({
      editWindowS: z.number().min(0).optional(),
      isMessageLimitReached: z.boolean().optional(),
      uploads: z.enum(['all', 'images', 'none']).optional(),
      canvases: z.enum(['all', 'tabbed', 'none']).optional(),
      workObjects: z.enum(['all', 'none']).optional(),
      codeChannels: z.boolean().optional(),
    }),
    (people, rules) => people.setRules(rules),
  ),
}

const content = {
  text: z.string(),
  blocks: z.array(z.unknown()).optional(),
  attachments: z.array(z.unknown()).optional(),
}

/** What other apps of the workspace write. */
const appActs: Readonly<Record<string, Act>> = {
  postAsApp: act(
    z.strictObject({
      ...{appId: z.string().regex(/^A[A-Z0-9]+$/), name: id, channel: id, threadTs: id.optional()},
      ...{broadcast: z.boolean().optional(), username: id.optional(), ...content},
    }),
    (people, post) => people.postAsApp(post),
  ),
  editAsApp: act(z.strictObject({channel: id, ts: id, ...content}), (people, edit) =>
    people.editAsApp(edit),
  ),
}

const said = z.looseObject({as: id.optional()})

/** Who does it is said by the page as with every act; an admin's word is good whoever says it. */
function byAnyone(one: Act): Act {
  return {
    run: async (people, body) => {
      const fields = Object.entries(said.parse(body)).filter(([name]) => name !== 'as')
      return one.run(people, Object.fromEntries(fields))
    },
  }
}

/** What admins do. */
export const adminActs: Readonly<Record<string, Act>> = Object.fromEntries(
  Object.entries({...channelActs, ...workspaceActs, ...appActs}).map(([name, one]) => [
    name,
    byAnyone(one),
  ]),
)
