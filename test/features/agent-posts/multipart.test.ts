import {Readable} from 'node:stream'
import {buffer} from 'node:stream/consumers'
import fc from 'fast-check'
import {expect, test} from 'vitest'
import {BrokenForm, readForm} from '../../../src/features/agent-posts/multipart.ts'

const LIMITS = {maxFieldBytes: 1000, maxParts: 5}
const signal = new AbortController().signal

type Read = [kind: string, content: string]

/** A form whose bytes arrive in pieces of this length. */
async function read(bytes: Uint8Array, type: string, pieceBytes = 7): Promise<Read[]> {
  const pieces = Array.from({length: Math.ceil(bytes.length / pieceBytes)}, (_, index) =>
    bytes.slice(index * pieceBytes, (index + 1) * pieceBytes),
  )
  const body = Readable.toWeb(Readable.from(pieces)) as ReadableStream<Uint8Array>
  const sent = {method: 'POST', headers: {'content-type': type}, body, duplex: 'half'}
  const request = new Request('http://bosun', sent)
  const found: Read[] = []
  for await (const part of readForm(request, LIMITS, signal)) {
    const content =
      part.kind === 'field' ? part.value : (await buffer(part.body)).toString('latin1')
    found.push([part.kind === 'field' ? part.name : 'file', content])
  }
  return found
}

async function formOf(make: (form: FormData) => void) {
  const form = new FormData()
  make(form)
  const response = new Response(form)
  const type = response.headers.get('content-type') ?? ''
  return {bytes: new Uint8Array(await response.arrayBuffer()), type}
}

test('parts come in their order, each whole, however the bytes are cut', async () => {
  const content = fc.uint8Array({maxLength: 300})
  await fc.assert(
    fc.asyncProperty(content, content, fc.integer({min: 1, max: 90}), async (a, b, pieceBytes) => {
      const {bytes, type} = await formOf((form) => {
        form.append('post', '{"ü": 1}')
        form.append('file', new Blob([a]), 'a.png')
        form.append('file', new Blob([b]), 'b.png')
      })
      expect(await read(bytes, type, pieceBytes)).toEqual([
        ['post', '{"ü": 1}'],
        ['file', Buffer.from(a).toString('latin1')],
        ['file', Buffer.from(b).toString('latin1')],
      ])
    }),
    {numRuns: 40},
  )
})

test('what is cut short anywhere is broken, and nothing is taken for whole', async () => {
  const {bytes, type} = await formOf((form) => {
    form.append('post', '{}')
    form.append('file', new Blob(['some bytes of a file']), 'a.png')
  })
  for (let length = 1; length < bytes.length - 8; length += 1) {
    await expect(read(bytes.slice(0, length), type), `cut at ${length}`).rejects.toThrow()
  }
})

test.each(['multipart/form-data', 'multipart/form-data; boundary=', 'text/plain'])(
  'a form has a boundary: %s',
  async (type) => {
    await expect(read(new Uint8Array([1]), type)).rejects.toThrow(BrokenForm)
  },
)

test('no field is longer than the limit, and there are no more parts', async () => {
  const long = await formOf((form) => form.append('post', 'x'.repeat(1001)))
  await expect(read(long.bytes, long.type)).rejects.toThrow('post is longer than 1000 bytes.')
  const many = await formOf((form) => {
    for (let count = 0; count < 6; count += 1) form.append('post', 'x')
  })
  await expect(read(many.bytes, many.type)).rejects.toThrow('A form has at most 5 parts.')
})
