import {dirname, relative, resolve} from 'node:path'
import {analyzeTsConfig} from 'ts-unused-exports'

/** An export that no file of ours imports, and the reason why it stays. */
interface AllowedExport {
  readonly path: string
  readonly name: string
  readonly why: string
}

/** The exports that something outside our files reads. Every entry needs a reason that a reviewer believes. */
export const allowedExports: readonly AllowedExport[] = [
  {path: 'vitest.config.ts', name: 'default', why: 'vitest reads its configuration from it'},
  {
    path: 'src/app/app.ts',
    name: 'explainFailure',
    why: 'main.ts imports it behind the compile cache, dynamically',
  },
  ...[
    'postgres/open.ts openPostgresStore',
    'postgres/open-tool.ts openPostgresTool',
    'ownership/shared.ts openShared',
    'postgres/bot-lock.ts keepBotsOut',
    'moving/postgres-side.ts postgresSide',
  ].map((of) => {
    const [file = '', name = ''] = of.split(' ')
    const why = 'the store imports it dynamically, so that who has a file does not load it'
    return {path: `src/store/${file}`, name, why}
  }),
  {
    path: 'src/traces/otlp.ts',
    name: 'createOtlpTraces',
    why: 'the bot imports it dynamically, so that who wants no traces does not load OpenTelemetry',
  },
  {
    path: 'local/instances/several.ts',
    name: 'startSeveral',
    why: 'the demo imports it dynamically, so that who starts one instance does not load it',
  },
  ...['playOne', 'playMany', 'playNamed'].map((name) => ({
    path: 'bench/simulation/runs.ts',
    name,
    why: 'the bench imports it dynamically, behind simulated time',
  })),
  ...'test it describe beforeAll beforeEach afterEach afterAll onTestFinished inject expect vi'
    .split(' ')
    .map((name) => ({
      ...{path: 'bench/mutation/test-api.ts', name},
      why: 'tests import it as vitest, in the processes of the bench that changes the code',
    })),
  {
    path: 'test/support/postgres-run.ts',
    name: 'default',
    why: 'vitest runs it before the tests that need PostgreSQL',
  },
]

/**
 * One line for each export that no file of the project imports, tests included, and one for each entry of the
 * allow-list that no longer names such an export, so that the list cannot outlive its reasons.
 */
export function findDeadExports(tsconfig: string, allowed: readonly AllowedExport[]): string[] {
  const root = dirname(resolve(tsconfig))
  const {unusedExports} = analyzeTsConfig(tsconfig)
  // An import of an index file is not seen as one of it.
  const files = Object.entries(unusedExports).filter(([file]) => !file.endsWith('/index.ts'))
  const unused = files.flatMap(([file, exports]) =>
    exports.map(({exportName, location}) => ({
      path: relative(root, file).replaceAll('\\', '/'),
      name: exportName,
      line: location.line,
    })),
  )
  const isSame = (a: {path: string; name: string}, b: {path: string; name: string}): boolean =>
    a.path === b.path && a.name === b.name

  return [
    ...unused
      .filter((found) => !allowed.some((entry) => isSame(entry, found)))
      .map(({path, name, line}) => `${path}:${line} exports ${name}, and nobody imports it.`),
    ...allowed
      .filter((entry) => !unused.some((found) => isSame(entry, found)))
      .map(({path, name}) => `${path} needs no exception for ${name}: take it off the allow-list.`),
  ]
}
