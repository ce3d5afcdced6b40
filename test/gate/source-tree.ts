import {globSync, readFileSync} from 'node:fs'
import {isBuiltin} from 'node:module'
import {dirname, join, posix} from 'node:path'
import ts from 'typescript'
import type {SourceFile} from './arrows.ts'

/** The repository's root, where the gate's tests read. */
export const root = join(import.meta.dirname, '..', '..')

/** Every TypeScript file under the given folders of the repository, with its imports. */
export function readSourceTree(folders: readonly string[]): SourceFile[] {
  return folders
    .flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, {cwd: root}))
    .filter((path) => !path.includes('node_modules'))
    .sort()
    .map((path) => parseSource(path, readFileSync(join(root, path), 'utf8')))
}

/** Reads the import lines of one file: static, of types, re-exports and `import(…)`. */
export function parseSource(path: string, text: string): SourceFile {
  const names = importedNames(ts.createSourceFile(path, text, ts.ScriptTarget.Latest))
  const isOurs = (name: string): boolean => name.startsWith('.')
  return {
    path,
    imports: names.filter(isOurs).map((name) => posix.join(dirname(path), name)),
    packages: names.filter((name) => !isOurs(name) && !isBuiltin(name)),
  }
}

function importedNames(node: ts.Node): string[] {
  const names: string[] = []
  const name = importedName(node)
  if (name && ts.isStringLiteralLike(name)) names.push(name.text)
  ts.forEachChild(node, (child) => {
    names.push(...importedNames(child))
  })
  return names
}

function importedName(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return node.argument.literal
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    return node.arguments[0]
  }
  return undefined
}
