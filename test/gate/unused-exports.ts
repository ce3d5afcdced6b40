// Run by `npm run exports`: says which exports nobody imports, and fails when there are any.
import {join} from 'node:path'
import {allowedExports, findDeadExports} from './dead-exports.ts'
import {root} from './source-tree.ts'

const dead = findDeadExports(join(root, 'tsconfig.json'), allowedExports)
for (const line of dead) console.error(line)
if (dead.length > 0) {
  console.error(
    'Drop the word "export" or the code itself. What something outside our files reads goes on the allow-list in test/gate/dead-exports.ts, with a reason.',
  )
  process.exitCode = 1
}
