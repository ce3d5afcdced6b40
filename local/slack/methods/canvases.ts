import {isRecord, parseJson, type Arguments} from '../edge/arguments.ts'
import {Refusal} from '../edge/refusal.ts'
import {type Answer, type Desk, type Method, tier2, tier3} from './method.ts'
import {isVisible} from './place.ts'

export const canvasesMethods: Record<string, Method> = {
  'canvases.create': {token: 'bot', rate: tier2, handle: create},
  'canvases.access.set': {token: 'bot', rate: tier3, handle: setAccess},
}

const MAX_CHARS = 1_048_576
const LEVELS = ['read', 'write', 'owner']

/** https://docs.slack.dev/reference/methods/canvases.create: nobody but the app sees it yet. */
function create({files, workspace}: Desk, args: Arguments): Answer {
  const {canvases} = workspace.rules()
  if (canvases === 'none') throw new Refusal('canvas_disabled_user_team')
  if (canvases === 'tabbed' && !args.has('channel_id')) {
    throw new Refusal('free_teams_cannot_create_non_tabbed_canvases')
  }
  const title = args.text('title') ?? ''
  const file = files.addCanvas({title, markdown: markdownIn(args), userId: workspace.app.userId})
  return {canvas_id: file.id}
}

function markdownIn(args: Arguments): string {
  const given = args.values['document_content']
  if (given === undefined) return ''
  const content: unknown = typeof given === 'string' ? parseJson(given) : given
  const isMarkdown = isRecord(content) && content['type'] === 'markdown'
  const markdown = isMarkdown ? content['markdown'] : undefined
  if (typeof markdown !== 'string' || markdown.length > MAX_CHARS) {
    throw new Refusal('invalid_arguments')
  }
  return markdown
}

/**
 * https://docs.slack.dev/reference/methods/canvases.access.set: for channels where its address stands, and not for direct
 * messages.
 */
function setAccess(desk: Desk, args: Arguments): Answer {
  const {files, workspace, messages, origin} = desk
  if (workspace.rules().canvases === 'none') throw new Refusal('canvas_disabled_user_team')
  const canvas = files.find(args.required('canvas_id'))
  if (canvas?.canvas === undefined || canvas.userId !== workspace.app.userId) {
    throw new Refusal('canvas_not_found')
  }
  const level = args.required('access_level')
  const [channels, users] = [idsIn(args, 'channel_ids'), idsIn(args, 'user_ids')]
  if ((channels === undefined) === (users === undefined)) throw new Refusal('invalid_parameters')
  if (!LEVELS.includes(level) || (level === 'owner' && channels !== undefined)) {
    throw new Refusal('invalid_arguments')
  }
  if (users?.some((id) => workspace.member(id) === undefined) === true) {
    throw new Refusal('user_not_found')
  }
  const address = `${origin}/docs/${workspace.team.id}/${canvas.id}`
  for (const id of channels ?? []) {
    const channel = workspace.channel(id)
    if (channel === undefined || !isVisible(workspace, channel)) {
      throw new Refusal('channel_not_found')
    }
    const isShared = messages.inChannel(id).some(({text}) => text.includes(address))
    if (channel.kind !== 'channel' || !isShared) throw new Refusal('restricted_action')
  }
  if (channels !== undefined) {
    const readers = [...new Set([...canvas.canvas.readers, ...channels])]
    files.save({...canvas, canvas: {readers}})
  }
  return {}
}

function idsIn(args: Arguments, name: string): string[] | undefined {
  const given = args.values[name]
  if (given === undefined) return undefined
  const ids: unknown = typeof given === 'string' ? parseJson(given) : given
  if (!Array.isArray(ids) || ids.length === 0) throw new Refusal('invalid_parameters')
  return ids.map(String)
}
