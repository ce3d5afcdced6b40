import {join, relative} from 'node:path'
import ts from 'typescript'

/** Where the bot touches fields of the platform's records, told by their types: a field `name` of another thing is none. */
export interface Uses {
  /** Whether a field is declared in `src/platform/` by this name: `threadSchema.captain.name`. */
  isDeclared(field: string): boolean
  /** Which of these files read or set it; without them, of all outside of `src/platform/` that mention it. Paths below `src/`. */
  filesWith(field: string, among?: readonly string[]): string[]
}

type Place = () => readonly ts.Symbol[]

/** Reads the whole bot with its types, which takes some seconds. */
export function readUses(root: string): Uses {
  const src = join(root, 'src')
  const host = {...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined}
  const config = ts.getParsedCommandLineOfConfigFile(join(root, 'tsconfig.json'), {}, host)
  const bot = (config?.fileNames ?? []).filter((path) => path.startsWith(`${src}/`))
  const program = ts.createProgram(bot, config?.options ?? {})
  const checker = program.getTypeChecker()
  const ours = new Map(
    program
      .getSourceFiles()
      .map((file) => [relative(src, file.fileName), file] as const)
      .filter(([path]) => !path.startsWith('..')),
  )
  const declared = new Set(
    [...ours]
      .filter(([path]) => path.startsWith('platform/'))
      .flatMap(([, file]) => declarationsIn(file)),
  )
  const outside = [...ours.keys()].filter((path) => !path.startsWith('platform/'))
  const places = new Map<string, Map<string, Place[]>>()

  /** Only their types have to be told, which takes the most of the time. */
  const mentioning = (field: string): string[] =>
    outside.filter((path) => ours.get(path)?.text.includes(lastOf(field)))

  const touches = (path: string, field: string): boolean => {
    const file = ours.get(path)
    if (file === undefined) return false
    const inFile = places.get(path) ?? placesIn(file, checker)
    places.set(path, inFile)
    const spots = inFile.get(lastOf(field)) ?? []
    return spots.some((symbols) =>
      symbols().some(({declarations = []}) => declarations.some((one) => nameOf(one) === field)),
    )
  }
  return {
    isDeclared: (field) => declared.has(field),
    filesWith: (field, among = mentioning(field)) => among.filter((path) => touches(path, field)),
  }
}

function lastOf(field: string): string {
  return field.split('.').at(-1) ?? ''
}

function declarationsIn(file: ts.SourceFile): string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (isMember(node)) found.push(nameOf(node))
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

type Member = ts.PropertyAssignment | ts.ShorthandPropertyAssignment | ts.PropertySignature

function isMember(node: ts.Node): node is Member {
  return (
    ts.isPropertyAssignment(node) ||
    ts.isShorthandPropertyAssignment(node) ||
    ts.isPropertySignature(node)
  )
}

/** Of a field that is declared in a constant or an interface: its names from there on. */
function nameOf(declaration: ts.Node): string {
  const names: string[] = []
  for (let at = declaration; !ts.isSourceFile(at); at = at.parent) {
    if (isMember(at) || ts.isVariableDeclaration(at)) names.unshift(at.name.getText())
    if (ts.isInterfaceDeclaration(at) || ts.isTypeAliasDeclaration(at)) names.unshift(at.name.text)
  }
  return names.join('.')
}

/** By name, where a file reads a property, takes one out of an object, sets one, or names it in brackets. */
function placesIn(file: ts.SourceFile, checker: ts.TypeChecker): Map<string, Place[]> {
  const found = new Map<string, Place[]>()
  const add = (name: string, place: Place): void => {
    found.set(name, [...(found.get(name) ?? []), place])
  }
  const ofType = (type: ts.Type | undefined, name: string): ts.Symbol[] => {
    const parts = type === undefined ? [] : type.isUnion() ? type.types : [type]
    return parts.flatMap((part) => part.getProperty(name) ?? [])
  }
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node)) {
      add(node.name.text, () => ofType(checker.getTypeAtLocation(node.expression), node.name.text))
    } else if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent)) {
      const name = node.propertyName ?? node.name
      const {parent} = node
      if (ts.isIdentifier(name)) {
        add(name.text, () => ofType(checker.getTypeAtLocation(parent), name.text))
      }
    } else if (ts.isObjectLiteralExpression(node)) {
      for (const {name} of node.properties) {
        if (name === undefined || !ts.isIdentifier(name)) continue
        add(name.text, () => ofType(checker.getContextualType(node), name.text))
      }
    } else if (ts.isElementAccessExpression(node)) {
      const named = checker.getTypeAtLocation(node.argumentExpression)
      for (const one of named.isUnion() ? named.types : [named]) {
        if (!one.isStringLiteral()) continue
        add(one.value, () => ofType(checker.getTypeAtLocation(node.expression), one.value))
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}
