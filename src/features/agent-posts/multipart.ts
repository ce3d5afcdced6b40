import {Readable} from 'node:stream'
import {pipeline} from 'node:stream/promises'
import {Busboy} from '@fastify/busboy'
import {chunksOf} from '../../http/body.ts'

/** One part of a form: what was written in it, or a file, which has to be read before the next part comes. */
export type Part = {kind: 'field'; name: string; value: string} | {kind: 'file'; body: Readable}

/** It is not what a form looks like, or ends before it is whole. */
export class BrokenForm extends Error {
  override name = 'BrokenForm' as const
}

interface FormLimits {
  /** Of one field. */
  maxFieldBytes: number
  maxParts: number
}

const RAW = {objectMode: false}

/**
 * The parts of a `multipart/form-data` body (RFC 7578), one by one and no faster than they are read: of a file some chunks
 * are kept at a time.
 *
 * @throws {BrokenForm} also while the body of a file is read.
 */
export async function* readForm(
  request: Request,
  {maxFieldBytes, maxParts}: FormLimits,
  signal: AbortSignal,
): AsyncGenerator<Part> {
  const parser = parserOf(request.headers.get('content-type') ?? '', maxFieldBytes, maxParts)
  if (request.body === null) throw new BrokenForm('The body is empty.')
  const parts: Part[] = []
  let wake = (): void => undefined
  const end: {isOver: boolean; problem?: BrokenForm} = {isOver: false}
  const over = (error?: BrokenForm): void => {
    if (error !== undefined) end.problem ??= error
    end.isOver = true
    wake()
  }
  const add = (part: Part): void => {
    parts.push(part)
    wake()
  }
  parser.on('field', (name, value, _isNameCut, isCut) => {
    if (isCut) over(new BrokenForm(`${name} is longer than ${maxFieldBytes} bytes.`))
    else add({kind: 'field', name, value})
  })
  parser.on('file', (_field, file) => {
    // Whoever reads it hears of it there; where nobody does, it must not end the process.
    file.on('error', () => over(new BrokenForm('The form ends before it is whole.')))
    add({kind: 'file', body: file})
  })
  parser.on('partsLimit', () => over(new BrokenForm(`A form has at most ${maxParts} parts.`)))
  const stop = new AbortController()
  const pumped = pipeline(Readable.from(chunksOf(request), RAW), parser, {
    signal: AbortSignal.any([signal, stop.signal]),
  }).then(
    () => over(),
    (error: unknown) => over(new BrokenForm('The form cannot be read.', {cause: error})),
  )
  try {
    for (;;) {
      const part = parts.shift()
      if (part !== undefined) yield part
      else if (end.problem !== undefined) throw end.problem
      else if (end.isOver) return
      else await new Promise<void>((resolve) => (wake = resolve))
    }
  } finally {
    stop.abort()
    await pumped
  }
}

function parserOf(contentType: string, fieldSize: number, parts: number) {
  try {
    return new Busboy({
      headers: {'content-type': contentType},
      limits: {fieldSize, parts, headerPairs: 20, headerSize: 8192},
    })
  } catch (error) {
    throw new BrokenForm('The content type names no boundary.', {cause: error})
  }
}
