import {globSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {z} from 'zod'
import {npm, readLocked, readPacked} from '../support/package.ts'
import {root} from './source-tree.ts'

/** What is passed on with a release binds nobody who runs it. */
const PERMISSIVE = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT']
/** What only develops or tests it is passed on to nobody. */
const FOR_DEVELOPMENT = [...PERMISSIVE, 'BlueOak-1.0.0', 'CC0-1.0', 'MPL-2.0']

test('a release holds what runs, what npm adds by itself, and nothing else', () => {
  const running = globSync(['src/**/*', 'migrations/**/*'], {cwd: root, withFileTypes: true})
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(root.length + 1))
  const added = ['LICENSE', 'README.md', 'package.json']
  expect(readPacked()).toEqual([...running, ...added, 'manifest.yml'].toSorted())
})

describe('every package of the lockfile', () => {
  const packages = readLocked()

  test('has a licence that lets it be used here', () => {
    const wrong = packages.filter(([, {license, dev}]) => {
      const allowed = dev ? FOR_DEVELOPMENT : PERMISSIVE
      // Of several one may choose.
      const offered = (license ?? '').replaceAll(/[()]/g, '').split(' OR ')
      return !offered.some((one) => allowed.includes(one))
    })
    expect(wrong.map(([folder, {license}]) => `${folder}: ${license}`)).toEqual([])
  })

  test('is in the bill of materials, with its licence', () => {
    const bill = billOfMaterials.parse(JSON.parse(npm('run', '--silent', 'sbom')))
    const listed = bill.components.map(({purl}) => decodeURIComponent(purl))
    const installed = packages.map(([folder, {version}]) => {
      const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)
      return `pkg:npm/${name}@${version}`
    })
    expect([...new Set(listed)].toSorted()).toEqual([...new Set(installed)].toSorted())
    const bare = bill.components.filter(({licenses}) => licenses.length === 0)
    expect(bare.map(({purl}) => purl)).toEqual([])
  })
})

const billOfMaterials = z.object({
  bomFormat: z.literal('CycloneDX'),
  specVersion: z.string(),
  serialNumber: z.string().startsWith('urn:uuid:'),
  // npm names it by its folder, and its package by its name.
  metadata: z.object({component: z.object({purl: z.string().startsWith('pkg:npm/bosun@')})}),
  components: z.array(
    z.object({
      type: z.literal('library'),
      name: z.string(),
      version: z.string(),
      purl: z.string().startsWith('pkg:npm/'),
      licenses: z.array(z.unknown()).default([]),
      hashes: z.array(z.unknown()).min(1),
    }),
  ),
})
