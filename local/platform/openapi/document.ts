import {FRAMES, HEARTBEAT_SECONDS, RETRY_MS} from '../../../src/platform/contract/frames.ts'
import {REFUSALS, type RefusalTag} from '../../../src/platform/contract/refusals.ts'
import type {Query, Route} from '../../../src/platform/contract/route.ts'
import {ALWAYS, ROUTES} from '../../../src/platform/contract/routes.ts'
import {type Json, type SchemaWriter, createSchemaWriter} from './schemas.ts'

/** The contract between Bosun and an agent platform as one document of OpenAPI 3.1. */
export function writeOpenApi(): Json {
  const writer = createSchemaWriter()
  const paths: Record<string, Record<string, Json>> = {}
  for (const route of ROUTES) {
    const path = toTemplate(route.path)
    paths[path] = {...paths[path], [route.method.toLowerCase()]: toOperation(route, writer)}
  }
  return {
    openapi: '3.1.0',
    info: {title: 'The agent platform of Bosun', version: '1.0.0', description: ABOUT},
    servers: [serverAt('{origin}/api/v1')],
    security: [{key: []}],
    tags: tags(),
    paths,
    components: {
      securitySchemes: {key: {type: 'http', scheme: 'bearer', description: KEY}},
      responses: refusals(),
      schemas: writer.components(),
    },
  }
}

function serverAt(url: string): Json {
  const origin = {default: 'http://127.0.0.1:4010', description: 'Where the service is.'}
  return {url, variables: {origin}}
}

const ABOUT = `What Bosun asks of an agent platform, section by section of the platform's API document. Bosun works with every service that
answers like this; \`npm run check-platform\` tries one.

- Bodies are JSON. Timestamps are ISO 8601 in UTC with milliseconds. Ids and cursors are opaque, and may hold characters that have to be encoded.
- **Paging.** \`cursor: null\` means caught up. Other cursors go back unchanged, as \`cursor\` for lists of threads and automations, as \`after\` for
  transcripts and tasks. What \`limit\` is by default, and at most, is not documented.
- **Idempotency.** \`requestId\` (threads, captains, automations), \`idempotencyKey\` (reviews) and the header \`Idempotency-Key\` (webhooks) make a
  repeated request harmless. Messages have none.
- **Refusals** are a status and an object with a \`_tag\`; clients branch on the status, then on the tag, whose prefix is the service's name. What is out of
  reach answers as absent. Other statuses and tags occur.
- **Rate limits.** 429 with \`retryAfterSeconds\` and the header \`retry-after\`. Thresholds are not documented. Bosun waits up to 10 seconds by itself.
- **Unknown fields** are ignored, as are unknown events: the vocabulary grows.
- \`x-bosun-needs\` lists those fields of a record without which Bosun cannot read it; every other one counts as unset where it is missing.
  \`x-bosun-without\` says what does not work where an endpoint is missing.
- \`x-chosen-path\`: the document names no path; this is the embedded platform's, and Bosun does not call it.`

const KEY =
  'A key of the organization, of a member or of a service user. A service key has a role and an allowlist of projects; a read-only one is answered 403 on every change.'

const TITLES: Readonly<Record<string, string>> = {
  '4.1': 'Threads',
  '4.2': 'Tasks',
  '4.3': 'Streams',
  '4.4': 'Captains',
  '4.5': 'Projects and users',
  '4.6': 'Folders and pinning',
  '4.7': 'Automations',
  '4.8': 'Reviews',
  '4.9': 'Automation webhook',
  '4.10': 'Usage',
  '4.11': 'Session identity',
}

function tags(): Json[] {
  const inUse = new Set(ROUTES.map(({section}) => section))
  return [...inUse]
    .toSorted((one, other) => Number(one.slice(2)) - Number(other.slice(2)))
    .map((section) => {
      const name = `${section} ${TITLES[section] ?? ''}`
      return section === '4.3' ? {name, description: STREAMS} : {name}
    })
}

const STREAMS = `Server-Sent Events. Each frame has an \`event:\` line and one \`data:\` line of JSON; \`transcript\` frames have an \`id:\` line besides, the cursor
to resume from. \`retry: ${RETRY_MS}\` follows the first frame. A \`heartbeat\` comes every ${HEARTBEAT_SECONDS} seconds while nothing else is sent, and as often the key is checked again.

1. \`status\` is the first frame of every connection. Without a cursor the whole transcript is replayed; behind one, every later entry, then the turn in
   progress from its start, then what is live.
2. \`transcript\` frames come in the order of the pages of the transcript, and are the record; all other frames are a preview.
3. An entry of the assistant replaces the \`assistant\` fragments of its \`callId\`; one of a tool has the \`callId\` of its \`tool_call\` as \`id\`.
4. Fragments that no entry settles are discarded at the next \`run\` end. A turn that ends as \`dropped\` was too much for its reader.
5. A thread's stream has the \`task\` frames of its tasks, and not what they say.
6. Cursors never expire. A close without \`done\` or \`error\` is to be resumed behind the last \`id\`.`

function toTemplate(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}')
}

