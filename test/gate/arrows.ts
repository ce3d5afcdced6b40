/**
 * Which of our files may import which: the list in ARCHITECTURE.md, "Houses and floors", as data, and a checker of it
 * that touches no disk.
 *
 * A *house* is a file (`src/main.ts`) or a folder (`src/relay/`); files of one house may import each other.
 */

/** One file and the files of ours that it imports, as paths from the repository's root. */
export interface SourceFile {
  readonly path: string
  readonly imports: readonly string[]
  /** Names of packages as they are written, for example `@slack/bolt` or `hono/streaming`. */
  readonly packages: readonly string[]
}

/** What may import what, in the words of the table below. */
interface Plan {
  /** Top to bottom. A house may import every house on a lower floor, and none beside or above it. */
  readonly floors: readonly (readonly string[])[]
  /** Houses that stand beside the floors, and what a house may import besides the floors below. */
  readonly also: Readonly<Record<string, readonly string[]>>
  /** Package names (by their beginning) that a house must not know. */
  readonly strangers: Readonly<Record<string, readonly string[]>>
}

/** Bosun's own plan: ARCHITECTURE.md draws the same picture for people. */
export const plan: Plan = {
  floors: [
    ['src/main.ts'],
    ['src/app.ts'],
    ['src/slack/', 'src/http/'],
    ['src/inbox/', 'src/relay/'],
    ['src/platform/', 'src/store/', 'src/markdown/'],
    ['src/security/', 'src/async/'],
  ],
  also: {
    'src/main.ts': ['src/config/', 'src/log/'],
    'src/app.ts': ['src/config/'],
    'src/tools/': [
      ...['src/config/', 'src/slack/', 'src/inbox/', 'src/platform/', 'src/store/'],
      'src/security/',
    ],
    'src/config/': ['src/security/'],
    'src/log/': ['src/security/'],
    'src/store/': ['migrations/'],
    'migrations/': [],
    'local/platform/': ['src/platform/model.ts', 'local/loopback.ts'],
    'local/slack/': ['local/loopback.ts'],
    'local/loopback.ts': [],
    'local/demo.ts': ['local/'],
    'bench/': ['src/', 'local/', 'test/support/'],
    'test/': ['src/', 'local/', 'migrations/', 'bench/'],
  },
  strangers: {
    'src/platform/': ['@slack/'],
    'src/relay/': ['@slack/', 'kysely', 'better-sqlite3'],
    'src/markdown/': ['@slack/'],
  },
}

/** Every arrow that the plan does not name, one sentence each; empty when the tree stands. */
export function wrongArrows(
  files: readonly SourceFile[],
  {floors, also, strangers}: Plan,
): string[] {
  const houses = [...new Set([...floors.flat(), ...Object.keys(also)])]
  const houseOf = (path: string): string | undefined => houses.find((house) => isIn(path, house))

  return files.flatMap(({path, imports, packages}) => {
    const house = houseOf(path)
    if (house === undefined) return [`${path} stands in no house: add it to test/gate/arrows.ts.`]
    const allowed = [house, ...floorsBelow(house, floors), ...(also[house] ?? [])]
    return [
      ...imports
        .filter((target) => !allowed.some((place) => isIn(target, place)))
        .map((target) => `${path} must not import ${target}.`),
      ...packages
        .filter((name) => (strangers[house] ?? []).some((stranger) => name.startsWith(stranger)))
        .map((name) => `${path} must not know the package ${name}.`),
    ]
  })
}

/**
 * The folders as if each were one file, of which none lies in the other: for {@link circles}. The files at the top of
 * a folder are what its rooms are made of, or what puts them together; they know them and are known to them.
 */
export function rooms(files: readonly SourceFile[]): SourceFile[] {
  const importsOf = new Map<string, Set<string>>()
  for (const {path, imports} of files) {
    const room = folderOf(path)
    const known = importsOf.get(room) ?? new Set()
    importsOf.set(room, known)
    for (const target of imports.map(folderOf)) {
      if (!isIn(room, target) && !isIn(target, room)) known.add(target)
    }
  }
  return [...importsOf].map(([path, imports]) => ({path, imports: [...imports], packages: []}))
}

/** Every circle, once, as `a.ts → b.ts → a.ts`. Imports of types count: a circle of words is one too. */
export function circles(files: readonly SourceFile[]): string[] {
  const importsOf = new Map(files.map(({path, imports}) => [path, imports]))
  const found: string[] = []
  const finished = new Set<string>()

  const walk = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path)
    if (start >= 0) found.push([...trail.slice(start), path].join(' → '))
    if (start >= 0 || finished.has(path)) return
    for (const target of importsOf.get(path) ?? []) walk(target, [...trail, path])
    finished.add(path)
  }

  for (const path of importsOf.keys()) walk(path, [])
  return found
}

function floorsBelow(house: string, floors: Plan['floors']): string[] {
  const floor = floors.findIndex((houses) => houses.includes(house))
  return floor < 0 ? [] : floors.slice(floor + 1).flat()
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}

function isIn(path: string, place: string): boolean {
  return place.endsWith('/') ? path.startsWith(place) : path === place
}
