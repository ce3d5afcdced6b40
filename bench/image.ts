/**
 * What the image holds, and whether it works as somebody who is not root where nothing can be written but its volume: its tree is
 * built as the Dockerfile says, without an engine, and the bot in it is started between a local Slack and an embedded platform.
 */
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {buildImage, closeTree, confinements, filesIn} from '../test/support/image.ts'
import {judgeTree, liveInImage} from '../test/support/image-judge.ts'
import {endWith, never} from './lines.ts'

await using opened = new AsyncDisposableStack()
const root = mkdtempSync(join(tmpdir(), 'bosun-image-'))
opened.defer(() => rmSync(root, {recursive: true, force: true}))
const image = await buildImage(join(import.meta.dirname, '..'), root)
opened.use(closeTree(image))
const files = filesIn(image)
const sizes = new Map<string, {bytes: number; count: number}>()
for (const {path, bytes} of files) {
  const [top = '', name = '', scoped = ''] = path.split('/')
  const place =
    top !== 'node_modules'
      ? top
      : name.startsWith('@')
        ? `${top}/${name}/${scoped}`
        : `${top}/${name}`
  const before = sizes.get(place) ?? {bytes: 0, count: 0}
  sizes.set(place, {bytes: before.bytes + bytes, count: before.count + 1})
}
const largest = [...sizes].toSorted(([, a], [, b]) => b.bytes - a.bytes)
for (const [place, {bytes, count}] of largest.slice(0, 20)) {
  console.log(
    `${(bytes / 1e6).toFixed(2).padStart(7)} MB ${String(count).padStart(6)} files  ${place}`,
  )
}
const all = files.reduce((sum, {bytes}) => sum + bytes, 0)
console.log(
  `${(all / 1e6).toFixed(2).padStart(7)} MB ${String(files.length).padStart(6)} files  all`,
)
const problems = judgeTree(files)
for (const confinement of confinements()) {
  const {readyMs, residentMb, wrong} = await liveInImage(image, confinement)
  console.log(`${confinement}: well after ${Math.round(readyMs)} ms, ${residentMb} MB resident`)
  problems.push(...wrong)
}
for (const problem of problems) console.error(`✗ ${problem}`)
endWith([never('problems', problems.length)])
