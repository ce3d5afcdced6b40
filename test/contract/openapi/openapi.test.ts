import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {Validator} from '@seriousme/openapi-schema-validator'
import {describe, expect, test} from 'vitest'
import {parse} from 'yaml'
import {writeOpenApiYaml} from '../../../local/platform/openapi/yaml.ts'
import {toPlatformError} from '../../../src/platform/error-answer.ts'
import {COVERAGE} from '../platform/coverage.ts'
import {sharedContract} from '../platform/contract.ts'
import {ENDPOINTS, RECORDS} from '../fields/document.ts'
import {expand} from '../fields/names.ts'
import * as document from './document.ts'

const text = readFileSync(
  join(import.meta.dirname, '..', '..', '..', 'docs', 'openapi.yaml'),
  'utf8',
)

interface Schema {
  $ref?: string
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  enum?: string[]
  type?: string
  items?: Schema
  minLength?: number
  maxLength?: number
}
interface Operation {
  tags: string[]
  parameters: {name: string; in: string}[]
  requestBody?: {content: Record<string, {schema: Schema}>}
  responses: Record<string, {$ref?: string; content?: Record<string, {schema: Schema}>}>
  'x-chosen-path'?: true
  'x-bosun-without': string
}
interface Contract {
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, Schema>
    responses: Record<string, {description: string; content: Record<string, {schema: Schema}>}>
  }
}
const contract = parse(text) as Contract
const {schemas, responses} = contract.components

const operations = Object.entries(contract.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => {
    return {name: `${method.toUpperCase()} ${path}`, operation}
  }),
)
const toColons = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1')
const fieldsOf = (schema: Schema | undefined): string[] => Object.keys(schema?.properties ?? {})
const resolved = (schema: Schema | undefined): Schema | undefined =>
  schema?.$ref === undefined ? schema : schemas[schema.$ref.split('/').at(-1) ?? '']

