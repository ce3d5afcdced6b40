import {z} from 'zod'
import type {People} from '../people/people.ts'
import {act, type Act} from './act.ts'
import {adminActs} from './admin-acts.ts'

const id = z.string().min(1)
const text = z.string()
const place = {as: id, channel: id}
const target = {...place, ts: id}
const thread = {...place, threadTs: id}
const entry = z.union([text, z.array(text)])
const entries = z.record(id, z.record(id, entry))
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
