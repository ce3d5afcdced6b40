import {toBlock, checkBlocks} from '../blocks/blocks.ts'
import {createCheck} from '../blocks/check.ts'
import type {Arguments} from '../edge/arguments.ts'
import {pointers, Refusal} from '../edge/refusal.ts'
import {newId} from '../new-id.ts'
import type {CodeView} from '../workspace/code-channel.ts'
import {ownCodeChannel} from './code-channels.ts'
import {tier3, type Answer, type Desk, type Method} from './method.ts'

/** What stands beside the messages of a code channel, each in a tab. */
export const codeViewMethods: Record<string, Method> = {
  'agents.conversations.listViews': {token: 'bot', rate: tier3, handle: listViews},
  'agents.conversations.removeView': {token: 'bot', rate: tier3, handle: removeView},
  'agents.conversations.setView': {token: 'bot', rate: tier3, handle: setView},
}

const TYPES = ['html', 'diff', 'block_kit', 'canvas', 'pull_request'] as const
const MAX_VIEWS = 5
const MAX_BYTES = 1_000_000
const MAX_BLOCKS = 100

/** https://docs.slack.dev/reference/methods/agents.conversations.setView: its key says whether it is a new one. */
function setView(desk: Desk, args: Arguments): Answer {
  const {channel, code} = ownCodeChannel(desk, args)
  const type = TYPES.find((one) => one === (args.text('type') ?? 'html'))
  if (type === undefined) throw invalid('must be a valid enum value [json-pointer:/type]')
  const isKeyed = type !== 'diff' && type !== 'pull_request'
  const key = isKeyed ? args.required('view_key') : undefined
  const before = code.views.find((view) =>
    isKeyed ? view.key === key : view.type === type && view.key === undefined,
  )
  if (before === undefined && code.views.length >= MAX_VIEWS) {
    throw new Refusal('max_views_reached')
  }
  const path = key
    ?.split('/')
    .at(-1)
    ?.replace(/\.html?$/, '')
  const fallback = type === 'pull_request' ? 'Pull request' : 'Diff'
  const view: CodeView = {
    id: before?.id ?? newId('T'),
    ...(key !== undefined && {key}),
    type,
    label: args.text('name') ?? path ?? fallback,
    ...contentOf(desk, args, type),
    version: (before?.version ?? 0) + 1,
    addedS: before?.addedS ?? Math.floor(desk.now() / 1000),
  }
  const others = code.views.filter(({id}) => id !== view.id)
  const views =
    before === undefined
      ? [...others, view]
      : code.views.map((one) => (one.id === view.id ? view : one))
  desk.channels.setCode(channel, {...code, views})
  return {channel_id: channel.id, view_id: view.id, type, content_version: view.version}
}

function contentOf(
  {files, workspace}: Desk,
  args: Arguments,
  type: CodeView['type'],
): Pick<CodeView, 'content' | 'blocks' | 'address'> {
  switch (type) {
    case 'html':
    case 'diff': {
      const content = args.required('content')
      if (Buffer.byteLength(content) > MAX_BYTES) throw new Refusal('content_too_large')
      return {content}
    }
    case 'block_kit': {
      const check = createCheck()
      const spots = checkBlocks(check, {value: args.values, pointer: ''}, MAX_BLOCKS)
      if (check.mistakes.length > 0) throw new Refusal('invalid_blocks', pointers(check.mistakes))
      return {blocks: spots.map(toBlock)}
    }
    case 'canvas': {
      const canvas = files.find(args.required('canvas_id'))
      if (canvas?.canvas === undefined || canvas.userId !== workspace.app.userId) {
        throw new Refusal('canvas_not_found')
      }
      return {address: canvas.id}
    }
    case 'pull_request':
      return {address: args.required('pr_url')}
    default:
      throw new Error(`Unknown view: ${String(type satisfies never)}`)
  }
}

/** https://docs.slack.dev/reference/methods/agents.conversations.removeView */
function removeView(desk: Desk, args: Arguments): Answer {
  const {channel, code} = ownCodeChannel(desk, args)
  const [key, id] = [args.text('view_key'), args.text('view_id')]
  if ((key === undefined) === (id === undefined)) throw invalid('either view_key or view_id')
  const view = code.views.find((one) => (id === undefined ? one.key === key : one.id === id))
  if (view === undefined) throw new Refusal('view_not_found')
  const views = code.views.filter((one) => one !== view)
  desk.channels.setCode(channel, {...code, views})
  return {channel_id: channel.id, view_id: view.id}
}

/** https://docs.slack.dev/reference/methods/agents.conversations.listViews */
function listViews(desk: Desk, args: Arguments): Answer {
  const {code} = ownCodeChannel(desk, args)
  return {
    views: code.views.map(({id, key, label, version, addedS}) => ({
      view_id: id,
      ...(key !== undefined && {view_key: key}),
      label,
      content_version: version,
      date_added: addedS,
    })),
  }
}

function invalid(message: string): Refusal {
  return new Refusal('invalid_arguments', pointers([message]))
}
