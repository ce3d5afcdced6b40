import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {FAULTS} from '../../bench/prove/faults/list.ts'
import {QUICK_FORMS} from '../../bench/prove/list.ts'

const root = join(import.meta.dirname, '../..')

test.each(FAULTS)('the fault “$name” is one change of the code as it is', ({file, find, bench}) => {
  expect(readFileSync(join(root, file), 'utf8').split(find)).toHaveLength(2)
  expect(QUICK_FORMS.map(({name}) => name)).toContain(bench)
})
