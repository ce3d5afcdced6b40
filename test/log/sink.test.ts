import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {join} from 'node:path'
import {expect, test} from 'vitest'

const sink = join(import.meta.dirname, '..', '..', 'src', 'log', 'sink.ts')

/** A process that logs many lines and ends; what its reader does is the test's choice. */
function logAndExit(lines: number) {
  const script = `
    const {createLogSink} = await import(${JSON.stringify(sink)})
    const log = createLogSink(2)
    for (let line = 0; line < ${lines}; line += 1) log.write('line ' + line + '\\n')
    setTimeout(() => process.exit(0), 500)
  `
  return spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
}

test('every line arrives, in order', async () => {
  const child = logAndExit(5000)
  let text = ''
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()))
  await once(child, 'close')
  const lines = text.split('\n').filter((line) => line.startsWith('line '))
  expect(lines).toEqual(Array.from({length: 5000}, (_, line) => `line ${line}`))
})

test('a reader that went away does not keep the process', async () => {
  const child = logAndExit(5000)
  child.stderr.destroy()
  const [code] = (await once(child, 'exit')) as [number]
  expect(code).toBe(0)
})
