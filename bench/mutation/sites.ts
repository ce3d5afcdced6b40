import {createHash} from 'node:crypto'
import ts from 'typescript'
import {mutationsOf} from './operators.ts'

/** One change of one place in one file. */
export interface Mutant {
  readonly file: string
  /** The whole line on which it begins, without the space before it: tells it from its like in the same file. */
  readonly at: string
  readonly line: number
  readonly original: string
  readonly mutated: string
  readonly start: number
  readonly end: number
  readonly isStatement: boolean
  /** Where it stands among all mutants of its seed. */
  readonly rank: string
}

export function parse(file: string, text: string): ts.SourceFile {
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
}

/** Every mutant of a file; which of them are tried is the sample's to say. */
export function mutantsOf(source: ts.SourceFile, seed: string): Mutant[] {
  const found: Mutant[] = []
  const seen = new Map<string, number>()
  const add = (node: ts.Node, mutated: string, isStatement: boolean): void => {
    const [start, end] = [node.getStart(source), node.getEnd()]
    const {line} = source.getLineAndCharacterOfPosition(start)
    const at = (source.text.split('\n')[line] ?? '').trim()
    const original = source.text.slice(start, end)
    const name = JSON.stringify([source.fileName, at, original, mutated])
    const times = seen.get(name) ?? 0
    seen.set(name, times + 1)
    const rank = createHash('sha256').update(`${seed} ${name} ${times}`).digest('hex')
    found.push({
      ...{file: source.fileName, at, line: line + 1, original, mutated},
      ...{start, end, isStatement, rank},
    })
  }
  const walk = (node: ts.Node): void => {
    if (isLeftAlone(node)) return
    if (ts.isExpressionStatement(node) && isCall(node.expression)) add(node, '', true)
    if (ts.isExpression(node) && mayBeWritten(node)) {
      for (const mutated of mutationsOf(node, source)) add(node, mutated, false)
    }
    ts.forEachChild(node, walk)
  }
  walk(source)
  return found
}

function isCall(node: ts.Expression): boolean {
  if (ts.isAwaitExpression(node) || ts.isVoidExpression(node)) return isCall(node.expression)
  return ts.isCallExpression(node)
}

/** Types do nothing, and texts of logs and errors are for people. */
function isLeftAlone(node: ts.Node): boolean {
  if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node)) return true
  if (ts.isTypeAliasDeclaration(node) || ts.isTypeParameterDeclaration(node)) return true
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return true
  if (ts.isThrowStatement(node) || ts.isHeritageClause(node)) return true
  if (ts.isNewExpression(node)) return /Error$/.test(node.expression.getText())
  if (ts.isExpressionStatement(node)) return isLeftAlone(node.expression)
  if (!ts.isCallExpression(node)) return false
  const called = node.expression.getText()
  return node.expression.kind === ts.SyntaxKind.ImportKeyword || /\blog\??\.\w+$|^log$/.test(called)
}

/** Whether an expression in brackets may stand there. */
function mayBeWritten(node: ts.Expression): boolean {
  const {parent} = node
  if (ts.isPropertyAssignment(parent) && parent.name === (node as ts.Node)) return false
  if (ts.isTaggedTemplateExpression(parent) && parent.template === node) return false
  if (ts.isBinaryExpression(parent) && parent.left === node && isAssignment(parent)) return false
  if (ts.isDeleteExpression(parent) || ts.isComputedPropertyName(parent)) return false
  if (ts.isForOfStatement(parent) && parent.initializer === node) return false
  if (ts.isBindingElement(parent) && parent.propertyName === (node as ts.Node)) return false
  if (ts.isPropertyDeclaration(parent) && parent.name === (node as ts.Node)) return false
  // A part of a chain ends with the chain.
  return !(ts.isOptionalChain(node) && ts.isOptionalChain(parent) && parent.expression === node)
}

function isAssignment({operatorToken: {kind}}: ts.BinaryExpression): boolean {
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment
}
