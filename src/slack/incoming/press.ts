import {z} from 'zod'
import {ACTIONS} from '../ids.ts'
import {type Entered, stateSchema, toEntered} from './entered.ts'
import {orEmpty, told} from './message.ts'
import {type Who, actor, parserOf, toWho} from './who.ts'

/** A press on one of our buttons, or a choice from one of our menus. */
export interface Press extends Who {
  kind: 'press'
  /** Where, if it stands in a message. */
  channel: string | undefined
  messageTs: string | undefined
  threadTs: string | undefined
  /** In the preview of a link, which stands wherever somebody has posted that. */
  isInUnfurl?: true
  /** Where, if it stands in a modal or in App Home. */
  view: ViewRef | undefined
  actionId: string
  /** What the button bears, or what was chosen; several joined by commas. */
  value: string
  /** What stands in the boxes of its message, by action id. */
  ticked: ReadonlyMap<string, readonly string[]>
  actionTs: string
  /** Opens one modal within 3 s. */
  triggerId: string
  /** What stands in the inputs of the modal, by action id. */
  entered?: Entered['values']
  /** Where a whisper is changed that it stands in, for half an hour. */
  whisperUrl: string | undefined
}

/** A modal or App Home as it was when somebody acted in it. */
export interface ViewRef {
  id: string
  /** Changes with every update. */
  hash: string
  callbackId: string
  /** What we wrote into it; nothing in it is trusted. */
  metadata: string
}

export const viewSchema = z.object({
  id: z.string(),
  hash: orEmpty,
  callback_id: orEmpty,
  private_metadata: orEmpty,
  app_installed_team_id: z.string().nullish(),
})

export function toViewRef(view: z.infer<typeof viewSchema>): ViewRef {
  const {id, hash, callback_id: callbackId, private_metadata: metadata} = view
  return {id, hash, callbackId, metadata}
}

const boxesSchema = z.object({selected_options: z.array(z.object({value: z.string()})).nullish()})

const pressSchema = z.object({
  type: z.literal('block_actions'),
  ...actor,
  trigger_id: orEmpty,
  channel: z.object({id: z.string()}).nullish(),
  container: z.object({
    message_ts: told,
    thread_ts: told,
    is_ephemeral: z.boolean().nullish(),
    type: z.string().nullish(),
    is_app_unfurl: z.boolean().nullish(),
  }),
  message: z.object({team: z.string().nullish()}).nullish().catch(undefined),
  response_url: z.string().nullish(),
  state: z
    .object({values: z.record(z.string(), z.record(z.string(), boxesSchema))})
    .nullish()
    .catch(undefined),
  view: viewSchema.extend({state: stateSchema.nullish().catch(undefined)}).nullish(),
  actions: z.tuple(
    [
      z.object({
        action_id: z.string(),
        value: z.string().nullish(),
        selected_option: z.object({value: z.string()}).nullish(),
        selected_options: z.array(z.object({value: z.string()})).nullish(),
        action_ts: z.string(),
      }),
    ],
    z.unknown(),
  ),
})

/** An entry of a menu is a button by itself: `bosun:archive 3fG….open`. */
const MENU_ITEM = /^(bosun:[\w-]+) (.*)$/

/** Slack wants another id for each button of a row: `bosun:start-with:2`. */
const ONE_OF_MANY = /:(?:\d+|default)$/

export const parsePress = parserOf(pressSchema, (data): Press | undefined => {
  const {channel, container, view} = data
  const isInMessage = channel != null && container.message_ts !== undefined
  if (!isInMessage && view == null) return undefined
  const isInUnfurl = container.is_app_unfurl === true || container.type === 'entity_detail'
  const [action] = data.actions
  const several = action.selected_options?.map(({value}) => value).join(',')
  const chosen = action.selected_option?.value ?? several
  const state = view?.state
  const isMenu = action.action_id === ACTIONS.menu && chosen !== undefined
  const item = isMenu ? MENU_ITEM.exec(chosen) : null
  return {
    kind: 'press',
    // A link's preview stands below somebody else's message.
    ...toWho(data, isInUnfurl ? undefined : data.message?.team),
    channel: isInMessage ? channel.id : undefined,
    messageTs: container.message_ts,
    threadTs: container.thread_ts,
    view: view == null ? undefined : toViewRef(view),
    actionId: item?.[1] ?? action.action_id.replace(ONE_OF_MANY, ''),
    value: item?.[2] ?? chosen ?? action.value ?? '',
    ticked: tickedIn(data.state?.values ?? {}),
    actionTs: action.action_ts,
    triggerId: data.trigger_id,
    ...(isInUnfurl && {isInUnfurl}),
    ...(state != null && {entered: toEntered(state).values}),
    whisperUrl: container.is_ephemeral === true ? (data.response_url ?? undefined) : undefined,
  }
})

function tickedIn(
  values: Readonly<Record<string, Record<string, z.infer<typeof boxesSchema>>>>,
): ReadonlyMap<string, readonly string[]> {
  return new Map(
    Object.values(values).flatMap((elements) =>
      Object.entries(elements).flatMap(([id, {selected_options: options}]) =>
        options == null ? [] : [[id, options.map(({value}) => value)] as const],
      ),
    ),
  )
}
