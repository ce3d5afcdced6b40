import {z} from 'zod'
import type {People} from '../people/people.ts'

/** What one act takes as JSON, and what it does with that. */
interface Act {
  run(body: unknown): Promise<unknown>
}

const id = z.string().min(1)
const text = z.string()
const place = {as: id, channel: id}
const target = {...place, ts: id}
const thread = {...place, threadTs: id}
const entry = z.union([text, z.array(text)])
/** Who does it is said by the page as with every act; an admin's word is good whoever says it. */
const by = {as: id.optional()}
const entries = z.record(id, z.record(id, entry))
const inChannel = z.strictObject({...by, channel: id})
const botInChannel = z.strictObject({...by, channel: id, appId: id.optional()})
const ofMember = z.strictObject({...by, channel: id, memberId: id})
const lock = z.strictObject({channel: id, threadTs: id})
const shared = z.strictObject({channel: id, teamId: id})
const reaction = z.strictObject({...target, name: id})

/** Everything that people and admins do, by its name: a door for tests in other processes. */
export function createActs(people: People): Record<string, Act> {
  return {...writingActs(people), ...viewActs(people), ...agentActs(people), ...adminActs(people)}
}

function writingActs(people: People): Record<string, Act> {
  const file = z.union([
    z.strictObject({name: id, content: text}),
    z.strictObject({name: id, base64: z.base64()}).transform(({name, base64}) => ({
      name,
      content: new Uint8Array(Buffer.from(base64, 'base64')),
    })),
  ])
  return {
    post: act(
      z.strictObject({...place, text, threadTs: id.optional(), files: z.array(file).optional()}),
      (post) => people.post(post),
    ),
    edit: act(z.strictObject({...target, text}), (edit) => people.edit(edit)),
    remove: act(z.strictObject(target), (removal) => people.remove(removal)),
    react: act(reaction, (added) => people.react(added)),
    unreact: act(reaction, (removed) => people.unreact(removed)),
    press: act(
      z.strictObject({
        ...target,
        actionId: id,
        blockId: id.optional(),
        value: entry.optional(),
        values: entries.optional(),
      }),
      (press) => people.press(press),
    ),
    command: act(z.strictObject({...place, command: id, text}), (typed) => people.command(typed)),
  }
}

function viewActs(people: People): Record<string, Act> {
  const element = {as: id, actionId: id, blockId: id.optional(), viewId: id.optional()}
  const message = z.strictObject({channel: id, ts: id}).optional()
  return {
    submitView: act(z.strictObject({as: id, values: entries.optional()}), (submission) =>
      people.submitView(submission),
    ),
    closeView: act(z.strictObject({as: id, all: z.literal(true).optional()}), (closing) =>
      people.closeView(closing),
    ),
    useView: act(
      z.strictObject({...element, value: entry.optional(), values: entries.optional()}),
      (use) => people.useView(use),
    ),
    searchOptions: act(z.strictObject({...element, query: text, message}), (search) =>
      people.searchOptions(search),
    ),
    attachFile: act(
      z.strictObject({...element, name: id, base64: z.base64()}),
      ({base64, ...file}) =>
        people.attachFile({...file, content: new Uint8Array(Buffer.from(base64, 'base64'))}),
    ),
    shortcut: act(z.strictObject({as: id, callbackId: id}), (chosen) => people.shortcut(chosen)),
    messageShortcut: act(z.strictObject({...target, callbackId: id}), (chosen) =>
      people.messageShortcut(chosen),
    ),
    openHome: act(
      z.strictObject({
        as: id,
        tab: z.enum(['home', 'messages']).optional(),
        appId: id.optional(),
      }),
      (opening) => people.openHome(opening),
    ),
  }
}

function agentActs(people: People): Record<string, Act> {
  return {
    stop: act(z.strictObject(thread), (stopped) => people.stop(stopped)),
    renameSession: act(z.strictObject({...thread, title: text}), (naming) =>
      people.renameSession(naming),
    ),
    openAssistantThread: act(
      z.strictObject({as: id, from: id.optional(), appId: id.optional()}),
      (opening) => people.openAssistantThread(opening),
    ),
    changeContext: act(
      z.strictObject({as: id, to: id, ts: id.optional(), appId: id.optional()}),
      (look) => people.changeContext(look),
    ),
    changeAssistantContext: act(
      z.strictObject({as: id, threadTs: id, to: id, appId: id.optional()}),
      (move) => people.changeAssistantContext(move),
    ),
  }
}

function adminActs(people: People): Record<string, Act> {
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
    restrictChannel: act(
      z.strictObject({
        channel: id,
        posting: z.enum(['everyone', 'admins', 'read_only', 'threads_only', 'no_threads']),
      }),
      ({channel, posting}) => people.restrictChannel(channel, posting),
    ),
    lockThread: act(lock, ({channel, threadTs}) => people.lockThread(channel, threadTs)),
    unlockThread: act(lock, ({channel, threadTs}) => people.unlockThread(channel, threadTs)),
    limitUploads: act(z.strictObject({policy: z.enum(['all', 'images', 'none'])}), ({policy}) =>
      people.limitUploads(policy),
    ),
  }
}

/** Optional fields are there or not; none is there as `undefined`. */
type Defined<Fields> = {[Name in keyof Fields]: Exclude<Fields[Name], undefined>}

function act<Body extends object>(
  schema: z.ZodType<Body>,
  run: (body: Defined<Body>) => Promise<unknown>,
): Act {
  return {run: async (body) => run(definedOnly(schema.parse(body)))}
}

export function definedOnly<Fields extends object>(fields: Fields): Defined<Fields>
export function definedOnly(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
