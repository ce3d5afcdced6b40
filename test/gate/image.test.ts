import {execFileSync} from 'node:child_process'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {buildImage, closeTree, filesIn, readRecipe} from '../support/image.ts'
import {judgeTree, liveInImage} from '../support/image-judge.ts'
import {temporaryFolder} from '../support/temporary-folder.ts'
import {root} from './source-tree.ts'

const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8')

test('what COPY and the production install give is what runs and nothing else, it is well as nobody on a read-only root, and a start compiles nothing', async () => {
  const image = await buildImage(root, temporaryFolder())
  using closed = closeTree(image)
  expect(closed).toBeDefined()
  expect(judgeTree(filesIn(image))).toEqual([])
  const {wrong} = await liveInImage(image, image.compiledIn)
  expect(wrong).toEqual([])
})

test('its health is asked at the port that the bot takes, also where PORT is set to nothing', () => {
  const [, , program = ''] = readRecipe(dockerfile).health
  const asked = (env: NodeJS.ProcessEnv): string => {
    const told = `globalThis.fetch = async (at) => (console.log(at), {ok: true});${program}`
    return execFileSync(process.execPath, ['-e', told], {env, encoding: 'utf8'})
  }
  expect(asked({})).toBe('http://127.0.0.1:3000/livez\n')
  expect(asked({PORT: ''})).toBe('http://127.0.0.1:3000/livez\n')
  expect(asked({PORT: '4000'})).toBe('http://127.0.0.1:4000/livez\n')
})

test('what does not belong into it is seen, and a Dockerfile that says more is not taken for understood', () => {
  const right = ['compiled', 'migrations', 'src', 'node_modules/zod'].map((folder) => ({
    path: `${folder}/x.ts`,
    bytes: 1,
  }))
  const whole = [...right, {path: 'package.json', bytes: 1}]
  expect(judgeTree(whole)).toEqual([])
  for (const path of [
    'test/x.ts',
    'local/x.ts',
    'bench/x.ts',
    '.env',
    'src/.env',
    'src/x.test.ts',
  ]) {
    expect(judgeTree([...whole, {path, bytes: 1}])).not.toEqual([])
  }
  expect(judgeTree([...whole, {path: 'node_modules/vitest/x.js', bytes: 1}])).toHaveLength(1)
  expect(judgeTree([...whole, {path: 'src/big.bin', bytes: 101e6}])).toHaveLength(1)
  expect(judgeTree(right)).toEqual(['package.json is missing in the image'])
  expect(readRecipe(dockerfile).user).toBe('node')
  for (const more of [
    'ADD x y',
    'USER root',
    'COPY --from=other x y',
    'FROM scratch',
    'SHELL ["x"]',
    'RUN x',
  ]) {
    expect(() => readRecipe(`${dockerfile}${more}\n`)).toThrow()
  }
})
