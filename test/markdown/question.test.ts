import {expect, test} from 'vitest'
import {questionIn} from '../../src/markdown/question.ts'

test.each<[string, string, string]>([
  ['all of a short text', 'Which one?', 'Which one?'],
  ['without the space around it', '\n\n Which one? \n', 'Which one?'],
  ['with what stands above it', 'I can do both.\n\nWhich one?', 'I can do both.\n\nWhich one?'],
  ['whatever the gap', 'Two.\n  \n\n\nWhich?', 'Two.\n\nWhich?'],
  ['line ends inside of it stay', 'Which?\n1. a\n2. b', 'Which?\n1. a\n2. b'],
  ['nothing', '', ''],
  ['blank lines', ' \n\n ', ''],
  ['paragraphs that fill it', `${'a'.repeat(290)}\n\n12345678`, `${'a'.repeat(290)}\n\n12345678`],
  ['none that does not fit', `${'a'.repeat(290)}\n\n123456789`, '123456789'],
  ['none above one that does not fit', `x\n\n${'a'.repeat(299)}\n\nb`, 'b'],
  ['a long paragraph, whole', `x\n\n${'a'.repeat(1000)}`, 'a'.repeat(1000)],
  ['the end of one that is too long', `x${'a'.repeat(1000)}`, 'a'.repeat(1000)],
  ['nothing from far away', `Earlier.${'\n'.repeat(9000)}Which one?`, 'Which one?'],
  ['what is not far away', `Earlier.${'\n'.repeat(7000)}Which one?`, 'Earlier.\n\nWhich one?'],
])('the end of what was said: %s', (_what, text, question) => {
  expect(questionIn(text)).toBe(question)
})
