import type {HonoRequest} from 'hono'
import {createArguments, isRecord, parseBounded, type Arguments} from './arguments.ts'
import {Refusal} from './refusal.ts'

/** A call as it came; `objection`: what Slack says of it before it looks at anything else. */
export interface ReceivedArguments extends Arguments {
  objection?: Refusal
  /** What Slack thinks of the form of the request, whatever the method does. */
  warnings: readonly string[]
}

export async function readArguments(request: HonoRequest): Promise<ReceivedArguments> {
  const {fields, ...remarks} = await readBody(request)
  const {token: tokenField, ...rest} = {...request.query(), ...fields}
  const authorization = request.header('authorization') ?? ''
  const bearer = /^Bearer (.+)$/i.exec(authorization)?.[1]
  const token = bearer ?? (typeof tokenField === 'string' ? tokenField : undefined)
  const objection = remarks.objection ?? objectionToNames(Object.keys(rest))
  return {
    ...createArguments({...rest, ...readClient(authorization)}, token),
    warnings: remarks.warnings,
    ...(objection !== undefined && {objection}),
  }
}

const maxName = 255

/** Slack has an error of its own for lists as PHP names them: `users[]`, `users[0]`. */
function objectionToNames(names: string[]): Refusal | undefined {
  if (names.some((name) => /^\w+\[\w*\]$/.test(name))) return new Refusal('invalid_array_arg')
  const isName = (name: string): boolean => /^\w+$/.test(name) && name.length <= maxName
  return names.every(isName) ? undefined : new Refusal('invalid_arg_name')
}

/** OAuth methods take the app's own credentials also as HTTP Basic. */
function readClient(authorization: string): Record<string, string> {
  const basic = /^Basic (.+)$/i.exec(authorization)?.[1]
  if (basic === undefined) return {}
  const [id = '', ...secret] = Buffer.from(basic, 'base64').toString().split(':')
  return {client_id: id, client_secret: secret.join(':')}
}

interface Body {
  fields: Record<string, unknown>
  warnings: readonly string[]
  objection?: Refusal
}

/** What a POST carries: https://docs.slack.dev/apis/web-api#post_bodies */
async function readBody(request: HonoRequest): Promise<Body> {
  const nothing: Body = {fields: {}, warnings: []}
  const bytes = request.method === 'POST' ? await request.arrayBuffer() : new ArrayBuffer()
  const header = request.header('content-type')
  if (header === undefined && bytes.byteLength === 0) return nothing
  try {
    return header === undefined ? refuse('missing_post_type') : await parseBody(header, bytes)
  } catch (error) {
    if (error instanceof Refusal) return {...nothing, objection: error}
    throw error
  }
}

const charsets = ['utf-8', 'iso-8859-1']
const formTypes = ['application/x-www-form-urlencoded', 'multipart/form-data']

/** A charset is welcome beside JSON and text, and out of place beside forms: Slack only warns. */
async function parseBody(header: string, bytes: ArrayBuffer): Promise<Body> {
  const [type = '', ...parameters] = header.split(';').map((part) => part.trim().toLowerCase())
  const charset = parameters.find((one) => one.startsWith('charset='))?.split('=')[1]
  if (charset !== undefined && !charsets.includes(charset.replaceAll('"', ''))) {
    refuse('invalid_charset')
  }
  const missing = charset === undefined ? ['missing_charset'] : []
  if (type === 'text/plain') return {fields: {}, warnings: missing}
  if (type === 'application/json') {
    return {fields: parseObject(Buffer.from(bytes).toString()), warnings: missing}
  }
  if (!formTypes.includes(type)) refuse('invalid_post_type')
  const warnings = charset === undefined ? [] : ['superfluous_charset']
  return {fields: await parseForm(header, bytes), warnings}
}

function parseObject(text: string): Record<string, unknown> {
  const value = text.trim() === '' ? {} : parseWhole(text)
  if (!isRecord(value)) refuse('json_not_object')
  // Beside JSON the token stands in the header alone.
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== 'token'))
}

function parseWhole(text: string): unknown {
  try {
    return parseBounded(text)
  } catch {
    refuse('invalid_json')
  }
}

async function parseForm(header: string, bytes: ArrayBuffer): Promise<Record<string, unknown>> {
  const isUrlencoded = header.toLowerCase().startsWith('application/')
  const text = Buffer.from(bytes).toString()
  if (isUrlencoded) {
    return /%(?![\da-f]{2})/i.test(text)
      ? refuse('invalid_form_data')
      : Object.fromEntries(new URLSearchParams(text))
  }
  const body = new Response(bytes, {headers: {'content-type': header}})
  const form = await body.formData().catch(() => refuse('invalid_form_data'))
  return Object.fromEntries(form)
}

function refuse(code: string): never {
  throw new Refusal(code)
}
