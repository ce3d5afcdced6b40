import {existsSync, globSync, readFileSync} from 'node:fs'
import {execFile} from 'node:child_process'
import {dirname, join, relative} from 'node:path'
import {promisify} from 'node:util'
import {expect, test} from 'vitest'
import {root} from './source-tree.ts'

const run = promisify(execFile)
const PAGES = globSync(['*.md', 'docs/*.md', 'bench/*.md', 'test/fixtures/**/*.md'], {cwd: root})

/** A page without what stands in its examples. */
const proseOf = (page: string): string =>
  readFileSync(join(root, page), 'utf8').replaceAll(/^```.*?^```/gms, '')

/** What GitHub makes of a heading: lower case, words and hyphens alone. */
function anchorOf(heading: string): string {
  return heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

const anchorsOf = (page: string): string[] =>
  proseOf(page)
    .split('\n')
    .flatMap((line) => /^#+ (.*)$/.exec(line)?.[1] ?? [])
    .map(anchorOf)

test('every link between our pages leads somewhere', () => {
  const lost = PAGES.flatMap((page) => {
    const links = [...proseOf(page).matchAll(/\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"/g)]
    return links
      .map(([, written, drawn]) => written ?? drawn ?? '')
      .filter((link) => !/^[a-z]+:/i.test(link))
      .filter((link) => {
        const [file = '', anchor] = link.split('#')
        const path = file === '' ? page : relative(root, join(root, dirname(page), file))
        if (!existsSync(join(root, path))) return true
        return anchor !== undefined && path.endsWith('.md') && !anchorsOf(path).includes(anchor)
      })
      .map((link) => `${page}: ${link}`)
  })
  expect(lost).toEqual([])
})

test('every npm script and every file that node is told to run is there', () => {
  const {scripts} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const lost = PAGES.flatMap((page) => {
    const text = readFileSync(join(root, page), 'utf8')
    const names = [...text.matchAll(/npm run (?:--silent |-s )?([a-z][\w:-]*)/g)]
    const files = [...text.matchAll(/\bnode (?:--[\w=.-]+ )*((?:src|local|bench|test)\/[\w./-]+)/g)]
    return [
      ...names.flatMap(([, name = '']) => (name in scripts ? [] : [`npm run ${name}`])),
      ...files.flatMap(([, file = '']) => (existsSync(join(root, file)) ? [] : [`node ${file}`])),
    ].map((what) => `${page}: ${what}`)
  })
  expect(lost).toEqual([])
})

test('a tool takes what our pages give to it', async () => {
  const {scripts} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const tools = Object.keys(scripts).filter((name) => scripts[name]?.includes(' src/tools/'))
  const helps = await Promise.all(
    tools.map(async (name): Promise<[string, string]> => {
      const {stdout} = await run('npm', ['run', '--silent', name, '--', '--help'], {cwd: root})
      return [name, stdout]
    }),
  )
  const lost = helps.flatMap(([name, help]) => {
    if (!new RegExp(`npm run (?:--silent )?${name}`).test(help))
      return [`${name} does not say how it is called`]
    const called = new RegExp(`npm run (?:--silent )?${name} -- ([^\\n\`|]*)`, 'g')
    return PAGES.flatMap((page) =>
      [...readFileSync(join(root, page), 'utf8').matchAll(called)]
        .flatMap(([, given = '']) => given.match(/(?<= |^)--[a-z][a-z-]*/g) ?? [])
        .filter((option) => !help.includes(option))
        .map((option) => `${page}: npm run ${name} -- ${option}`),
    )
  })
  expect(lost).toEqual([])
})

test('every page of docs is named where people look for it', () => {
  const index = readFileSync(join(root, 'docs/README.md'), 'utf8')
  const unnamed = globSync('docs/*.{md,yaml}', {cwd: root})
    .map((page) => page.slice('docs/'.length))
    .filter((page) => page !== 'README.md' && !index.includes(`(${page}`))
  expect(unnamed).toEqual([])
})
