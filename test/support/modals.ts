import type {World} from './world.ts'

interface Part {
  text?: {text: string}
  label?: {text: string}
  block_id?: string
  element?: {
    type?: string
    initial_value?: string
    initial_option?: {text: {text: string}}
    initial_options?: {text: {text: string}}[]
    initial_users?: string[]
  }
}

type Values = Record<string, string | string[]>

/** What people read and do in the modals and the whispers of a world. */
export interface Modals {
  /** The modal in front of somebody, a line for each part, with what stands in it in brackets. */
  text(user: string): string
  reads(user: string, words: string | RegExp): Promise<string>
  /** Types a command; what it answers comes next. */
  command(text: string, at: {as: string; channel: string}): Promise<void>
  /** The next whisper with these words. */
  hears(
    user: string,
    channel: string,
    words: string,
  ): Promise<{text: string; ts: string; blocks: string}>
  /** By block, which are called like what stands in them. */
  submit(user: string, values: Values): Promise<string>
  /** Types, and presses something in the modal by which it changes. */
  grow(user: string, actionId: string, values: Values): Promise<void>
  /** `/bosun connect` with both forms filled in; what it says in the end. */
  connect(channel: string, filled: {key: Values; settings: Values}, as: string): Promise<string>
  channel(name: string, memberIds: string[]): Promise<string>
}

export function createModals(world: World): Modals {
  const text: Modals['text'] = (user) => {
    const view = world.slack.views(user).modals.at(-1)
    if (view === undefined) return ''
    const parts = (view.view['blocks'] ?? []) as Part[]
    const errors = Object.values(view.errors).map((error) => `! ${error}`)
    return [...parts.map(lineOf), ...errors].join('\n')
  }
  const reads: Modals['reads'] = async (user, words) => {
    let shown = ''
    const look = () => {
      shown = text(user)
      const isThere = typeof words === 'string' ? shown.includes(words) : words.test(shown)
      return isThere && shown
    }
    try {
      return await world.until(`${user} reads in the modal: ${String(words)}`, look)
    } catch (error) {
      throw new Error(`In front of ${user} stands:\n${shown}\n${lately(world)}`, {cause: error})
    }
  }
  /** What such a menu offers is known once somebody has typed in it. */
  const search = async (user: string, values: Values): Promise<void> => {
    const {view = {}} = world.slack.views(user).modals.at(-1) ?? {}
    for (const {block_id: id = '', element} of (view['blocks'] ?? []) as Part[]) {
      const query = values[id]
      if (element?.type !== 'external_select' || typeof query !== 'string' || query === '') continue
      await world.slack.people.searchOptions({as: user, actionId: id, query})
    }
  }
  const entries = (values: Values) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, {[name]: value}]))
  const submit: Modals['submit'] = async (user, values) => {
    await search(user, values)
    return world.slack.people.submitView({as: user, values: entries(values)})
  }
  const grow: Modals['grow'] = async (user, actionId, values) => {
    await world.slack.people.useView({as: user, actionId, values: entries(values)})
  }
  /** Where Slack says that the app has not answered, somebody types it again. */
  const command: Modals['command'] = async (words, {as, channel}) => {
    const type = () => world.slack.people.command({as, channel, command: '/bosun', text: words})
    await world.until(`${words} is taken`, async () => (await type()) === 'acked')
  }
  return {
    text,
    reads,
    submit,
    grow,
    command,
    hears: async (user, channel, words) => {
      const found = await world.until(`${user} is told: ${words}`, () =>
        world.slack.ephemerals(channel, user).findLast((one) => one.text.includes(words)),
      )
      return {text: found.text, ts: found.ts, blocks: JSON.stringify(found.blocks ?? [])}
    },
    connect: async (channel, filled, as) => {
      await command('connect', {as, channel})
      await reads(as, 'Key of the agent platform')
      await submit(as, filled.key)
      await reads(as, 'Default model')
      await submit(as, filled.settings)
      const said = await reads(as, '✅')
      await world.slack.people.closeView({as})
      return said
    },
    channel: async (name, memberIds) => {
      const all = [...memberIds, world.slack.botUserId]
      return (await world.slack.people.createChannel({name, memberIds: all})).id
    },
  }
}

function lineOf({text, label, element}: Part): string {
  const chosen =
    element?.initial_option?.text.text ??
    element?.initial_value ??
    element?.initial_options?.map((one) => one.text.text).join(', ') ??
    element?.initial_users?.join(', ')
  return `${text?.text ?? label?.text ?? ''}${chosen === undefined ? '' : ` (${chosen})`}`
}

/** What went between Slack and the app last. */
function lately({slack: {ledger}}: World): string {
  const calls = ledger.calls.slice(-15).map(({seq, atMs, method, answer}) => {
    return {
      seq,
      said: `${atMs} ${method}: ${answer['ok'] === true ? 'ok' : String(answer['error'])}`,
    }
  })
  const deliveries = ledger.deliveries.slice(-10).map(({seq, atMs, kind, outcome, ackMs}) => {
    return {seq, said: `${atMs} ${kind}: ${outcome} after ${ackMs} ms`}
  })
  const inOrder = [...calls, ...deliveries].toSorted((a, b) => a.seq - b.seq)
  return inOrder.map(({said}) => said).join('\n')
}
