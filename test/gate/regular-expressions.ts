import {globSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {check} from 'recheck'
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

/** Every regular expression that is written in the sources of the bot, once, in the order of their letters. */
export function readRegularExpressions(): RegularExpression[] {
  const places = globSync('src/**/*.ts', {cwd: root})
    .toSorted()
    .flatMap((path) => literalsIn(path, readFileSync(join(root, path), 'utf8')))
  const byLiteral = [...Map.groupBy(places, ({literal}) => literal)]
  return byLiteral.toSorted(inOrder).map(([literal, all]) => {
    const end = literal.lastIndexOf('/')
    const [source, flags] = [literal.slice(1, end), literal.slice(end + 1)]
    return {literal, source, flags, places: all.map(({place}) => place)}
  })
}

const BOUNDED = 'it is tried on the last 201 characters of a text alone'

/** What the detector can't know, by the expression as it is written. */
export const EXCEPTIONS: Readonly<Record<string, string>> = {
  '/(?<![a-z])(?:https?:\\/\\/|www\\.)[^\\s<]*$/i': BOUNDED,
  '/[`*_~[\\]!\\\\]+$/': BOUNDED,
  [String.raw`/^\]\(\s*(?:<[^<>\n]*>?|(?:\\\S|[^\s()\\]|\((?:\\\S|[^\s()\\])*\))*(?:\((?:\\\S|[^\s()\\])*)?\\?)(?:\s+(?:"[^"]*"?|'[^']*'?|\([^()]*\)?)?)?\s*$/`]:
    BOUNDED,
  [String.raw`/^\p{RGI_Emoji}$/v`]: 'the detector knows no sets of strings; nothing in it repeats',
}

/** So many characters are read at most in one attack: enough to tell a square from a line. */
const DETECTOR = {timeout: 300_000, attackLimit: 20_000_000}

/** Those whose time grows faster than their text, or may. It takes a minute or two for all of ours. */
export async function findSlow(expressions: readonly RegularExpression[]): Promise<string[]> {
  const slow: string[] = []
  for (const {literal, source, flags, places} of expressions) {
    const {status} = await check(source, flags, DETECTOR)
    if (status !== 'safe') slow.push(`${literal} is ${status}: ${places.join(', ')}`)
  }
  return slow
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

function inOrder([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1
}
