import {
  LineCounter,
  type Document as YamlDocument,
  isMap,
  isNode,
  isScalar,
  parseAllDocuments,
} from 'yaml'
import {z} from 'zod'
import {nearestOne} from '../../agents/nearest-word.ts'
import {ToolProblem} from '../tool.ts'
import {type Document, documentSchema} from './document.ts'

type Path = readonly PropertyKey[]

/** What is wrong, with the file and the line. */
export interface Wrong {
  line: number
  text: string
}

/** One workspace, as a file says it. */
export interface ReadDocument {
  document: Document
  /** Something is wrong with what stands there. */
  wrong: (path: Path, words: string) => Wrong
}

/** More is no file that somebody wrote. */
const MAX_BYTES = 4_000_000

/** @throws {ToolProblem} with all that is wrong, a line for each. */
export function readDocuments(file: string, text: string): ReadDocument[] {
  if (Buffer.byteLength(text) > MAX_BYTES) throw new ToolProblem(`${file} is larger than 4 MB.`)
  const lines = new LineCounter()
  const parsed = parseAllDocuments(text, {lineCounter: lines, prettyErrors: false})
  const documents = 'empty' in parsed ? [] : parsed.filter(({contents}) => contents !== null)
  const lineAt = (offset: number): number => lines.linePos(offset).line
  const broken = documents.flatMap(({errors}) =>
    errors.map(({pos: [from], message}): Wrong => {
      const line = lineAt(from)
      return {line, text: `${file}:${line}: ${message}`}
    }),
  )
  refuse(broken)
  if (documents.length === 0) throw new ToolProblem(`${file} says nothing of any workspace.`)
  const problems: Wrong[] = []
  const read = documents.flatMap((one): ReadDocument[] => {
    const wrong = (path: Path, words: string): Wrong => {
      const line = lineAt(offsetOf(one, path))
      const name = path.length === 0 ? '' : ` ${nameOf(path)}`
      return {line, text: `${file}:${line}:${name} ${words}`}
    }
    const {data, error} = documentSchema.safeParse(valueOf(one, wrong))
    if (data !== undefined) return [{document: data, wrong}]
    problems.push(...error.issues.flatMap((issue) => wordsOf(issue).map((it) => wrong(...it))))
    return []
  })
  const twice = read.filter(({document: {team}}, index) =>
    read.slice(0, index).some((other) => other.document.team === team),
  )
  problems.push(...twice.map(({wrong}) => wrong(['team'], 'is there twice in this file')))
  refuse(problems)
  return read
}

/** What stands for something else may stand for nothing, or for more than anybody wrote. @throws {ToolProblem} */
function valueOf(document: YamlDocument, wrong: ReadDocument['wrong']): unknown {
  try {
    return document.toJS()
  } catch (error) {
    if (error instanceof ReferenceError) refuse([wrong([], error.message)])
    throw error
  }
}

/** @throws {ToolProblem} */
export function refuse(problems: readonly Wrong[]): void {
  const lines = problems.toSorted((a, b) => a.line - b.line).map(({text}) => text)
  if (lines.length > 0) throw new ToolProblem(lines.join('\n'))
}

function wordsOf(issue: z.core.$ZodIssue): [path: Path, words: string][] {
  if (issue.code === 'unrecognized_keys') {
    const known = keysAt(documentSchema, issue.path)
    return issue.keys.map((key) => {
      const near = nearestOne(known, key)
      const instead = near === undefined ? `there are ${known.join(', ')}` : `did you mean ${near}?`
      return [[...issue.path, key], `is not known: ${instead}`]
    })
  }
  // A key of a record says what is wrong with it inside.
  const [inner] = issue.code === 'invalid_key' ? issue.issues : []
  return [[issue.path, (inner ?? issue).message.replace(/^Invalid \w+: /, '')]]
}

/** What may stand there, as the schema has it. */
function keysAt(schema: z.core.$ZodType, path: Path): string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return keysAt(schema.unwrap(), path)
  }
  const [first, ...rest] = path
  if (schema instanceof z.ZodObject) {
    const shape: Record<string, z.core.$ZodType | undefined> = schema.shape
    const next = shape[String(first)]
    if (first === undefined) return Object.keys(shape)
    return next === undefined ? [] : keysAt(next, rest)
  }
  if (schema instanceof z.ZodRecord) return keysAt(schema.valueType, rest)
  return schema instanceof z.ZodArray ? keysAt(schema.element, rest) : []
}

/** `channels.C1.rules[2].task`, counted as people count. */
function nameOf(path: Path): string {
  return path
    .map((part, index) =>
      typeof part === 'number' ? `[${part + 1}]` : `${index === 0 ? '' : '.'}${String(part)}`,
    )
    .join('')
}

/** Of the key, or of the nearest thing around what is not there. */
function offsetOf(document: YamlDocument, path: Path): number {
  for (let length = path.length; length > 0; length -= 1) {
    const parent = document.getIn(path.slice(0, length - 1), true)
    const last = path[length - 1]
    if (isMap(parent)) {
      const pair = parent.items.find(({key}) => isScalar(key) && String(key.value) === String(last))
      if (isNode(pair?.key) && pair.key.range) return pair.key.range[0]
    } else {
      const node = document.getIn(path.slice(0, length), true)
      if (isNode(node) && node.range) return node.range[0]
    }
  }
  const {contents} = document
  return isNode(contents) && contents.range ? contents.range[0] : 0
}
