import {execFileSync} from 'node:child_process'
import {copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {z} from 'zod'

const ROOT = join(import.meta.dirname, '..', '..')

/** What the lockfile says of a package, by the folder that it is in. */
const locked = z.object({
  version: z.string(),
  license: z.string().optional(),
  dev: z.boolean().default(false),
  optional: z.boolean().default(false),
})
type Locked = z.infer<typeof locked>

/** Every package that is installed for whoever runs or changes this. */
export function readLocked(): [folder: string, one: Locked][] {
  const {packages} = z
    .object({packages: z.record(z.string(), z.unknown())})
    .parse(JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')))
  return Object.entries(packages).flatMap(([folder, one]) =>
    folder === '' ? [] : [[folder, locked.parse(one)] as [string, Locked]],
  )
}

/** The paths that `npm pack` puts into a release. */
export function readPacked(): string[] {
  const [packed] = z
    .tuple([z.object({files: z.array(z.object({path: z.string()}))})])
    .parse(JSON.parse(npm('pack', '--dry-run', '--json')))
  return packed.files.map(({path}) => path).toSorted()
}

export function npm(...parameters: string[]): string {
  const maxBuffer = 2 ** 26
  return execFileSync('npm', parameters, {cwd: ROOT, encoding: 'utf8', maxBuffer, stdio: 'pipe'})
}

/** A release as somebody has it who unpacked it and installed what it needs in production: it finds no other package. */
export function unpack(folder: string): string {
  for (const path of readPacked()) {
    mkdirSync(dirname(join(folder, path)), {recursive: true})
    copyFileSync(join(ROOT, path), join(folder, path))
  }
  for (const [path, {dev, optional}] of readLocked()) {
    // What stands inside of another package comes with it.
    const isInside = path.lastIndexOf('node_modules/') > 0
    if (dev || isInside || (optional && !existsSync(join(ROOT, path)))) continue
    mkdirSync(dirname(join(folder, path)), {recursive: true})
    symlinkSync(join(ROOT, path), join(folder, path))
  }
  return folder
}