describe('docs/openapi.yaml', () => {
  test('is what npm run docs writes', () => {
    expect(text).toBe(writeOpenApiYaml())
  })

  test('is valid OpenAPI 3.1', async () => {
    const validator = new Validator()
    const {valid, errors} = await validator.validate(text)
    expect(errors).toBeUndefined()
    expect(valid).toBe(true)
    expect(validator.version).toBe('3.1')
  })

  test('refers to nothing that is not there', () => {
    const references = [...text.matchAll(/\$ref: "?#\/components\/(\w+)\/([\w.-]+)/g)]
    expect(references.length).toBeGreaterThan(50)
    const missing = references.filter(
      ([, kind = '', name = '']) => !(name in (contract.components as never)[kind]),
    )
    expect(missing.map(([whole]) => whole)).toEqual([])
  })

  test('has every path of the API document, and marks those that it does not name', () => {
    const named = Object.entries(document.PATHS).flatMap(([section, names]) =>
      names.map((name) => `${section} ${name}`),
    )
    const listed = operations.map(({name, operation}) => {
      return {name: `${operation.tags[0]?.split(' ')[0] ?? ''} ${name}`, operation}
    })
    const chosen = listed.filter(({operation}) => operation['x-chosen-path'])
    const others = listed.filter(({operation}) => !operation['x-chosen-path'])
    expect(others.map(({name}) => name).toSorted()).toEqual(named.toSorted())
    expect(chosen).toHaveLength(document.UNNAMED_PATHS)
  })

  test('says of every endpoint what Bosun cannot do without it', () => {
    expect(operations.filter(({operation}) => !operation['x-bosun-without'])).toEqual([])
  })

  test.each(Object.entries(RECORDS).filter(([name]) => name !== 'SessionVerification'))(
    'has the fields of %s',
    (name, {base, fields}) => {
      const own = expand(`${base === undefined ? '' : (RECORDS[base]?.fields ?? '')} ${fields}`)
      const top = own.filter((field) => !field.includes('.'))
      expect(fieldsOf(schemas[name]).toSorted()).toEqual(top.toSorted())
    },
  )

  test('requires of a captain, and of a thread, what the API document requires', () => {
    const required = document.CAPTAIN_REQUIRES.split(' ')
    expect(schemas['Captain']?.required?.toSorted()).toEqual(required.toSorted())
    expect(schemas['Thread']?.required?.toSorted()).toEqual(required.slice(0, -2).toSorted())
    expect(schemas['Captain']).toHaveProperty('additionalProperties', false)
  })

  const taking = operations.filter(({operation}) => !operation['x-chosen-path'])
  test.each(taking.map(({name, operation}) => ({name, operation})))(
    'has what $name takes',
    ({name, operation}) => {
      const {query, body} = ENDPOINTS[toColons(name)] ?? {}
      const inQuery = operation.parameters.filter((parameter) => parameter.in === 'query')
      expect(inQuery.map((parameter) => parameter.name)).toEqual(expand(query))
      const taken = resolved(operation.requestBody?.content['application/json']?.schema)
      const top = expand(body).filter((field) => !field.includes('.'))
      expect(fieldsOf(taken).toSorted()).toEqual(top.toSorted())
    },
  )

  test.each(document.REFUSALS)('has the refusal %s', (tag, status, fields) => {
    const words = fields.split(' ').filter(Boolean)
    const {properties, required} = schemas[tag] ?? {}
    expect(Object.keys(properties ?? {})).toEqual([
      '_tag',
      ...words.map((word) => word.replace('?', '')),
    ])
    expect(required).toEqual(['_tag', ...words.filter((word) => !word.endsWith('?'))])
    const name = Object.keys(responses).find((one) => one.split('-or-').includes(tag)) ?? ''
    const statuses = new Set(
      operations.flatMap(({operation}) =>
        Object.entries(operation.responses)
          .filter(([, {$ref}]) => $ref?.endsWith(`/${name}`))
          .map(([of]) => of),
      ),
    )
    expect([...statuses]).toEqual([status?.toString() ?? 'default'])
  })

  test('has every refusal of the API document, and no other', () => {
    const inContract = Object.keys(schemas).filter(
      (name) => '_tag' in (schemas[name]?.properties ?? {}),
    )
    expect(inContract.toSorted()).toEqual(document.REFUSALS.map(([tag]) => tag).toSorted())
  })

  test('has every event of streams, with the fields of each form', () => {
    const events = Object.keys(schemas).filter((name) => name.startsWith('Frame.'))
    expect(events.toSorted()).toEqual(
      Object.keys(document.EVENTS)
        .map((name) => `Frame.${name}`)
        .toSorted(),
    )
    for (const [name, forms] of Object.entries(document.EVENTS)) {
      const schema = schemas[`Frame.${name}`]
      const of = resolved(schema)?.anyOf ?? [resolved(schema)]
      expect(
        of.map((one) => fieldsOf(resolved(one)).join(' ')),
        name,
      ).toEqual(forms)
    }
  })

  test.each(Object.entries(document.WORDS))('has the words of %s', (of, words) => {
    const path = of.split('.')
    const field = path.pop() ?? ''
    const [found] = [schemas[path.join('.')]?.properties?.[field]]
    const listed = found?.enum ?? found?.anyOf?.flatMap((one) => one.enum ?? [])
    expect(listed?.toSorted()).toEqual(words.split(' ').toSorted())
  })

  test('has the limits of creations', () => {
    const bodyOf = (name: string): Schema | undefined =>
      operations.find((one) => one.name === name)?.operation.requestBody?.content[
        'application/json'
      ]?.schema
    for (const name of ['POST /threads', 'POST /captains', 'POST /automations']) {
      const {minLength, maxLength} = bodyOf(name)?.properties?.['requestId'] ?? {}
      expect([minLength, maxLength], name).toEqual(document.LIMITS.requestId)
    }
    const {minLength, maxLength} = bodyOf('POST /captains')?.properties?.['name'] ?? {}
    expect([minLength, maxLength]).toEqual(document.LIMITS.captainName)
  })
})

describe('the client and the contract', () => {
  test('know the same endpoints', () => {
    const called = COVERAGE.map(({method, path}) => `${method} ${path}`)
    expect(operations.map(({name}) => toColons(name)).toSorted()).toEqual(called.toSorted())
  })

  /** By the tag; under the embedded platform's status where the document shows none. */
  const ERRORS = {
    InvalidRequest: 'PlatformInvalidRequest',
    'ModelSelection.Rejected': 'PlatformModelRejected',
    Unauthorized: 'PlatformUnauthorized',
    PaidFeatureUnavailable: 'PlatformPaidFeature',
    Forbidden: 'PlatformForbidden',
    ProjectNotFound: 'PlatformProjectNotFound',
    ThreadNotFound: 'PlatformThreadNotFound',
    TaskNotFound: 'PlatformTaskNotFound',
    ReviewRefused: 'PlatformReviewRefused',
    RateLimited: 'PlatformRateLimited',
    Conflict: 'PlatformConflict',
    ThreadOrganizationNotFound: 'PlatformFolderNotFound',
    StreamUnavailable: 'PlatformStreamUnavailable',
  }
  const CHOSEN: Readonly<Record<string, number>> = {
    Conflict: 409,
    ThreadOrganizationNotFound: 404,
    StreamUnavailable: 503,
  }

  test('know the same refusals', () => {
    const known = document.REFUSALS.map(([tag, status = CHOSEN[tag] ?? 0]) => {
      const answer = {what: 'GET /x', status, retryAfter: undefined, body: {_tag: `svc/${tag}`}}
      return [tag, toPlatformError(answer).name]
    })
    expect(Object.fromEntries(known)).toEqual(ERRORS)
  })
})

describe('the embedded platform and the contract', async () => {
  const {platform} = await sharedContract()

  test('know the same endpoints', () => {
    const served = [...platform.routes, ...platform.originRoutes].map(
      ({method, path}) => `${method} ${path}`,
    )
    expect(operations.map(({name}) => toColons(name)).toSorted()).toEqual(served.toSorted())
  })

  test('it serves the contract as a file, as JSON and as a page that loads nothing', async () => {
    const get = (path: string): Promise<Response> => fetch(platform.originUrl + path)
    expect(await (await get('/openapi.yaml')).text()).toBe(text)
    expect(await (await get('/openapi.json')).json()).toEqual(contract)
    const page = await get('/docs')
    const html = await page.text()
    expect(page.headers.get('content-type')).toMatch(/^text\/html/)
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'/)
    expect(html).not.toMatch(/<script|<link|<img|\bsrc=|@import|url\(/)
    for (const path of Object.keys(contract.paths)) expect(html).toContain(path)
    for (const name of Object.keys(schemas)) expect(html).toContain(`id="${name}"`)
    const anchors = [...html.matchAll(/href="#([^"]+)"/g)].map(([, anchor = '']) => anchor)
    expect(anchors.filter((anchor) => !html.includes(`id="${anchor}"`))).toEqual([])
    expect(platform.ledger.filter(({path}) => /docs|openapi/.test(path))).toEqual([])
  })
})
