import {ENDPOINTS, RECORDS} from './document.ts'

/** One field of one record or one request, and which way it goes. */
export interface Field {
  section: string
  /** `Thread`, or `POST /threads`. */
  of: string
  /** Behind dots: `captain.name`. */
  name: string
  direction: 'sent' | 'read'
}

interface Named {
  name: string
  record: string | undefined
}

/** What document.ts writes down, word by word. */
function parse(fields = ''): Named[] {
  return fields
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => {
      const [name = '', record] = word.split(':')
      return {name, record}
    })
}

/** The fields of a text with those of the records in it: `model`, `model.modelId`, … */
export function expand(fields: string | undefined): string[] {
  return parse(fields).flatMap(({name, record}) => {
    const inner = record === undefined ? [] : fieldsOf(record)
    return name === '' ? inner : [name, ...inner.map((field) => `${name}.${field}`)]
  })
}

function fieldsOf(record: string): string[] {
  const {base, fields} = recordOf(record)
  return [...(base === undefined ? [] : fieldsOf(base)), ...expand(fields)]
}

function recordOf(name: string) {
  const found = RECORDS[name]
  if (found === undefined) throw new Error(`The document has no record ${name}.`)
  return found
}

/** Every field of the document once in each direction that it goes: those of a record stand with the record. */
export function documentedFields(): Field[] {
  const all = Object.entries(ENDPOINTS)
  const sentRecords = all.flatMap(([, {body}]) => recordsIn(body))
  const readRecords = all.flatMap(([, {answer}]) => recordsIn(answer))
  const inRecords = Object.entries(RECORDS).flatMap(([of, {section, fields}]) =>
    (['sent', 'read'] as const)
      .filter((direction) => (direction === 'sent' ? sentRecords : readRecords).includes(of))
      .flatMap((direction) => parse(fields).map(({name}) => ({section, of, name, direction}))),
  )
  const inEndpoints = all.flatMap(([of, {section, query, body, answer}]) => [
    ...[...parse(query), ...parse(body)].map(({name}) => {
      return {section, of, name, direction: 'sent' as const}
    }),
    ...parse(answer)
      .filter(({name}) => name !== '')
      .map(({name}) => ({section, of, name, direction: 'read' as const})),
  ])
  return [...inRecords, ...inEndpoints]
}

function recordsIn(fields: string | undefined): string[] {
  return parse(fields).flatMap(({record}) => {
    if (record === undefined) return []
    const {base, fields: own} = recordOf(record)
    return [record, ...(base === undefined ? [] : [base]), ...recordsIn(own)]
  })
}
