import {existsSync, globSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {beforeAll, describe, expect, test} from 'vitest'
import type {z} from 'zod'
import {creationSchema} from '../../../local/platform/automations/definition.ts'
import {captainSchema} from '../../../local/platform/captains/routes.ts'
import {filingSchema} from '../../../local/platform/folders/routes.ts'
import {askedSchema, declineSchema, ruleSchema} from '../../../local/platform/reviews/routes.ts'
import {verificationSchema} from '../../../local/platform/sessions/routes.ts'
import {sendingSchema} from '../../../local/platform/threads/message-routes.ts'
import {kickoffSchema} from '../../../local/platform/threads/routes.ts'
import {COVERAGE} from '../platform/coverage.ts'
import {declarationOf} from './declarations.ts'
import {ENDPOINTS} from './document.ts'
import {documentedFields, expand} from './names.ts'
import {type Row, headingOf, isAbsent, readPage} from './page.ts'
import {fieldsOfCall} from './recorded-calls.ts'
import {fieldsOfSchema} from './schema-fields.ts'
import {type Uses, readUses} from './uses.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const rows = readPage(join(root, 'docs', 'api-fields.md'))

/** What is read or taken beyond what the document says, and why; without an endpoint: of all that have it. */
const BEYOND: Readonly<Record<string, string>> = {
  personal: 'documented for captains alone, and taken at its word wherever it stands',
  'GET /automations limit': 'not documented there, as it is for other lists',
  'POST /automations triggers.filters': 'the trigger’s other fields are not shown',
  'POST /automations triggers.filters.field': 'the same',
  'POST /automations triggers.filters.values': 'the same',
  'POST /sessions/verify sessionToken': 'the name is not shown: the likely ones are taken',
  'POST /sessions/verify session_token': 'the same',
  'POST /sessions/verify jwt': 'the same',
}

describe('the client sends and reads what the document says', () => {
  const methods = COVERAGE.flatMap(({client, method, path}) =>
    typeof client === 'string' ? [{client, endpoint: `${method} ${path}`}] : [],
  )
  test.each(methods)('$endpoint', async ({client, endpoint}) => {
    const {query, body, answer} = ENDPOINTS[endpoint] ?? {}
    const {sent, read} = await fieldsOfCall(client)
    expectFields(endpoint, sent, [...expand(query), ...expand(body)])
    expectFields(endpoint, read, expand(answer))
  })
})

function expectFields(
  endpoint: string,
  names: readonly string[],
  documented: readonly string[],
): void {
  const isKnown = (name: string): boolean =>
    `${endpoint} ${name}` in BEYOND || (name.split('.').at(-1) ?? '') in BEYOND
  const within = names.filter((name) => documented.includes(name) || !isKnown(name))
  expect(within.toSorted()).toEqual(documented.toSorted())
}

/** What the embedded platform takes for a body; it was written from the document, as the client was. */
const BODIES = {
  'POST /threads': {kickoffSchema},
  'POST /threads/:threadId/message': {sendingSchema},
  'POST /captains': {captainSchema},
  'POST /folders/:folderId/threads': {filingSchema},
  'POST /automations': {creationSchema},
  'POST /reviews': {askedSchema},
  'POST /review-rules': {ruleSchema},
  'POST /review-billing-transfer/decline': {declineSchema},
  'POST /sessions/verify': {verificationSchema},
} satisfies Readonly<Record<string, Readonly<Record<string, z.ZodType>>>>
/** Bodies without documented fields. */
const FREE = ['eventSchema', 'pinningSchema']

describe('the embedded platform takes what the document says', () => {
  test.each(Object.entries(BODIES))('%s', (endpoint, named) => {
    const [schema] = Object.values<z.ZodType>(named)
    const taken = schema === undefined ? [] : fieldsOfSchema(schema)
    expectFields(endpoint, taken, expand(ENDPOINTS[endpoint]?.body))
  })

  const sources = globSync('local/platform/*/*.ts', {cwd: root})
    // What is set up there is no part of the platform's API.
    .filter((path) => !/\/(?:control|github)\//.test(path))
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .join('\n')
  const all = (pattern: RegExp): string[] =>
    [...new Set([...sources.matchAll(pattern)].map(([, name = '']) => name))].toSorted()

  test('with no other body, and none missing', () => {
    const known = Object.values(BODIES).flatMap((named) => Object.keys(named))
    expect(all(/readBody\(request, (\w+)\)/g)).toEqual([...known, ...FREE].toSorted())
    const documented = Object.entries(ENDPOINTS).filter(([, {body}]) => body !== undefined)
    expect(documented.map(([endpoint]) => endpoint).toSorted()).toEqual(
      Object.keys(BODIES).toSorted(),
    )
  })

  test('in queries', () => {
    const documented = Object.values(ENDPOINTS).flatMap(({query}) => expand(query))
    const taken = all(/(?:req\.query\(|readMoment\(request, )'(\w+)'\)/g)
    expect(taken).toEqual([...new Set(documented)].toSorted())
  })
})

const keyOf = ({section, of, name, direction}: Omit<Row, 'place' | 'files'>): string =>
  `${section} ${of}: ${name}, ${direction}`

test('every field of the document has one row in docs/api-fields.md, and every row is a field', () => {
  const documented = documentedFields().map((field) => keyOf({...field, of: headingOf(field.of)}))
  expect(rows.map(keyOf).toSorted()).toEqual(documented.toSorted())
})

/** What a field is called in the files of its row, where it has not the name of the wire. */
const INSIDE: Readonly<Record<string, string>> = {
  'modes.fast': 'MODES',
  'modes.pro': 'MODES',
  'modes.ultrafast': 'MODES',
  threadIds: 'fileThreads',
}

describe('a row', () => {
  test('with a place names files that mention its field, and one without names none', () => {
    const wrong = rows.flatMap((row) => {
      if (isAbsent(row)) return row.files.length === 0 ? [] : [`${keyOf(row)}: none is needed`]
      if (row.files.length === 0) return [`${keyOf(row)}: no file`]
      return row.files
        .filter((file) => !mentions(file, row.name))
        .map((file) => {
          return `${keyOf(row)}: not in ${file}`
        })
    })
    expect(wrong).toEqual([])
  })

  let uses: Uses
  beforeAll(() => {
    uses = readUses(root)
  })
  const typed = rows.flatMap((row) => {
    const declaration = declarationOf(row)
    return declaration === undefined ? [] : [{row, declaration}]
  })

  test('is about what the types know', () => {
    const unknown = typed.filter(({declaration}) => !uses.isDeclared(declaration))
    expect(unknown.map(({declaration}) => declaration)).toEqual([])
  })

  test('with a place is true: one of its files takes the field from what the platform answers', () => {
    const untrue = typed.filter(({row, declaration}) => {
      if (row.direction === 'sent' || isAbsent(row)) return false
      if (row.files.every((file) => file.startsWith('platform/'))) return false
      return uses.filesWith(declaration, row.files).length === 0
    })
    expect(untrue.map(({row}) => keyOf(row))).toEqual([])
  })

  test('without a place is true: nothing outside of src/platform touches the field', () => {
    const shown = typed.flatMap(({row, declaration}) => {
      if (!isAbsent(row)) return []
      const files = [...uses.filesWith(declaration), ...settersOf(row)]
      return files.map((file) => `${keyOf(row)}: in ${file}`)
    })
    expect(shown).toEqual([])
  })
})

/** Files that set other fields of the same request and mention this one: what is put together untyped is seen so. */
function settersOf({of, name, direction}: Row): string[] {
  if (direction === 'read') return []
  const beside = rows.filter((row) => row.of === of && row.direction === 'sent')
  const files = new Set(beside.flatMap((row) => row.files))
  return [...files].filter((file) => !file.startsWith('platform/') && mentions(file, name))
}

function mentions(file: string, name: string): boolean {
  const path = join(root, 'src', file)
  const word = INSIDE[name] ?? name.split('.').at(-1) ?? ''
  return existsSync(path) && new RegExp(`\\b${word}\\b`).test(readFileSync(path, 'utf8'))
}
