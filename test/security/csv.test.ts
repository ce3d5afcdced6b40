import fc from 'fast-check'
import {expect, test} from 'vitest'
import {csvLine} from '../../src/security/csv.ts'

/** A reader of RFC 4180 that knows nothing of the writer. */
function read(csv: string): string[][] {
  const lines: string[][] = []
  let cells: string[] = []
  let at = 0
  while (at < csv.length) {
    const quoted = /^"((?:[^"]|"")*)"/.exec(csv.slice(at))
    const plain = /^[^",\r\n]*/.exec(csv.slice(at))?.[0] ?? ''
    cells.push(quoted?.[1]?.replaceAll('""', '"') ?? plain)
    at += quoted?.[0].length ?? plain.length
    if (csv.startsWith('\r\n', at)) {
      lines.push(cells)
      cells = []
      at += 2
    } else if (csv[at] === ',') at += 1
    else throw new Error(`Neither a comma nor an end at ${at}`)
  }
  return lines
}

const cell = fc.string({
  unit: fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '"', ',', ';', 'a', '1', ' ', 'é'),
})

test('whatever is written is read again, and no cell is a formula', () => {
  fc.assert(
    fc.property(fc.array(fc.array(cell, {minLength: 1, maxLength: 4}), {maxLength: 4}), (rows) => {
      const again = read(rows.map(csvLine).join(''))
      expect(again).toEqual(
        rows.map((row) => row.map((text) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text))),
      )
    }),
  )
})

test('what needs no quotes has none', () => {
  expect(csvLine(['one', 'two words', 'a,b', 'a "b"'])).toBe('one,two words,"a,b","a ""b"""\r\n')
})