function toOperation(route: Route, writer: SchemaWriter): Json {
  const {section, says, body, repeats, isOutside, isChosen, without} = route
  return {
    tags: [`${section} ${TITLES[section] ?? ''}`],
    operationId: idOf(route),
    summary: says.split(/(?<=[.:;]) /, 1)[0],
    description: [says, repeats === undefined ? '' : `Repeated: ${repeats}.`].join(' ').trim(),
    ...(isOutside && {servers: [serverAt('{origin}')], security: []}),
    parameters: parametersOf(route),
    ...(body && {
      requestBody: {required: true, content: {'application/json': {schema: writer.write(body)}}},
    }),
    responses: responsesOf(route, writer),
    ...(isChosen && {'x-chosen-path': true}),
    'x-bosun-without': without,
  }
}

/** `POST /threads/:threadId/messages/:eventId/cancel` is `post.threads.messages.cancel`. */
function idOf({method, path}: Route): string {
  const words = path.split('/').map((word) => (word.startsWith(':') ? 'one' : word))
  return [method.toLowerCase(), ...words.filter(Boolean)].join('.')
}

const QUERY: Readonly<Record<Query, string>> = {
  projectId: 'Only of this project.',
  status: 'Only with this status; which words it takes is not documented.',
  limit: 'Items on a page.',
  cursor: 'The cursor of the page before.',
  after: 'The cursor to go on behind, exclusive.',
  until:
    'Only `run`: ends with `done` behind the run in progress, or at once where nothing works or waits.',
  from: 'The start of the window.',
  to: 'Its end.',
}

function parametersOf({path, query = [], streams, isOutside}: Route): Json[] {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => {
    return {name, in: 'path', required: true, schema: {type: 'string'}}
  })
  const inQuery = query.map((name) => {
    const schema = schemaOf(name)
    return {name, in: 'query', description: QUERY[name], schema}
  })
  return [
    ...inPath,
    ...inQuery,
    ...(streams === undefined
      ? []
      : [header('Last-Event-ID', 'The `id` of the last transcript frame. Wins over `after`.')]),
    ...(isOutside === undefined
      ? []
      : [header('Idempotency-Key', 'Deliveries with the same key start one run.')]),
  ]
}

function schemaOf(name: Query): Json {
  if (name === 'limit') return {type: 'integer', minimum: 1}
  if (name === 'until') return {type: 'string', enum: ['run']}
  return name === 'from' || name === 'to' ? {type: 'string', format: 'date-time'} : {type: 'string'}
}

function header(name: string, description: string): Json {
  return {name, in: 'header', description, schema: {type: 'string'}}
}

function responsesOf(route: Route, writer: SchemaWriter): Json {
  const {isOutside, streams} = route
  if (isOutside) return {202: {description: OUTCOME}, 404: {description: NO_WEBHOOK}}
  const refused = refusalsOf(route).map(([status, tags]) => {
    return [status, {$ref: `#/components/responses/${nameOf(tags)}`}] as const
  })
  const good = streams === undefined ? toAnswer(route, writer) : toStream(streams)
  return {200: good, ...Object.fromEntries(refused)}
}

/** By their statuses; those without a documented one stand under `default`. */
function refusalsOf({refusals = [], isOutside}: Route): [string, readonly RefusalTag[]][] {
  if (isOutside) return []
  const tags: readonly RefusalTag[] = [...refusals, ...ALWAYS]
  return [...Map.groupBy(tags, (tag) => REFUSALS[tag].status?.toString() ?? 'default')]
}

function nameOf(tags: readonly RefusalTag[]): string {
  return tags.join('-or-')
}

function refusals(): Json {
  const all = ROUTES.flatMap(refusalsOf).map(([, tags]) => [nameOf(tags), toRefusal(tags)] as const)
  return Object.fromEntries(all.toSorted(([one], [other]) => one.localeCompare(other)))
}

const NO_WEBHOOK = 'A wrong address, or an automation that does not run.'
const OUTCOME =
  'A field without a documented name says `accepted` (a run was admitted), `duplicate` (the key already ran) or `no-match` (the filters rejected the body: do not retry).'

function toAnswer({answer}: Route, writer: SchemaWriter): Json {
  if (answer === undefined) return {description: 'The shape of the answer is not documented.'}
  return {description: 'Done.', content: {'application/json': {schema: writer.write(answer)}}}
}

function toStream(of: 'thread' | 'task'): Json {
  const names = Object.keys(FRAMES).filter((name) => of === 'thread' || name !== 'task')
  return {
    description: 'Events, each of them one of `x-events`; unknown ones are to be ignored.',
    content: {
      'text/event-stream': {
        schema: {type: 'string'},
        'x-events': Object.fromEntries(
          names.map((name) => [name, {$ref: `#/components/schemas/Frame.${name}`}]),
        ),
      },
    },
  }
}

function toRefusal(tags: readonly RefusalTag[]): Json {
  const refs = tags.map((tag) => ({$ref: `#/components/schemas/${tag}`}))
  const isLimit = tags.includes('RateLimited')
  const says = tags.map((tag) => `${tag}: ${REFUSALS[tag].when}`).join('; ')
  const isOpen = tags.some((tag) => REFUSALS[tag].status === undefined)
  return {
    description: isOpen ? `${says}. Its status is not documented.` : `${says}.`,
    ...(isLimit && {
      headers: {'retry-after': {description: 'Seconds.', schema: {type: 'integer'}}},
    }),
    content: {'application/json': {schema: refs.length === 1 ? refs[0] : {anyOf: refs}}},
  }
}
