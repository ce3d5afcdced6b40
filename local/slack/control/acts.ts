import {z} from 'zod'
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

const file = z.union([
  z.strictObject({name: id, content: text}),
  z
    .strictObject({name: id, base64: z.base64()})
    .transform(({name, base64}) => ({
      name,
      content: new Uint8Array(Buffer.from(base64, 'base64')),
    })),
])

const writingActs: Readonly<Record<string, Act>> = {
  post: act(
    z.strictObject({
      ...place,
      text,
      threadTs: id.optional(),
      broadcast: z.boolean().optional(),
      files: z.array(file).optional(),
      forward: z.strictObject({channel: id, ts: id}).optional(),
    }),
    (people, post) => people.post(post),
  ),
  edit: act(z.strictObject({...target, text}), (people, edit) => people.edit(edit)),
  remove: act(z.strictObject(target), (people, removal) => people.remove(removal)),
  removeFile: act(z.strictObject({as: id, file: id}), (people, removal) =>
    people.removeFile(removal),
  ),
  react: act(reaction, (people, added) => people.react(added)),
  unreact: act(reaction, (people, removed) => people.unreact(removed)),
  press: act(
    z.strictObject({
      ...target,
      actionId: id,
      blockId: id.optional(),
      value: entry.optional(),
      values: entries.optional(),
    }),
    (people, press) => people.press(press),
  ),
  command: act(z.strictObject({...place, command: id, text}), (people, typed) =>
    people.command(typed),
  ),
}

const element = {as: id, actionId: id, blockId: id.optional(), viewId: id.optional()}
const message = z.strictObject({channel: id, ts: id}).optional()

const viewActs: Readonly<Record<string, Act>> = {
  submitView: act(z.strictObject({as: id, values: entries.optional()}), (people, submission) =>
    people.submitView(submission),
  ),
  closeView: act(z.strictObject({as: id, all: z.literal(true).optional()}), (people, closing) =>
    people.closeView(closing),
  ),
  useView: act(
    z.strictObject({...element, value: entry.optional(), values: entries.optional()}),
    (people, use) => people.useView(use),
  ),
  searchOptions: act(z.strictObject({...element, query: text, message}), (people, search) =>
    people.searchOptions(search),
  ),
  attachFile: act(
    z.strictObject({...element, name: id, base64: z.base64()}),
    (people, {base64, ...file}) =>
      people.attachFile({...file, content: new Uint8Array(Buffer.from(base64, 'base64'))}),
  ),
  shortcut: act(z.strictObject({as: id, callbackId: id}), (people, chosen) =>
    people.shortcut(chosen),
  ),
  messageShortcut: act(z.strictObject({...target, callbackId: id}), (people, chosen) =>
    people.messageShortcut(chosen),
  ),
  openHome: act(
    z.strictObject({as: id, tab: z.enum(['home', 'messages']).optional(), appId: id.optional()}),
    (people, opening) => people.openHome(opening),
  ),
}

const agentActs: Readonly<Record<string, Act>> = {
  stop: act(z.strictObject({...thread, threadTs: id.optional()}), (people, stopped) =>
    people.stop(stopped),
  ),
  renameSession: act(z.strictObject({...thread, title: text}), (people, naming) =>
    people.renameSession(naming),
  ),
  openAssistantThread: act(
    z.strictObject({as: id, from: id.optional(), appId: id.optional()}),
    (people, opening) => people.openAssistantThread(opening),
  ),
  changeContext: act(
    z.strictObject({as: id, to: id, ts: id.optional(), appId: id.optional()}),
    (people, look) => people.changeContext(look),
  ),
  changeAssistantContext: act(
    z.strictObject({as: id, threadTs: id, to: id, appId: id.optional()}),
    (people, move) => people.changeAssistantContext(move),
  ),
}

const stepActs: Readonly<Record<string, Act>> = {
  runStep: act(
    z.strictObject({as: id, callbackId: id, inputs: z.record(z.string(), z.unknown())}),
    (people, run) => people.runStep(run),
  ),
  lookAtStep: act(z.strictObject({id, callbackId: id, as: id.optional()}), (people, execution) =>
    people.lookAtStep(execution),
  ),
}

const unfurlActs: Readonly<Record<string, Act>> = {
  compose: act(z.strictObject({...place, text}), (people, draft) => people.compose(draft)),
  openDetails: act(z.strictObject({...target, url: id}), (people, opening) =>
    people.openDetails(opening),
  ),
}

/** Everything that people and admins do, by its name: a door for tests in other processes. */
export const acts: Readonly<Record<string, Act>> = {
  ...writingActs,
  ...viewActs,
  ...agentActs,
  ...stepActs,
  ...unfurlActs,
  ...adminActs,
}
