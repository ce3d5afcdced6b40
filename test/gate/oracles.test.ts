import {globSync, readFileSync} from 'node:fs'
import {dirname, join, posix} from 'node:path'
import ts from 'typescript'
import {expect, test} from 'vitest'
import {root} from './source-tree.ts'

/** What tests and benches compare with: written from the documents, so that it does not learn from the code what is right. */
const ORACLES = globSync(
  [
    'test/support/*oracle*.ts',
    'test/support/**/*oracle*.ts',
    'test/support/*-oracle/*.ts',
    'test/support/rules-moments.ts',
    'test/support/text-judge.ts',
    'test/support/verdict.ts',
    'test/contract/openapi/document.ts',
  ],
  {cwd: root},
)

/** Names of our files that it runs: shapes alone teach nothing. */
function runBy(path: string): string[] {
  const text = readFileSync(join(root, path), 'utf8')
  return ts
    .createSourceFile(path, text, ts.ScriptTarget.Latest)
    .statements.filter((one) => ts.isImportDeclaration(one) || ts.isExportDeclaration(one))
    .filter((one) => !isOfTypes(one))
    .flatMap(({moduleSpecifier: name}) =>
      name !== undefined && ts.isStringLiteral(name) && name.text.startsWith('.')
        ? [posix.join(dirname(path), name.text)]
        : [],
    )
}

function isOfTypes(one: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(one)) return one.isTypeOnly
  const {importClause: clause} = one
  if (clause === undefined) return false
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true
  const {name, namedBindings: named} = clause
  const isNamed = name === undefined && named !== undefined && ts.isNamedImports(named)
  return isNamed && named.elements.every(({isTypeOnly}) => isTypeOnly)
}

test('what others are judged by runs nothing of what it judges, by way of others either', () => {
  expect(ORACLES.length).toBeGreaterThan(9)
  const wrong = ORACLES.flatMap((oracle) => {
    const known = new Set([oracle])
    for (const path of known) for (const one of runBy(path)) known.add(one)
    return [...known]
      .filter((path) => path.startsWith('src/'))
      .map((path) => `${oracle} comes to ${path}`)
  })
  expect(wrong).toEqual([])
})
