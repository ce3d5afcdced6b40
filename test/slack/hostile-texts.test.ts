import {expect, test} from 'vitest'
import {proveTexts} from '../support/text-proof.ts'

test('hostile texts call nobody, disguise nothing and keep their words, in whatever pieces they come', () => {
  const seed = Number(process.env['SEED'] ?? 1)
  expect(proveTexts({texts: 400, seed}).findings).toEqual([])
})
