import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {onTestFinished} from 'vitest'

/** A folder that goes with the test, or with the file where `afterAll` is given. */
export function temporaryFolder(atEnd: (act: () => void) => void = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'bosun-test-'))
  atEnd(() => rmSync(folder, {recursive: true, force: true}))
  return folder
}
