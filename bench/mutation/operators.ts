import ts from 'typescript'

/** What a node may be written as instead, by the usual operators; each is an expression of the same place. */
export function mutationsOf(node: ts.Expression, source: ts.SourceFile): string[] {
  const text = (one: ts.Node): string => one.getText(source)
  const mutations: string[] = []
  if (isCondition(node)) mutations.push('true', 'false', `!(${text(node)})`)
  if (ts.isBinaryExpression(node)) mutations.push(...ofBinary(node, text))
  else if (ts.isPrefixUnaryExpression(node)) mutations.push(...ofPrefix(node, text))
  else if (ts.isNumericLiteral(node)) mutations.push(`${text(node)} + 1`, `${text(node)} - 1`)
  else if (node.kind === ts.SyntaxKind.TrueKeyword) mutations.push('false')
  else if (node.kind === ts.SyntaxKind.FalseKeyword) mutations.push('true')
  else if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
    mutations.push(...ofString(node))
  } else if (ts.isTemplateExpression(node)) mutations.push(...(isProse(text(node)) ? [] : ["''"]))
  else if (ts.isArrayLiteralExpression(node)) mutations.push(...(node.elements[0] ? ['[]'] : []))
  else if (ts.isObjectLiteralExpression(node)) {
    mutations.push(...(node.properties[0] ? ['{}'] : []))
  } else if (ts.isCallExpression(node)) mutations.push(...ofCall(node, text))
  if (ts.isOptionalChain(node)) mutations.push(...ofChain(node, source))
  return mutations.filter((mutation, index) => mutations.indexOf(mutation) === index)
}

const SWAPPED: Readonly<Record<string, readonly string[]>> = {
  '<': ['<='],
  '<=': ['<'],
  '>': ['>='],
  '>=': ['>'],
  '===': ['!=='],
  '!==': ['==='],
  '&&': ['||'],
  '||': ['&&'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '+=': ['-='],
  '-=': ['+='],
}

type TextOf = (node: ts.Node) => string

function ofBinary({left, operatorToken, right}: ts.BinaryExpression, text: TextOf): string[] {
  const operator = text(operatorToken)
  if (operator === '??') return [text(left)]
  if (operator === '+' && [left, right].some((side) => isText(side))) return []
  return (SWAPPED[operator] ?? []).map((other) => `${text(left)} ${other} ${text(right)}`)
}

function isText(node: ts.Node): boolean {
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)
}

function ofPrefix({operator, operand}: ts.PrefixUnaryExpression, text: TextOf): string[] {
  const isSign =
    operator === ts.SyntaxKind.ExclamationToken || operator === ts.SyntaxKind.MinusToken
  return isSign ? [text(operand)] : []
}

/** Of SQL, which queries are put together with. */
const SQL: Readonly<Record<string, string>> = {
  ...{'<': '<=', '<=': '<', '>': '>=', '>=': '>', '=': '!=', '!=': '='},
  ...{asc: 'desc', desc: 'asc', is: 'is not', 'is not': 'is', in: 'not in', 'not in': 'in'},
}

function ofString(node: ts.StringLiteralLike): string[] {
  const other = Object.hasOwn(SQL, node.text) ? SQL[node.text] : undefined
  if (other !== undefined) return [`'${other}'`]
  return node.text === '' || isProse(node.text) ? [] : ["''"]
}

/** What people read is judged by people. */
function isProse(text: string): boolean {
  return /\p{L}[,.:;…’]* \p{L}/u.test(text)
}

const OTHER_METHODS: Readonly<Record<string, string>> = {
  ...{some: 'every', every: 'some', min: 'max', max: 'min', floor: 'ceil', ceil: 'floor'},
  ...{startsWith: 'endsWith', endsWith: 'startsWith', toLowerCase: 'toUpperCase'},
}
const DROPPED_METHODS = new Set(
  'filter sort toSorted reverse toReversed slice trim trimEnd trimStart'.split(' '),
)

function ofCall({expression: called, arguments: given}: ts.CallExpression, text: TextOf): string[] {
  if (!ts.isPropertyAccessExpression(called) || called.questionDotToken !== undefined) return []
  const receiver = text(called.expression)
  const name = called.name.text
  if (DROPPED_METHODS.has(name)) return [receiver]
  const other = Object.hasOwn(OTHER_METHODS, name) ? OTHER_METHODS[name] : undefined
  return other === undefined ? [] : [`${receiver}.${other}(${given.map(text).join(', ')})`]
}

/** Each question mark of a chain is left out in turn. */
function ofChain(chain: ts.Expression, source: ts.SourceFile): string[] {
  const marks: ts.Node[] = []
  for (let link: ts.Node = chain; ts.isOptionalChain(link); link = link.expression) {
    if (!ts.isNonNullChain(link) && link.questionDotToken !== undefined) {
      marks.push(link.questionDotToken)
    }
  }
  const whole = chain.getText(source)
  return marks.map((mark) => {
    const from = mark.getStart(source) - chain.getStart(source)
    const behind = whole.slice(from + 2)
    return whole.slice(0, from) + (/^[[(<]/.test(behind) ? '' : '.') + behind
  })
}

function isCondition(node: ts.Node): boolean {
  const {parent} = node
  return (
    (ts.isIfStatement(parent) && parent.expression === node) ||
    (ts.isConditionalExpression(parent) && parent.condition === node)
  )
}
