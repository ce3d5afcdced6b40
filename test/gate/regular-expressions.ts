import {globSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import ts from 'typescript'
import {root} from './source-tree.ts'

interface RegularExpression {
  /** As it is written, slashes and flags included. */
  literal: string
  source: string
  flags: string
  /** Each `path:line` where it stands. */
  places: string[]
}

/** Every regular expression that is written in the sources of the bot, once. */
export function readRegularExpressions(): RegularExpression[] {
  const places = globSync('src/**/*.ts', {cwd: root})
    .toSorted()
    .flatMap((path) => literalsIn(path, readFileSync(join(root, path), 'utf8')))
  return [...Map.groupBy(places, ({literal}) => literal)].map(([literal, all]) => {
    const end = literal.lastIndexOf('/')
    const [source, flags] = [literal.slice(1, end), literal.slice(end + 1)]
    return {literal, source, flags, places: all.map(({place}) => place)}
  })
}

function literalsIn(path: string, text: string): {literal: string; place: string}[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest)
  const found: {literal: string; place: string}[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const {line} = file.getLineAndCharacterOfPosition(node.getStart(file))
      found.push({literal: node.text, place: `${path}:${line + 1}`})
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}
