/**
 * Which of our files may import which: the list in ARCHITECTURE.md, "Modules and layers", as data, and a checker of it
 * that touches no disk.
 *
 * A *module* is a file (`src/main.ts`) or a folder (`src/relay/`); files of one module may import each other.
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
  /** Top to bottom. A module may import every module on a lower layer, and none beside or above it. */
  readonly layers: readonly (readonly string[])[]
  /** Modules that stand beside the layers, and what a module may import besides the layers below. */
  readonly also: Readonly<Record<string, readonly string[]>>
  /** Package names (by their beginning) that a module must not know. */
  readonly strangers: Readonly<Record<string, readonly string[]>>
}

/** Bosun's own plan: ARCHITECTURE.md draws the same picture for people. */
export const plan: Plan = {
  layers: [
    ['src/main.ts'],
    ['src/app/'],
    [
      ...['src/features/agent-posts/', 'src/features/browse/', 'src/features/captains/'],
      ...['src/features/connect/', 'src/features/conversation/', 'src/features/files/'],
      ...[
        'src/features/home/',
        'src/features/models/',
        'src/features/pull-requests/',
        'src/features/hooks/',
        'src/features/reviews/',
        'src/features/rules/',
        'src/features/watch/',
      ],
      ...[
        'src/features/welcome/',
        'src/features/budgets/',
        'src/features/digests/',
        'src/features/rooms/',
        'src/features/unfurls/',
        'src/features/workflows/',
      ],
    ],
    ['src/slack/', 'src/http/'],
    ['src/agents/'],
    ['src/inbox/', 'src/relay/'],
    ['src/platform/', 'src/store/', 'src/markdown/', 'src/once/'],
    ['src/security/', 'src/async/'],
  ],
  also: {
    'src/main.ts': ['src/config/', 'src/log/'],
    'src/app/': ['src/config/', 'src/metrics/', 'src/traces/'],
    'src/metrics/': [],
    'src/traces/': [],
    'src/tools/': [
      ...['src/config/', 'src/slack/', 'src/inbox/', 'src/platform/', 'src/store/'],
      // What a file may set is judged by what features let people set.
      ...['src/security/', 'src/async/', 'src/agents/', 'src/features/rules/'],
    ],
    // Names that were misspelt are told.
    'src/config/': ['src/security/', 'src/agents/nearest-word.ts'],
    'src/log/': ['src/security/'],
    'src/store/': ['migrations/'],
    'migrations/': [],
    'local/platform/': [
      ...['src/platform/model.ts', 'src/platform/contract/'],
      ...['local/loopback.ts', 'local/already-sent.ts', 'local/random.ts'],
    ],
    'local/slack/': ['local/loopback.ts', 'local/already-sent.ts'],
    'local/loopback.ts': [],
    'local/random.ts': [],
    'local/already-sent.ts': [],
    'local/demo-settings.ts': [],
    'local/balancer/': [],
    // Workspaces get their keys through the store, as no person is there to type them.
    'local/instances/': ['local/', 'src/store/', 'src/security/'],
    'local/demo.ts': ['local/'],
    'bench/': ['src/', 'local/', 'test/support/'],
    'test/': ['src/', 'local/', 'migrations/', 'bench/'],
  },
  strangers: {
    'src/platform/': ['@slack/', 'prom-client', '@opentelemetry/'],
    'src/relay/': ['@slack/', 'kysely', 'better-sqlite3', 'prom-client', '@opentelemetry/'],
    'src/markdown/': ['@slack/'],
    'src/app/': ['prom-client', '@opentelemetry/'],
    'src/slack/': ['prom-client', '@opentelemetry/'],
    'src/http/': ['prom-client', '@opentelemetry/'],
    'src/inbox/': ['prom-client', '@opentelemetry/'],
    'src/store/': ['prom-client', '@opentelemetry/'],
  },
}

/** Every arrow that the plan does not name, one sentence each; empty when the tree stands. */
export function wrongArrows(
  files: readonly SourceFile[],
  {layers, also, strangers}: Plan,
): string[] {
  const modules = [...new Set([...layers.flat(), ...Object.keys(also)])]
  const moduleOf = (path: string): string | undefined =>
    modules.find((module) => isIn(path, module))

  return files.flatMap(({path, imports, packages}) => {
    const module = moduleOf(path)
    if (module === undefined) return [`${path} stands in no module: add it to test/gate/arrows.ts.`]
    const allowed = [module, ...layersBelow(module, layers), ...(also[module] ?? [])]
    return [
      ...imports
        .filter((target) => !allowed.some((place) => isIn(target, place)))
        .map((target) => `${path} must not import ${target}.`),
      ...packages
        .filter((name) => (strangers[module] ?? []).some((stranger) => name.startsWith(stranger)))
        .map((name) => `${path} must not know the package ${name}.`),
    ]
  })
}

/**
 * The folders as if each were one file, of which none lies in the other: for {@link circles}. The files at the top of
 * a folder are what its folders are made of, or what puts them together; they know them and are known to them.
 */
export function folders(files: readonly SourceFile[]): SourceFile[] {
  const importsOf = new Map<string, Set<string>>()
  for (const {path, imports} of files) {
    const folder = folderOf(path)
    const known = importsOf.get(folder) ?? new Set()
    importsOf.set(folder, known)
    for (const target of imports.map(folderOf)) {
      if (!isIn(folder, target) && !isIn(target, folder)) known.add(target)
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

function layersBelow(module: string, layers: Plan['layers']): string[] {
  const layer = layers.findIndex((modules) => modules.includes(module))
  return layer < 0 ? [] : layers.slice(layer + 1).flat()
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}

function isIn(path: string, place: string): boolean {
  return place.endsWith('/') ? path.startsWith(place) : path === place
}
