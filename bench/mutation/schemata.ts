import ts from 'typescript'
import type {Mutant} from './sites.ts'

interface Insertion {
  position: number
  text: string
  /** Of what begins at one place the widest comes first; of what ends there, last. */
  order: number
}

/**
 * The file with all the mutants in it, each behind a question to the switchboard: what is imported once can be run with any
 * of them. Functions and loops tell the switchboard that they run.
 */
export function withSwitches(
  source: ts.SourceFile,
  mutants: readonly (Mutant & {id: number})[],
  probe: number,
): string {
  const insertions: Insertion[] = []
  /** `around`: also around what is just as wide. */
  const wrap = (
    [start, end]: readonly [number, number],
    before: string,
    behind: string,
    around = 0,
  ): void => {
    const width = end - start + around
    insertions.push(
      {position: start, text: before, order: -width},
      {position: end, text: behind, order: width - 1e9},
    )
  }

  const bySpan = Map.groupBy(mutants, ({start, end}) => `${start} ${end}`)
  for (const here of bySpan.values()) {
    const [first] = here
    if (first === undefined) continue
    const {start, end} = first
    const statement = here.find(({isStatement}) => isStatement)
    if (statement !== undefined) wrap([start, end], `if(!__mutant(${statement.id}))`, '')
    const choices = here
      .filter(({isStatement}) => !isStatement)
      .map(({id, mutated}) => `__mutant(${id})?(${mutated}):`)
    if (choices.length > 0) wrap([start, end], `(${choices.join('')}(`, '))')
  }

  const walk = (node: ts.Node): void => {
    const [start, end] = [node.getStart(source), node.getEnd()]
    // No line may begin with a bracket, as no line ends with a semicolon.
    if (ts.isExpressionStatement(node)) wrap([start, end], '{', '}', 0.5)
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const body = node.body as ts.Node
      if (ts.isBlock(body))
        insertions.push({
          position: body.getStart(source) + 1,
          text: `__reach(${probe});`,
          order: -1e9,
        })
      else wrap([body.getStart(source), body.getEnd()], `(__reach(${probe}),`, ')')
    }
    if (ts.isWhileStatement(node) || ts.isDoStatement(node)) {
      wrap([node.expression.getStart(source), node.expression.getEnd()], '(__turn(),', ')')
    }
    if (ts.isForStatement(node) && node.condition !== undefined) {
      wrap([node.condition.getStart(source), node.condition.getEnd()], '(__turn(),', ')')
    }
    ts.forEachChild(node, walk)
  }
  walk(source)
  return insert(source.text, insertions)
}

function insert(text: string, insertions: readonly Insertion[]): string {
  // What ends at a place stands before what begins there.
  const sorted = insertions.toSorted((a, b) => a.position - b.position || a.order - b.order)
  let written = ''
  let from = 0
  for (const {position, text: inserted} of sorted) {
    written += text.slice(from, position) + inserted
    from = position
  }
  return written + text.slice(from)
}
